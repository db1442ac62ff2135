//! A turn, from its job on the queue to its result and its line in the log, against the bare engine.

use super::bare::Bare;
use super::{Problem, setup};
use gg_common::arm::Arm;
use gg_common::event::EventBody;
use gg_common::figure::{Bound, Figure, Wanted, median, ms};
use gg_common::job::{AgentId, Body, RunId, Timings, TurnJob, TurnResult};
use gg_common::ledger::{Ledger, LocalLedger};
use gg_common::objects::{Durability, Objects};
use gg_common::outcome::Outcome;
use gg_common::profile::Profile;
use gg_common::queue::{LocalQueue, Queue, place_queue, worker_queue};
use gg_worker::Worker;
use gg_worker::language::language;
use gg_worker::service::serve;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::task::JoinHandle;

const REPLIES: &str = "gg.results.bench";

/// An embedded farm with one agent.
pub struct Farm {
    runtime: tokio::runtime::Runtime,
    queue: LocalQueue,
    ledger: LocalLedger,
    place: String,
    arm: Arm,
    run: RunId,
    seq: u64,
    last: Option<TurnResult>,
    timings: Vec<Timings>,
    queues: Vec<String>,
    served: Option<JoinHandle<()>>,
}

impl Farm {
    /// Starts one for an arm, its records beneath `folder`.
    pub fn start(arm: Arm, folder: &Path, durability: Durability) -> Result<Farm, Problem> {
        let mut settings = setup::settings()?;
        settings.homes = folder.join("homes");
        let objects = Objects::in_folder(&folder.join("objects"), durability).map_err(Problem::farm)?;
        let worker = Worker::start(settings, objects, &[arm]).map_err(Problem::farm)?;
        let runtime = tokio::runtime::Runtime::new().map_err(Problem::farm)?;
        let queue = LocalQueue::default();
        let place = place_queue(arm);
        let queues = vec![place.clone(), worker_queue(worker.id()), REPLIES.to_owned()];
        for name in &queues {
            runtime.block_on(queue.declare(name)).map_err(Problem::farm)?;
        }
        let shared: Arc<dyn Queue> = Arc::new(queue.clone());
        let served = Some(runtime.spawn(serve(worker, shared, vec![arm])));
        let ledger = LocalLedger::new(&folder.join("runs"), durability);
        let (run, timings) = (RunId("bench".into()), Vec::new());
        Ok(Farm { runtime, queue, ledger, place, arm, run, seq: 0, last: None, timings, queues, served })
    }

    /// Where the time of the turns went, in medians.
    fn parts(&self) -> String {
        let of = |part: fn(&Timings) -> f64| {
            let mut times: Vec<f64> = self.timings.iter().map(part).collect();
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).copied().unwrap_or_default()
        };
        format!(
            "instantiate {:.3}, guest {:.3}, calls {:.3}, snapshot {:.3}",
            of(|t| t.compile_wait_ms),
            of(|t| t.duration_ms),
            of(|t| t.calls_ms),
            of(|t| t.snapshot_ms)
        )
    }

    /// Runs a turn and gives what it took, its line in the log included.
    pub fn turn(&mut self, program: &str) -> Result<Duration, Problem> {
        let turn = self.last.as_ref().map_or(1, |last| last.turn + 1);
        let job = TurnJob {
            version: gg_common::FORMAT_VERSION,
            run: self.run.clone(),
            agent: AgentId("main".into()),
            epoch: 1,
            turn,
            source: Body::Inline(program.to_owned()),
            profile: Profile::with_everything(self.arm),
            tree: self.last.as_ref().and_then(|last| last.tree),
            state: Default::default(),
            reply_to: REPLIES.to_owned(),
            wall_left_ms: None,
            trace: None,
        };
        let name = self.last.as_ref().map_or_else(|| self.place.clone(), |last| worker_queue(&last.worker));
        let started = Instant::now();
        let result = self.runtime.block_on(async {
            let body = serde_json::to_vec(&job).map_err(Problem::farm)?;
            self.queue.publish(&name, 1, body).await.map_err(Problem::farm)?;
            let delivery = self.queue.receive(REPLIES).await.map_err(Problem::farm)?;
            let result: TurnResult = serde_json::from_slice(&delivery.body).map_err(Problem::farm)?;
            let event = EventBody::execution(result.clone(), 0);
            self.ledger.append(&self.run, self.seq, 0, event).await.map_err(Problem::farm)?;
            self.queue.acknowledge(REPLIES, delivery).await.map_err(Problem::farm)?;
            Ok::<_, Problem>(result)
        })?;
        let took = started.elapsed();
        self.seq += 1;
        if result.outcome != Outcome::Completed {
            return Err(Problem::farm(format!("the {} program ended as {:?}", self.arm, result.outcome)));
        }
        self.timings.push(result.timings);
        self.last = Some(result);
        Ok(took)
    }
}

