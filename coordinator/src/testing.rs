//! What the tests of this crate share: catalogues of a real shape, and a farm whose worker is a function.

pub(crate) mod events;

use crate::clock::Clock;
use crate::farm::{Farm, FarmError, House};
use async_trait::async_trait;
use gg_common::arm::Arm;
use gg_common::catalogue::{Catalogue, Entry, EntryKind, Module};
use gg_common::check::{CheckEnd, CheckJob, CheckResult};
use gg_common::content::ContentKey;
use gg_common::event::Platform;
use gg_common::job::{AgentId, Body, Effect, RunId, Timings, TurnJob, TurnResult, View, ViewKind, WorkerId};
use gg_common::ledger::LocalLedger;
use gg_common::limits::Limits;
use gg_common::memory_store::LocalMemoryStores;
use gg_common::objects::{Durability, Objects};
use gg_common::operation::TABLE;
use gg_common::outcome::Outcome;
use gg_common::queue::{LocalQueue, Queue, place_queue, worker_queue};
use gg_common::tokens;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::task::JoinSet;

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

fn separator(arm: Arm) -> &'static str {
    match arm {
        Arm::Javascript | Arm::Python | Arm::Typescript => ".",
        Arm::Rust => "::",
    }
}

/// A catalogue of the shape that an arm's reflector gives.
pub(crate) fn catalogue(arm: Arm) -> Catalogue {
    let spell = |name: &str| match arm {
        Arm::Python | Arm::Rust => name.to_owned(),
        Arm::Javascript | Arm::Typescript => camel(name),
    };
    let entries = TABLE.iter().map(|row| {
        let name = spell(row.key);
        let key = format!("{}{}{name}", row.module, separator(arm));
        Entry {
            signature: format!("{key}(…)"),
            key,
            operation: Some(row.operation.id().to_owned()),
            kind: EntryKind::Operation,
            module: row.module.to_owned(),
            name,
            summary: "Does what it says.".to_owned(),
            documentation: "Does what it says.".to_owned(),
            parameters: vec![],
            returns: None,
            types: vec![],
            fields: vec![],
            variants: vec![],
        }
    });
    let names: BTreeSet<&str> = TABLE.iter().map(|row| row.module).chain(["core"]).collect();
    let modules = names.into_iter().map(|name| Module {
        name: name.to_owned(),
        import: match arm {
            Arm::Python => format!("from gg import {name}"),
            Arm::Rust => format!("use gg::{name};"),
            Arm::Javascript | Arm::Typescript => format!("import * as {name} from \"gg/{name}\";"),
        },
        summary: match name {
            "core" => "The types that other modules name.".to_owned(),
            "files" => "Files of the agent's tree.".to_owned(),
            _ => "What it is for, in a sentence.".to_owned(),
        },
    });
    Catalogue {
        version: gg_common::FORMAT_VERSION,
        arm,
        member_separator: separator(arm).to_owned(),
        modules: modules.collect(),
        entries: entries.collect(),
    }
}

/// A clock whose time of day goes back by an hour whenever it is asked, as when it is set anew.
#[derive(Debug, Default)]
pub(crate) struct BackwardClock(TestClock);

impl Clock for BackwardClock {
    fn unix_ms(&self) -> u64 {
        self.0.advance_ms(1);
        1_785_334_953_042 - 3_600_000 * self.0.monotonic_ms()
    }

    fn monotonic_ms(&self) -> u64 {
        self.0.monotonic_ms()
    }
}

/// A clock that a test moves.
#[derive(Debug, Default)]
pub(crate) struct TestClock(AtomicU64);

