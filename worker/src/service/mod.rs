//! The worker as its users hold it: it takes turns, runs each against its agent's home, and gives the results.

mod check;
mod descriptors;
pub mod doctor;
mod outcome;
mod queue;
pub mod selfcheck;
mod settings;
mod turn;
mod warming;

pub use queue::serve;
pub use settings::WorkerSettings;

use crate::artifacts::{ArtifactError, ArtifactSet, Artifacts};
use crate::calls::docs::DocsIndex;
use crate::executor::handle::{ExecutorError, Guest};
use crate::executor::nursery::Nursery;
use crate::executor::precompiled::{PrecompileError, Precompiled};
use crate::executor::protocol::Isolation;
use crate::home::slot::Slot;
use crate::home::tree::{self, ScanCache, TreeError, TreeLimits};
use crate::home::{Home, HomeError, disk};
use crate::language::seam::Site;
use crate::language::{self, OpenError, Prepare, language};
use gg_common::arm::Arm;
use gg_common::catalogue::Catalogue;
use gg_common::content::ContentKey;
use gg_common::event::Platform;
use gg_common::job::{AgentId, RunId, TurnJob, TurnResult, WorkerId};
use gg_common::limits::Limits;
use gg_common::objects::Objects;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use warming::{WarmUp, Warming};

