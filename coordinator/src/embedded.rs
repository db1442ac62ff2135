//! The farm within this process: queue and ledger in their local forms, objects in a folder, one worker inside. The only
//! file of this crate that names the worker's.

use crate::farm::{Farm, FarmError, House};
use crate::records::References;
use async_trait::async_trait;
use gg_common::arm::Arm;
use gg_common::catalogue::Catalogue;
use gg_common::check::{CheckJob, CheckResult};
use gg_common::content::ContentKey;
use gg_common::event::Platform;
use gg_common::folders::CacheRoot;
use gg_common::job::{AgentId, RunId, WorkerId};
use gg_common::ledger::LocalLedger;
use gg_common::limits::Limits;
use gg_common::memory_store::LocalMemoryStores;
use gg_common::objects::{Durability, Objects};
use gg_common::queue::{LocalQueue, Queue, place_queue, worker_queue};
use gg_worker::artifacts::Artifacts;
use gg_worker::{Worker, WorkerSettings};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

pub use gg_worker::service::doctor::{Check, Verdict};

/// How long a closing farm waits for its worker: a turn that is still running is left to the process's end.
const CLOSE_WAIT: Duration = Duration::from_secs(5);

/// Becomes an executor, and does not return, if the worker inside another process of this binary started it as one.
pub fn run_executor_if_asked() {
    gg_worker::executor::run_if_asked();
}

/// The surface of an arm's SDK, from the artifacts on this machine, which are made if they are missing.
pub fn catalogue(root: &CacheRoot, arm: Arm) -> Result<Catalogue, FarmError> {
    let set = Artifacts::new(&root.artifacts(), None).find(arm).map_err(|error| FarmError(error.to_string()))?;
    set.catalogue().map_err(|error| FarmError(error.to_string()))
}

/// What this machine has for an arm.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArmState {
    /// The arm.
    pub arm: Arm,
    /// Its language's name.
    pub language: &'static str,
    /// What checks a program before it runs; none where nothing does.
    pub checker: Option<&'static str>,
    /// The key of the artifacts that this version needs.
    pub artifacts: ContentKey,
    /// `ready`, or what is wrong and what to do.
    pub state: String,
}

/// What this machine has for each arm.
pub fn arms(root: &CacheRoot) -> Vec<ArmState> {
    let artifacts = Artifacts::new(&root.artifacts(), None);
    let of = |arm: Arm| ArmState {
        arm,
        language: arm.display_name(),
        checker: gg_worker::language::language(arm).checker(),
        artifacts: gg_worker::artifacts::key(arm),
        state: match artifacts.on_disk(arm) {
            Ok(Some(_)) => "ready".to_owned(),
            Ok(None) => format!("its artifacts are missing: run `worker artifacts build --arm {arm}`"),
            Err(error) => error.to_string(),
        },
    };
    Arm::ALL.into_iter().map(of).collect()
}

/// Every object that these references lead to.
pub fn reachable(objects: &Objects, references: &References) -> BTreeSet<ContentKey> {
    let mut reached = BTreeSet::new();
    for tree in &references.trees {
        gg_worker::home::tree::reach(tree, objects, &mut reached);
    }
    reached.extend(&references.bodies);
    reached
}

/// Looks at what this machine must have.
pub fn doctor(root: &CacheRoot) -> Vec<Check> {
    let settings = WorkerSettings::under(root, WorkerId(format!("doctor-{}", std::process::id())));
    gg_worker::service::doctor::checks(&settings, &root.objects())
}

/// What one farm may have other than the next.
pub struct Options {
    /// Whether objects wait for the device.
    pub durability: Durability,
    /// Executors kept at once; none for what the worker has by itself.
    pub executors: Option<usize>,
    /// What turns and results travel by.
    pub queue: Arc<dyn Queue>,
}

impl Default for Options {
    fn default() -> Options {
        Options { durability: Durability::Synced, executors: None, queue: Arc::new(LocalQueue::default()) }
    }
}

/// A farm within this process.
#[derive(Debug)]
pub struct Embedded {
    house: House,
    queues: Vec<String>,
    tasks: JoinSet<()>,
}

impl Embedded {
    /// Starts the farm for these arms; runs are recorded in `ledger`.
    pub async fn start(root: &CacheRoot, ledger: LocalLedger, arms: &[Arm]) -> Result<Embedded, FarmError> {
        Embedded::start_with(root, ledger, arms, Options::default()).await
    }