impl TestClock {
    pub(crate) fn advance_ms(&self, ms: u64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn unix_ms(&self) -> u64 {
        1_785_334_953_042 + self.0.load(Ordering::SeqCst)
    }

    fn monotonic_ms(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A turn that completed and did nothing.
pub(crate) fn completed(job: &TurnJob) -> TurnResult {
    TurnResult {
        version: gg_common::FORMAT_VERSION,
        run: job.run.clone(),
        agent: job.agent.clone(),
        epoch: job.epoch,
        turn: job.turn,
        worker: WorkerId("w1".to_owned()),
        outcome: Outcome::Completed,
        effects: vec![],
        calls: vec![],
        refusals: vec![],
        log: Body::Inline(String::new()),
        log_dropped_bytes: 0,
        stderr: String::new(),
        unconfined: false,
        returned: None,
        followed: Vec::new(),
        tree: job.tree,
        timings: Timings { duration_ms: 2.0, compile_wait_ms: 0.5, ..Timings::default() },
    }
}

pub(crate) fn view(selector: &str, region: Option<&str>, body: &str) -> Effect {
    Effect::ViewOpened {
        view: View {
            kind: if region.is_some() { ViewKind::File } else { ViewKind::Text },
            selector: selector.to_owned(),
            region: region.map(str::to_owned),
            tokens: tokens::estimate(body),
            body: Body::Inline(body.to_owned()),
        },
    }
}

/// The program of a job.
pub(crate) fn source(job: &TurnJob) -> &str {
    match &job.source {
        Body::Inline(text) => text,
        Body::Object { .. } => "",
    }
}

/// A farm on local queues whose worker `w1` answers by a function, and notes which queue each turn came by.
pub(crate) struct TestFarm {
    pub(crate) house: House,
    pub(crate) queue: LocalQueue,
    pub(crate) came_by: Arc<Mutex<Vec<String>>>,
    _workers: JoinSet<()>,
}

type Answer = dyn Fn(&TurnJob) -> Vec<TurnResult> + Send + Sync;

impl TestFarm {
    /// A farm with its objects and runs under `folder`. The worker sends whatever results `answer` gives.
    pub(crate) async fn start(folder: &Path, answer: Arc<Answer>) -> TestFarm {
        let queue = LocalQueue::default();
        let came_by = Arc::new(Mutex::new(Vec::new()));
        let mut workers = JoinSet::new();
        let names = [place_queue(Arm::Python), place_queue(Arm::Javascript), worker_queue(&WorkerId("w1".to_owned()))];
        for name in names {
            queue.declare(&name).await.expect("declare");
            let (queue, answer, came_by) = (queue.clone(), answer.clone(), came_by.clone());
            workers.spawn(async move {
                while let Ok(delivery) = queue.receive(&name).await {
                    let job: TurnJob = serde_json::from_slice(&delivery.body).expect("a job");
                    assert_eq!(delivery.epoch, job.epoch);
                    came_by.lock().expect("lock").push(name.clone());
                    for result in answer(&job) {
                        let body = serde_json::to_vec(&result).expect("json");
                        queue.publish(&job.reply_to, result.epoch, body).await.expect("publish");
                    }
                    queue.acknowledge(&name, delivery).await.expect("acknowledge");
                }
            });
        }
        let house = House {
            queue: Arc::new(queue.clone()),
            ledger: Arc::new(LocalLedger::new(&folder.join("runs"), Durability::Cached)),
            objects: Objects::in_folder(&folder.join("objects"), Durability::Cached).expect("objects"),
            memories: Arc::new(LocalMemoryStores::new(&folder.join("memories"))),
            farm: Arc::new(TestHouse),
        };
        TestFarm { house, queue, came_by, _workers: workers }
    }
}

#[derive(Debug)]
struct TestHouse;

#[async_trait]
impl Farm for TestHouse {
    async fn catalogue(&self, arm: Arm) -> Result<Arc<Catalogue>, FarmError> {
        Ok(Arc::new(catalogue(arm)))
    }

    async fn platform(&self, _arms: &[Arm]) -> Result<Platform, FarmError> {
        Ok(Platform {
            version: "0.1.0".to_owned(),
            artifacts: Default::default(),
            engine: "a function".to_owned(),
            cpu: "any".to_owned(),
            kernel: "any".to_owned(),
        })
    }

    async fn import_tree(&self, folder: &Path, _limits: Option<&Limits>) -> Result<ContentKey, FarmError> {
        Ok(ContentKey::of(folder.as_os_str().as_encoded_bytes()))
    }

    async fn export_tree(&self, tree: &ContentKey, folder: &Path) -> Result<(), FarmError> {
        std::fs::create_dir(folder)
            .and_then(|()| std::fs::write(folder.join("key"), tree.to_string()))
            .map_err(|error| FarmError(error.to_string()))
    }

    /// Leaves with the status that the command is.
    async fn check(&self, job: CheckJob) -> CheckResult {
        match job.check.command.parse() {
            Ok(status) => {
                let end = CheckEnd::Exited { status };
                CheckResult { verdict: end.verdict(), end, ..CheckResult::not_run(None, "") }
            }
            Err(_) => CheckResult::not_run(None, job.check.command),
        }
    }

    async fn release_agent(&self, _run: &RunId, _agent: &AgentId) {}
}