/// Why a worker cannot start, or cannot do what it is asked beside running turns.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// An arm's artifacts cannot be had.
    #[error(transparent)]
    Artifacts(#[from] ArtifactError),
    /// An arm's compiler cannot be used.
    #[error(transparent)]
    Toolchain(#[from] OpenError),
    /// An arm is out of service.
    #[error(
        "the arm {arm} is out of service on this worker, since its compiler failed a program of our own: {why}; look at the toolchain (`worker selfcheck`), then start the worker again"
    )]
    OutOfService {
        /// The arm.
        arm: Arm,
        /// What the compiler did.
        why: String,
    },
    /// A guest's native form cannot be had.
    #[error(transparent)]
    Precompile(#[from] PrecompileError),
    /// A catalogue is not the operations table's.
    #[error("the {arm} catalogue does not fit this worker: {problem}")]
    Catalogue {
        /// The arm.
        arm: Arm,
        /// The first thing that is wrong.
        problem: String,
    },
    /// Executors cannot be started.
    #[error(transparent)]
    Executor(#[from] ExecutorError),
    /// A tree cannot be stored or written out.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A home cannot be made.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The arm was not started.
    #[error("the worker was started without the arm {0}")]
    NoSuchArm(Arm),
    /// The system refused something.
    #[error("{action} failed: {source}")]
    System {
        /// What was being done.
        action: &'static str,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// An arm that the worker serves.
#[derive(Debug)]
struct ReadyArm {
    artifacts: ArtifactSet,
    catalogue: Arc<Catalogue>,
    docs: Arc<DocsIndex>,
    prepare: Arc<dyn Prepare>,
    /// Why the arm is out of service, once its compiler failed a program of our own.
    closed: OnceLock<String>,
}

impl ReadyArm {
    /// Takes the arm out of service: its turns fail from now on, so that they are placed elsewhere.
    fn close(&self, why: &str) {
        if self.closed.set(why.to_owned()).is_ok() {
            tracing::error!(why, "an arm is out of service: its compiler failed a program of our own");
        }
    }
}

/// A worker.
#[derive(Debug)]
pub struct Worker {
    settings: WorkerSettings,
    objects: Objects,
    arms: BTreeMap<Arm, ReadyArm>,
    nursery: Nursery,
    /// What preparations have in common.
    site: Site,
    /// What arms do once, off the path of turns.
    _warming: Warming,
    /// How executors are confined, once it is known what the system gives.
    isolation: OnceLock<Isolation>,
    homes: Mutex<Homes>,
}

/// The homes of a worker's agents. One that is being used is taken out, so that an agent has one turn at a time.
#[derive(Debug, Default)]
struct Homes {
    idle: HashMap<(RunId, AgentId), IdleHome>,
    uses: u64,
}

#[derive(Debug)]
struct IdleHome {
    home: Home,
    last_use: u64,
}

impl Worker {
    /// Starts a worker for these arms: their artifacts are found or built, their guests compiled for this machine once and
    /// mapped, and executors started ahead of need.
    pub fn start(settings: WorkerSettings, objects: Objects, arms: &[Arm]) -> Result<Arc<Worker>, WorkerError> {
        descriptors::raise();
        let artifacts = Artifacts::new(&settings.artifacts, Some(objects.clone()));
        let precompiled = Precompiled::open(&settings.precompiled)?;
        let mut ready = BTreeMap::new();
        let mut guests = Vec::new();
        for arm in arms {
            let set = artifacts.find(*arm)?;
            guests.push(match language(*arm).guest() {
                language::Guest::Prebuilt => Guest::new(*arm, precompiled.get(&set.path("guest.wasm"))?),
                language::Guest::None => Guest::none(*arm, settings.turn_engine),
            });
            let prepare: Arc<dyn Prepare> = language(*arm).open(&set, &settings.places)?.into();
            let catalogue = set.catalogue()?;
            if let Some(problem) = catalogue.problems().first() {
                return Err(WorkerError::Catalogue { arm: *arm, problem: problem.to_string() });
            }
            let docs = Arc::new(DocsIndex::new(&catalogue));
            let (catalogue, closed) = (Arc::new(catalogue), OnceLock::new());
            ready.insert(*arm, ReadyArm { artifacts: set, catalogue, docs, prepare, closed });
        }
        let nursery = Nursery::start(settings.executor_program.clone(), guests, settings.spare_executors)
            .map_err(|source| WorkerError::System { action: "starting the nursery's thread", source })?;
        let site = Site::of(&settings);
        let warm_ups = ready.iter().map(|(arm, ready)| {
            let prepare = ready.prepare.clone();
            (*arm, Box::new(move |site: &Site| prepare.warm_prepare(site)) as WarmUp)
        });
        let warming = Warming::start(&site, warm_ups.collect());
        Ok(Arc::new(Worker {
            settings,
            objects,
            arms: ready,
            nursery,
            site,
            _warming: warming,
            isolation: OnceLock::new(),
            homes: Mutex::default(),
        }))
    }

    /// The store that trees and bodies go to.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Its name.
    pub fn id(&self) -> &WorkerId {
        &self.settings.id
    }

    /// Turns that it runs at once.
    pub fn slots(&self) -> usize {
        self.settings.slots
    }

    /// Runs one turn to its end. Blocks; call it from a thread of its own. A panic within is the farm's failure of that
    /// turn alone.
    pub fn run_turn(&self, job: &TurnJob) -> TurnResult {
        turn::run(self, job)
    }

    /// The surface of an arm's SDK.
    pub fn catalogue(&self, arm: Arm) -> Result<Arc<Catalogue>, WorkerError> {
        self.arm(arm).map(|ready| ready.catalogue.clone())
    }

    fn arm(&self, arm: Arm) -> Result<&ReadyArm, WorkerError> {
        self.arms.get(&arm).ok_or(WorkerError::NoSuchArm(arm))
    }

    /// What turns run on, with the artifact digests of the arms named.
    pub fn platform(&self, arms: &[Arm]) -> Result<Platform, WorkerError> {
        let mut artifacts = BTreeMap::new();
        for arm in arms {
            artifacts.insert(arm.id().to_owned(), self.arm(*arm)?.artifacts.files().clone());
        }
        Ok(Platform {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            artifacts,
            engine: format!("wasmtime {}", crate::executor::engine::VERSION),
            cpu: cpu_model(),
            kernel: rustix::system::uname().release().to_string_lossy().into_owned(),
        })
    }

    /// Stores a folder as a tree and gives its key. Where limits are given, a folder that holds more than they allow is
    /// refused before anything is stored.
    pub fn import_tree(&self, folder: &Path, limits: Option<&Limits>) -> Result<ContentKey, WorkerError> {
        let mut cache = ScanCache::new();
        if let Some(limits) = limits.map(TreeLimits::from) {
            limits.check(&tree::usage(folder, &limits)?)?;
        }
        Ok(tree::snapshot(folder, &self.objects, &TreeLimits::UNBOUNDED, &mut cache)?.key)
    }

    /// Writes a tree into a folder, which is made if it is missing and becomes exactly the tree.
    pub fn export_tree(&self, tree: &ContentKey, folder: &Path) -> Result<(), WorkerError> {
        tree::restore(tree, &self.objects, folder, &TreeLimits::UNBOUNDED, None)?;
        Ok(())
    }

    /// Changes in a folder what differs between the tree that it was and the tree that it is to be.
    pub fn apply_tree(&self, before: &ContentKey, after: &ContentKey, folder: &Path) -> Result<(), WorkerError> {
        Ok(tree::apply(before, after, &self.objects, folder)?)
    }

    /// Ends an agent: its executor, its home.
    pub fn release_agent(&self, run: &RunId, agent: &AgentId) {
        let home = self.lock_homes().idle.remove(&(run.clone(), agent.clone()));
        drop(home);
    }

    /// What the worker keeps free on the disk that homes lie on, in bytes.
    fn disk_reserve(&self) -> u64 {
        // Asked each time, since the folder is made with the first home.
        disk::reserve(&self.settings.homes, self.settings.disk_reserve_bytes).unwrap_or(0)
    }

    fn lock_homes(&self) -> MutexGuard<'_, Homes> {
        self.homes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an agent's home, or makes an empty one.
    fn take_home(&self, job: &TurnJob) -> Result<Home, HomeError> {
        if let Some(idle) = self.lock_homes().idle.remove(&(job.run.clone(), job.agent.clone())) {
            return Ok(idle.home);
        }
        let homes = &self.settings.homes;
        let slot = Slot::take(homes, self.settings.base_uid).map_err(|source| HomeError::Io {
            action: "making a home in",
            path: homes.clone(),
            source,
        })?;
        Home::make(slot)
    }

    /// Gives a home back, and ends the executors beyond the bound that were used longest ago.
    fn keep_home(&self, job: &TurnJob, home: Home) {
        let mut homes = self.lock_homes();
        homes.uses += 1;
        let last_use = homes.uses;
        homes.idle.insert((job.run.clone(), job.agent.clone()), IdleHome { home, last_use });
        let mut held: Vec<(u64, (RunId, AgentId))> = homes
            .idle
            .iter()
            .filter(|(_, idle)| idle.home.executor.is_some())
            .map(|(agent, idle)| (idle.last_use, agent.clone()))
            .collect();
        if held.len() <= self.settings.executors {
            return;
        }
        held.sort_unstable();
        let surplus = held.len() - self.settings.executors;
        let ended: Vec<_> = held[..surplus]
            .iter()
            .filter_map(|(_, agent)| homes.idle.get_mut(agent).and_then(|idle| idle.home.executor.take()))
            .collect();
        drop(homes);
        drop(ended);
    }
}

fn cpu_model() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim()));
    model.unwrap_or(std::env::consts::ARCH).to_owned()
}
