//! A worker in a process of its own. It reads how it is to be started and then jobs, a line of JSON each, and says what came
//! of them in the same way. Executors are started as this program again.

use gg_common::folders::CacheRoot;
use gg_common::job::{TurnJob, WorkerId};
use gg_common::objects::{Durability, Objects};
use gg_tests::ground::{Said, WorkerSpec};
use gg_worker::{Worker, WorkerSettings};
use std::io::Write;
use std::sync::Arc;

fn main() {
    gg_worker::executor::run_if_asked();
    let mut lines = std::io::stdin().lines().map_while(Result::ok);
    let spec = lines.next().unwrap_or_default();
    let worker = match start(&spec) {
        Ok(worker) => worker,
        Err(reason) => return say(&Said::Failed(reason)),
    };
    say(&Said::Ready);
    std::thread::scope(|scope| {
        for line in lines {
            let worker = worker.clone();
            scope.spawn(move || match serde_json::from_str::<TurnJob>(&line) {
                Ok(job) => say(&Said::Result(Box::new(worker.run_turn(&job)))),
                Err(error) => say(&Said::Failed(error.to_string())),
            });
        }
    });
}

fn say(said: &Said) {
    let line = serde_json::to_string(said).unwrap_or_default();
    let mut out = std::io::stdout().lock();
    // Who listens is gone: then so is the reason to speak.
    drop(writeln!(out, "{line}").and_then(|()| out.flush()));
}

fn start(spec: &str) -> Result<Arc<Worker>, String> {
    let spec: WorkerSpec = serde_json::from_str(spec).map_err(|error| error.to_string())?;
    let root = CacheRoot(spec.root);
    let mut settings = WorkerSettings::under(&root, WorkerId("attacked".into()));
    settings.isolation = Some(spec.isolation);
    settings.landlock_abi = spec.landlock_abi;
    settings.children.landlock_abi = spec.landlock_abi.and_then(|abi| u8::try_from(abi).ok());
    settings.base_uid = spec.base_uid;
    settings.spare_executors = spec.spare_executors;
    if let Some(program) = spec.executor_program {
        settings.executor_program = program;
    }
    let objects = Objects::in_folder(&root.objects(), Durability::Cached).map_err(|error| error.to_string())?;
    Worker::start(settings, objects, &spec.arms).map_err(|error| error.to_string())
}