impl Drop for Farm {
    fn drop(&mut self) {
        for name in &self.queues {
            drop(self.runtime.block_on(self.queue.close(name)));
        }
        // Its homes are beneath a folder that goes next.
        if let Some(served) = self.served.take() {
            drop(self.runtime.block_on(served));
        }
    }
}

/// Rounds of each, in turn, so that the machine's drift meets both alike.
const ROUNDS: usize = 40;
const RUNS_A_ROUND: usize = 10;

/// What the farm's files lie on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Memory, where there is a file system of memory: the bounds are on what the farm does. What the disk's file system
    /// takes is another's, and differs by ten times between machines and minutes: an inode made on an ext4 without a
    /// journal costs 30 to 600 µs, by how many were freed lately.
    Memory,
    /// The cache root's disk.
    Disk,
}

impl Place {
    fn folder(self) -> Result<TempDir, Problem> {
        let memory = Path::new("/dev/shm");
        match self {
            Place::Memory if memory.is_dir() => tempfile::tempdir_in(memory).map_err(Problem::farm),
            _ => setup::bench_folder(),
        }
    }
}

struct Row {
    name: &'static str,
    program: &'static str,
    place: Place,
    durability: Durability,
    bound: Bound,
    what: &'static str,
}

fn rows(arm: Arm) -> Vec<Row> {
    let hello = language(arm).hello_program();
    let ([hello_name, write_name, calls_name, disk_name, synced_name], hello_bound, write, calls) = match arm {
        Arm::Javascript => (
            [
                "turn_javascript_hello",
                "turn_javascript_write",
                "turn_javascript_calls",
                "turn_javascript_disk",
                "turn_javascript_synced",
            ],
            1.8,
            "import { writeFile } from \"gg/files\";\nwriteFile(\"a.txt\", String(Math.random()).padEnd(1024, \"x\"));\n",
            "import { listDir } from \"gg/files\";\nfor (let i = 0; i < 10; i++) listDir();\nconsole.log(\"hello\");\n",
        ),
        Arm::Python => (
            ["turn_python_hello", "turn_python_write", "turn_python_calls", "turn_python_disk", "turn_python_synced"],
            1.5,
            "import random\nfrom gg import files\nfiles.write_file(\"a.txt\", str(random.random()).ljust(1024, \"x\"))\n",
            "from gg import files\nfor _ in range(10):\n    files.list_dir()\nprint(\"hello\")\n",
        ),
        // They are held to their bare compilers elsewhere.
        Arm::Typescript | Arm::Rust => return Vec::new(),
    };
    let in_memory = |name, program, bound, what| Row {
        name,
        program,
        place: Place::Memory,
        durability: Durability::Cached,
        bound,
        what,
    };
    let on_disk =
        |name, durability, what| Row { name, program: write, place: Place::Disk, durability, bound: Bound::None, what };
    vec![
        in_memory(hello_name, hello, Bound::AtMost(hello_bound), "hello"),
        in_memory(write_name, write, Bound::AtMost(2.5), "a turn that writes one 1 KiB file"),
        in_memory(calls_name, calls, Bound::None, "hello with ten gg calls"),
        on_disk(disk_name, Durability::Cached, "a turn that writes one 1 KiB file, its files on the disk"),
        on_disk(synced_name, Durability::Synced, "the same, objects and log synced to the device"),
    ]
}

/// Measures the rows of both arms.
pub fn measure(wanted: &Wanted) -> Result<Vec<Figure>, Problem> {
    let mut figures = Vec::new();
    // Removed at the end: on some file systems removing slows down what is made next.
    let mut folders = Vec::new();
    for arm in Arm::ALL {
        let rows: Vec<Row> = rows(arm).into_iter().filter(|row| wanted.has(row.name)).collect();
        if rows.is_empty() {
            continue;
        }
        let folder = setup::bench_folder()?;
        let bare = Bare::new(arm, &folder.path().join("bare"))?;
        let hello = language(arm).hello_program();
        for row in rows {
            let place = row.place.folder()?;
            let mut farm = Farm::start(arm, place.path(), row.durability)?;
            for _ in 0..20 {
                bare.run(hello)?;
                farm.turn(row.program)?;
            }
            let (mut alone, mut whole) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                for _ in 0..RUNS_A_ROUND {
                    alone.push(bare.run(hello)?);
                }
                for _ in 0..RUNS_A_ROUND {
                    whole.push(farm.turn(row.program)?);
                }
            }
            let (alone, whole) = (median(alone), median(whole));
            let parts = farm.parts();
            figures.push(Figure {
                name: row.name,
                value: whole.as_secs_f64() / alone.as_secs_f64(),
                unit: "ratio",
                bound: row.bound,
                note: format!("{}: {:.3} ms ({parts}), bare hello {:.3} ms (medians)", row.what, ms(whole), ms(alone)),
            });
            drop(farm);
            folders.push(place);
        }
        folders.push(folder);
    }
    Ok(figures)
}
