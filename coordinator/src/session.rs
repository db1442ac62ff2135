//! One run from its plan to its records, over a house that stands: makes the folder's records, drives the loop, writes the
//! summary and the final tree whatever came of it.

use crate::agent::{Drive, Interrupt, Observer, RunError, drive};
use crate::clock::Clock;
use crate::dispatch::{DispatchError, Dispatcher};
use crate::farm::{FarmError, House};
use crate::model::Model;
use crate::plan::RunPlan;
use crate::prompts::Prompts;
use crate::records::{RunFolder, summarize};
use gg_common::event::{Ending, Event};
use gg_common::summary::Summary;
use tokio::sync::watch;

/// How a run was left.
#[derive(Debug)]
pub enum Left {
    /// It came to its end.
    Ended(Ending),
    /// It was interrupted before its end.
    Interrupted,
    /// It could not be driven or recorded on.
    Failed(RunError),
}

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// How it was left.
    pub left: Left,
    /// Its summary; none where it never began.
    pub summary: Option<Summary>,
}

/// What a run is started with.
pub struct Session<'a> {
    /// Queue, ledger, objects, farm.
    pub house: &'a House,
    /// Who answers.
    pub model: &'a dyn Model,
    /// What is to be done.
    pub plan: &'a RunPlan,
    /// Where the records go.
    pub folder: &'a RunFolder,
    /// Time.
    pub clock: &'a dyn Clock,
    /// Who watches.
    pub observer: &'a dyn Observer,
    /// What the person at the keyboard asks for.
    pub interrupt: watch::Receiver<Interrupt>,
    /// What the log holds already, where the run is taken up again; empty where it begins.
    pub past: Vec<Event>,
}

impl From<DispatchError> for RunError {
    fn from(error: DispatchError) -> RunError {
        RunError::Farm(FarmError(error.to_string()))
    }
}

impl Session<'_> {
    /// Runs it. Records are written whatever comes of it; the first thing that failed is what is told.
    pub async fn run(self) -> Outcome {
        let (house, folder) = (self.house, self.folder);
        let driven = self.drive().await;
        let mut left = match driven {
            Ok(Some(ending)) => Left::Ended(ending),
            Ok(None) => Left::Interrupted,
            Err(error) => Left::Failed(error),
        };
        let summary = match record(house, folder).await {
            (summary, Ok(())) => summary,
            (summary, Err(error)) => {
                if !matches!(left, Left::Failed(_)) {
                    left = Left::Failed(error);
                }
                summary
            }
        };
        house.ledger.release(folder.run()).await;
        Outcome { left, summary }
    }

    async fn drive(self) -> Result<Option<Ending>, RunError> {
        let prompts = Prompts::shared()?;
        // The run's name, so that results of two coordinators on one queue never meet.
        let dispatcher = Dispatcher::start(self.house.queue.clone(), &self.folder.run().0).await?;
        let driven = drive(Drive {
            house: self.house,
            dispatcher: &dispatcher,
            model: self.model,
            prompts,
            plan: self.plan,
            folder: self.folder,
            clock: self.clock,
            observer: self.observer,
            interrupt: self.interrupt,
            past: self.past,
        })
        .await;
        dispatcher.stop().await;
        driven
    }
}

/// Writes what is folded from the log: the summary and the final tree.
async fn record(house: &House, folder: &RunFolder) -> (Option<Summary>, Result<(), RunError>) {
    let events = match house.ledger.read(folder.run(), 0).await {
        Ok(events) => events,
        Err(error) => return (None, Err(error.into())),
    };
    let Some(summary) = summarize(&events) else { return (None, Ok(())) };
    let mut written = folder.write_summary(&summary).map_err(RunError::from);
    if written.is_ok() {
        written = match &summary.tree {
            Some(tree) => house.farm.export_tree(tree, &folder.tree()).await.map_err(RunError::from),
            None => Ok(()),
        };
    }
    (Some(summary), written)
}

#[cfg(test)]
mod tests;
