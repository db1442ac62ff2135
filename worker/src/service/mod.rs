//! The worker as its users hold it: it takes turns, runs each against its agent's home, and gives the results.

use gg_common::arm::Arm;
use gg_common::catalogue::Catalogue;
use gg_common::content::ContentKey;
use gg_common::event::Platform;
use gg_common::job::{AgentId, RunId, TurnJob, TurnResult, WorkerId};
use gg_common::objects::Objects;
use gg_common::queue::Queue;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a worker is started with.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// Its name in results and queues.
    pub id: WorkerId,
    /// Where the homes of its agents lie. Default: `homes` under the cache root.
    pub homes: PathBuf,
    /// Where artifacts lie or are built. Default: `artifacts` under the cache root.
    pub artifacts: PathBuf,
    /// Turns at once. Default: the processor's threads.
    pub slots: usize,
}

/// Why a worker cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Something that it needs is missing or broken; the text says what and how to mend it.
    #[error("{0}")]
    Unusable(String),
}

/// A worker.
#[derive(Debug)]
pub struct Worker {
    settings: WorkerSettings,
    objects: Objects,
}

impl Worker {
    /// A worker over a store of objects.
    pub fn start(settings: WorkerSettings, objects: Objects) -> Result<Arc<Worker>, StartError> {
        Ok(Arc::new(Worker { settings, objects }))
    }

    /// The store that trees and bodies go to.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Its name.
    pub fn id(&self) -> &WorkerId {
        &self.settings.id
    }

    /// Runs one turn to its end. Blocks; call it from a thread of its own.
    pub fn run_turn(&self, _job: &TurnJob) -> TurnResult {
        unreachable!("under construction")
    }

    /// The surface of an arm's SDK.
    pub fn catalogue(&self, _arm: Arm) -> Result<Arc<Catalogue>, StartError> {
        Err(StartError::Unusable("under construction".into()))
    }

    /// What turns run on, with the artifact digests of the arms named.
    pub fn platform(&self, _arms: &[Arm]) -> Result<Platform, StartError> {
        Err(StartError::Unusable("under construction".into()))
    }

    /// Stores a folder as a tree and gives its key.
    pub fn import_tree(&self, _folder: &Path) -> Result<ContentKey, StartError> {
        Err(StartError::Unusable("under construction".into()))
    }

    /// Writes a tree into a folder, which is made and must be empty.
    pub fn export_tree(&self, _tree: &ContentKey, _folder: &Path) -> Result<(), StartError> {
        Err(StartError::Unusable("under construction".into()))
    }

    /// Ends an agent: its executor, its home.
    pub fn release_agent(&self, _run: &RunId, _agent: &AgentId) {}
}

/// The queue that an agent without a home is placed by.
pub fn place_queue(arm: Arm) -> String {
    format!("gg.place.{arm}")
}

/// The queue of the agents that live on a worker.
pub fn worker_queue(worker: &WorkerId) -> String {
    format!("gg.worker.{worker}")
}

/// Takes turns from the place queues of `arms` and from the worker's own queue until the queues are closed; each result
/// goes to the queue that its job names.
pub async fn serve(_worker: Arc<Worker>, _queue: Arc<dyn Queue>, _arms: Vec<Arm>) {}
