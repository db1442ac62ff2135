//! A run that is taken up again: the plan is what its log says that it was started with.

use super::RunPlan;
use crate::records::{RunFolder, first_wrong};
use gg_common::config::nearest;
use gg_common::event::{Ending, Event, EventBody};
use gg_common::job::Body;
use gg_common::ledger::{Ledger, LedgerError, LocalLedger};
use gg_common::objects::{ObjectError, Objects};
use std::path::{Path, PathBuf};

/// A run cannot be taken up again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// There is no such run.
    #[error("there is no run `{name}` in {}: {instead}", runs.display())]
    NoSuchRun {
        /// What was asked for.
        name: String,
        /// Where runs lie.
        runs: PathBuf,
        /// What there is instead.
        instead: String,
    },
    /// It ended.
    #[error("the run {run} has ended ({ending}): there is nothing to resume; start a new one")]
    Ended {
        /// The run.
        run: String,
        /// How.
        ending: &'static str,
    },
    /// Its log has no beginning.
    #[error("the run {run} was stopped before its first event: start a new one")]
    NeverBegan {
        /// The run.
        run: String,
    },
    /// Its log is not one that a run writes.
    #[error("line {line} of the log of {run} is wrong: {reason}; the run cannot be gone on with")]
    Damaged {
        /// The run.
        run: String,
        /// The line, from 1.
        line: usize,
        /// Why.
        reason: String,
    },
    /// A part of its folder is a link, which would be followed.
    #[error("{} is a link, and a run's records lie in its own folder: put the folder back in its place", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// The files that it left are not in the store of objects.
    #[error(
        "the files of the run {run} are not among the objects of {objects}: set GG_FARM_HOME to the data folder that it was started with"
    )]
    Elsewhere {
        /// The run.
        run: String,
        /// Where they were looked for.
        objects: String,
    },
    /// The log cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The task cannot be read.
    #[error(transparent)]
    Objects(#[from] ObjectError),
}

/// The folder of a run that there is, by its whole name or by a beginning of it that no other has.
pub fn find(runs: &Path, name: &str) -> Result<RunFolder, ResumeError> {
    // A run's path is taken for its name, as it was told when the run began.
    let given = Path::new(name);
    let name = match given.file_name() {
        Some(last) if given.parent() == Some(runs) => last.to_string_lossy().into_owned(),
        _ => name.to_owned(),
    };
    let name = name.as_str();
    let mut names: Vec<String> = std::fs::read_dir(runs)
        .map(|entries| entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    names.sort();
    let matching: Vec<&String> = names.iter().filter(|one| !name.is_empty() && one.starts_with(name)).collect();
    let found = match (names.iter().find(|one| *one == name), matching.as_slice()) {
        (Some(exact), _) => Some(exact),
        (None, [only]) => Some(*only),
        (None, _) => None,
    };
    if let Some(folder) = found.and_then(|run| RunFolder::open(runs, run)) {
        return Ok(folder);
    }
    let choices: Vec<&str> = names.iter().map(String::as_str).collect();
    let instead = match (matching.len(), choices.is_empty()) {
        (_, true) => "no run was recorded there; --runs names another folder".to_owned(),
        (0 | 1, _) => match nearest(name, &choices) {
            Some(near) => format!("did you mean `{near}`?"),
            // The latest are enough to see what a name looks like.
            None => format!("the latest are {}", choices[choices.len().saturating_sub(3)..].join(", ")),
        },
        (several, _) => format!("{several} runs begin so, write more of the name"),
    };
    Err(ResumeError::NoSuchRun { name: name.to_owned(), runs: runs.to_owned(), instead })
}

fn word(ending: &Ending) -> &'static str {
    match ending {
        Ending::Finished { .. } => "finished",
        Ending::Approved { .. } => "approved",
        Ending::ChangesRequested { .. } => "changes requested",
        Ending::Ceiling { .. } => "by a ceiling",
        Ending::ScriptEnded => "with its script",
        Ending::ModelFailed { .. } => "since its model did not answer",
        Ending::InternalError { .. } => "by the farm's failure",
    }
}

/// What the log of an unended run says: what it was started with, and everything that happened. The run is held from now
/// on by `ledger`; another process that drives it is an error.
pub async fn read(
    folder: &RunFolder,
    ledger: &LocalLedger,
    objects: &Objects,
) -> Result<(RunPlan, Vec<Event>), ResumeError> {
    let run = || folder.run().0.clone();
    let past = ledger.read(folder.run(), 0).await?;
    match past.last().map(|event| &event.event) {
        // What keeps a model from answering passes: a quota, a key, an outage.
        None | Some(EventBody::RunEnded { ending: Ending::ModelFailed { .. } }) => {}
        Some(EventBody::RunEnded { ending }) => return Err(ResumeError::Ended { run: run(), ending: word(ending) }),
        Some(_) => {}
    }
    if let Some((line, reason)) = first_wrong(folder.run(), &past) {
        return Err(ResumeError::Damaged { run: run(), line, reason });
    }
    if let Some(link) = folder.link() {
        return Err(ResumeError::Link { path: link });
    }
    let Some(EventBody::RunStarted { task, profile, ceilings, .. }) = past.first().map(|event| &event.event) else {
        return Err(ResumeError::NeverBegan { run: run() });
    };
    let tree = past.iter().rev().find_map(|event| match &event.event {
        EventBody::CodeExecution { tree, .. } | EventBody::RunStarted { tree, .. } => Some(*tree),
        _ => None,
    });
    if let Some(tree) = tree.flatten()
        && !objects.has(&tree).await?
    {
        return Err(ResumeError::Elsewhere { run: run(), objects: objects.place() });
    }
    let task = match task {
        Body::Inline(task) => task.clone(),
        Body::Object { key, .. } => String::from_utf8_lossy(&objects.get(key).await?).into_owned(),
    };
    Ok((RunPlan { task, files: None, profile: (**profile).clone(), ceilings: *ceilings, check: None }, past))
}
