//! What several commands start with: logs, and a worker over the machine's own cache.

use super::Problem;
use gg_common::arm::Arm;
use gg_common::folders::CacheRoot;
use gg_common::job::WorkerId;
use gg_common::objects::{Durability, Objects};
use gg_worker::{Worker, WorkerSettings};
use std::sync::Arc;

/// Log lines go to standard error; `RUST_LOG` chooses which.
pub fn logging() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,gg_worker=info,gg_common=info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
        .without_time()
        .with_target(false)
        .init();
}

/// The machine's cache root.
pub fn root() -> Result<CacheRoot, Problem> {
    CacheRoot::from_environment().map_err(Problem::usage)
}

/// The machine's store of objects.
pub fn objects() -> Result<Objects, Problem> {
    Objects::in_folder(&root()?.objects(), Durability::Cached).map_err(Problem::farm)
}

/// A folder for what a benchmark measures with, where homes and objects lie too.
pub fn bench_folder() -> Result<tempfile::TempDir, Problem> {
    let folder = root()?.bench();
    std::fs::create_dir_all(&folder).and_then(|()| tempfile::tempdir_in(&folder)).map_err(Problem::farm)
}

/// The settings of a worker of this process's own.
pub fn settings() -> Result<WorkerSettings, Problem> {
    let id = WorkerId(format!("local-{}", std::process::id()));
    Ok(WorkerSettings::under(&root()?, id))
}

/// A worker for these arms.
pub fn worker(settings: WorkerSettings, arms: &[Arm]) -> Result<Arc<Worker>, Problem> {
    Worker::start(settings, objects()?, arms).map_err(Problem::farm)
}
