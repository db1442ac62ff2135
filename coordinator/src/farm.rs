//! What a run needs of the farm beside its turns: catalogues, the platform, trees. The embedded worker gives it within
//! this process; workers elsewhere will give it through objects and the ledger.

use async_trait::async_trait;
use gg_common::arm::Arm;
use gg_common::catalogue::Catalogue;
use gg_common::check::{CheckJob, CheckResult};
use gg_common::content::ContentKey;
use gg_common::event::Platform;
use gg_common::job::{AgentId, RunId};
use gg_common::ledger::Ledger;
use gg_common::limits::Limits;
use gg_common::memory_store::MemoryStores;
use gg_common::objects::Objects;
use gg_common::queue::Queue;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The farm could not do what it was asked. The text says what failed, where, and what to do.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct FarmError(pub String);

/// What a run needs of the farm beside its turns. Implemented once a form of the farm.
#[async_trait]
pub trait Farm: Send + Sync {
    /// The surface of an arm's SDK, as the workers have it.
    async fn catalogue(&self, arm: Arm) -> Result<Arc<Catalogue>, FarmError>;

    /// What turns run on, with the artifact digests of these arms.
    async fn platform(&self, arms: &[Arm]) -> Result<Platform, FarmError>;

    /// Stores a folder as a tree; one that holds more than an agent's tree may is refused where its limits are given.
    async fn import_tree(&self, folder: &Path, limits: Option<&Limits>) -> Result<ContentKey, FarmError>;

    /// Writes a tree into a folder, which is made and must be empty.
    async fn export_tree(&self, tree: &ContentKey, folder: &Path) -> Result<(), FarmError>;

    /// Checks the final tree of a run. What the farm could not do is in the result.
    async fn check(&self, job: CheckJob) -> CheckResult;

    /// Ends an agent's home.
    async fn release_agent(&self, run: &RunId, agent: &AgentId);
}

/// Everything that a run is driven through.
#[derive(Clone)]
pub struct House {
    /// Turns and results in flight.
    pub queue: Arc<dyn Queue>,
    /// Event logs.
    pub ledger: Arc<dyn Ledger>,
    /// Bodies and trees.
    pub objects: Objects,
    /// Memories that outlive their runs.
    pub memories: Arc<dyn MemoryStores>,
    /// The rest.
    pub farm: Arc<dyn Farm>,
}

impl fmt::Debug for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("House").field("objects", &self.objects).finish_non_exhaustive()
    }
}