    /// The same with other options.
    pub async fn start_with(
        root: &CacheRoot,
        ledger: LocalLedger,
        arms: &[Arm],
        options: Options,
    ) -> Result<Embedded, FarmError> {
        let Options { durability, executors, queue } = options;
        let objects = Objects::in_folder(&root.objects(), durability)
            .map_err(|error| FarmError(format!("{error}: set GG_FARM_HOME to a folder that you can write")))?;
        let mut settings = WorkerSettings::under(root, WorkerId("embedded".to_owned()));
        settings.executors = executors.unwrap_or(settings.executors);
        let worker = blocking({
            let (objects, arms) = (objects.clone(), arms.to_vec());
            move || Worker::start(settings, objects, &arms).map_err(|error| FarmError(error.to_string()))
        })
        .await?;
        let mut queues: Vec<String> = arms.iter().map(|arm| place_queue(*arm)).collect();
        queues.push(worker_queue(worker.id()));
        for name in &queues {
            queue.declare(name).await.map_err(|error| FarmError(error.to_string()))?;
        }
        let mut tasks = JoinSet::new();
        tasks.spawn(gg_worker::service::serve(worker.clone(), queue.clone(), arms.to_vec()));
        let house = House {
            queue,
            ledger: Arc::new(ledger),
            objects,
            memories: Arc::new(LocalMemoryStores::new(&root.memories())),
            farm: Arc::new(Inside { worker }),
        };
        Ok(Embedded { house, queues, tasks })
    }

    /// What runs are driven through.
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Closes the queues and waits for the worker, though not for a turn that is still running.
    pub async fn stop(mut self) {
        for name in &self.queues {
            // One that is closed already is what is wanted.
            let _ = self.house.queue.close(name).await;
        }
        let ended = tokio::time::timeout(CLOSE_WAIT, async { while self.tasks.join_next().await.is_some() {} }).await;
        if ended.is_err() {
            self.tasks.abort_all();
        }
    }
}

/// The worker inside, as the loop needs it. Its calls block, so each has a thread of its own.
#[derive(Debug)]
struct Inside {
    worker: Arc<Worker>,
}

async fn blocking<T: Send + 'static>(
    call: impl FnOnce() -> Result<T, FarmError> + Send + 'static,
) -> Result<T, FarmError> {
    match tokio::task::spawn_blocking(call).await {
        Ok(result) => result,
        Err(error) => {
            Err(FarmError(format!("the worker inside failed: {error}; this is a fault of gg-farm, please report it")))
        }
    }
}

impl Inside {
    async fn ask<T: Send + 'static, E: std::fmt::Display>(
        &self,
        call: impl FnOnce(&Worker) -> Result<T, E> + Send + 'static,
    ) -> Result<T, FarmError> {
        let worker = self.worker.clone();
        blocking(move || call(&worker).map_err(|error| FarmError(error.to_string()))).await
    }
}

#[async_trait]
impl Farm for Inside {
    async fn catalogue(&self, arm: Arm) -> Result<Arc<Catalogue>, FarmError> {
        self.ask(move |worker| worker.catalogue(arm)).await
    }

    async fn platform(&self, arms: &[Arm]) -> Result<Platform, FarmError> {
        let arms = arms.to_vec();
        self.ask(move |worker| worker.platform(&arms)).await
    }

    async fn import_tree(&self, folder: &Path, limits: Option<&Limits>) -> Result<ContentKey, FarmError> {
        let (path, limits) = (folder.to_owned(), limits.cloned());
        let stored = self.ask(move |worker| worker.import_tree(&path, limits.as_ref())).await;
        stored.map_err(|error| FarmError(format!("the files {} cannot be taken: {error}", folder.display())))
    }

    async fn export_tree(&self, tree: &ContentKey, folder: &Path) -> Result<(), FarmError> {
        let (tree, folder) = (*tree, folder.to_owned());
        self.ask(move |worker| worker.export_tree(&tree, &folder)).await
    }

    async fn check(&self, job: CheckJob) -> CheckResult {
        let checked = self.ask(move |worker| Ok::<_, FarmError>(worker.run_check(&job))).await;
        checked.unwrap_or_else(|error| CheckResult::not_run(None, error.to_string()))
    }

    async fn release_agent(&self, run: &RunId, agent: &AgentId) {
        let (run, agent) = (run.clone(), agent.clone());
        let released = self
            .ask(move |worker| {
                worker.release_agent(&run, &agent);
                Ok::<(), FarmError>(())
            })
            .await;
        if let Err(error) = released {
            tracing::warn!(%error, "an agent's home was not released");
        }
    }
}
