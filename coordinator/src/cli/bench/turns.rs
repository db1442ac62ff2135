//! The loop's own time of a turn: all but the model, the worker and the wait for the device.
//!
//! It is what is left of a turn between one request of the model and the next without the model's answer and without what
//! the worker takes, from the job being in its queue to the result being handed to the results' queue. So rendering,
//! records, jobs made, results read, and the way from thread to thread are the loop's.

use super::place::{On, Place};
use super::script::{ARM, Run, Script, plan};
use super::{BenchArgs, runtime};
use crate::agent::{Interrupt, Observer, Stage};
use crate::clock::SystemClock;
use crate::embedded::{Embedded, Options};
use crate::model::{Model, ModelError, ModelReply, Request};
use crate::records::RunFolder;
use async_trait::async_trait;
use gg_common::figure::{Bound, Figure, median, ms};
use gg_common::ledger::LocalLedger;
use gg_common::objects::Durability;
use gg_common::queue::{Delivery, LocalQueue, Queue, QueueError, results_queue};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

pub(super) const LOOP: &str = "loop_ms_a_turn";
pub(super) const SYNCED: &str = "loop_synced_ms_a_turn";

const TURNS: u32 = 220;
/// The first are not counted: executor and caches are cold.
const COLD: usize = 20;

/// Measures both.
pub(super) fn measure(_: &BenchArgs) -> Result<Vec<Figure>, String> {
    let in_memory = laps(On::Memory, Durability::Cached)?;
    let synced = laps(On::Disk, Durability::Synced)?;
    let figure = |name, laps: &[Lap], bound, what: &str| {
        let of = |part: fn(&Lap) -> Duration| ms(median(laps.iter().map(part).collect()));
        let value = of(Lap::whole);
        let note = format!(
            "{what}: {:.3} ms from one request of the model to the next, of which the worker {:.3}; the loop {:.3} to \
             the job and {:.3} from the result (medians of {} turns)",
            of(|lap| lap.before + lap.worker + lap.after),
            of(|lap| lap.worker),
            of(|lap| lap.before),
            of(|lap| lap.after),
            laps.len()
        );
        Figure { name, value, unit: "ms", bound, note }
    };
    Ok(vec![
        figure(LOOP, &in_memory, Bound::AtMost(1.0), "records and objects in memory, so that no disk is waited for"),
        figure(SYNCED, &synced, Bound::None, "the same on the disk, log and objects synced to the device"),
    ])
}

fn laps(on: On, durability: Durability) -> Result<Vec<Lap>, String> {
    let place = Place::make(on)?;
    let watch = Arc::new(Stopwatch::default());
    runtime()?.block_on(async {
        let ledger = LocalLedger::new(&place.runs(), durability);
        let clock = SystemClock::default();
        let folder = RunFolder::make(&place.runs(), &clock).map_err(|error| error.to_string())?;
        let queue =
            TimedQueue { queue: LocalQueue::default(), results: results_queue(&folder.run().0), watch: watch.clone() };
        let options = Options { durability, queue: Arc::new(queue), ..Options::default() };
        let embedded =
            Embedded::start_with(&place.root(), ledger, &[ARM], options).await.map_err(|error| error.to_string())?;
        let model = TimedModel { script: Script { turns: TURNS, gates: Vec::new() }, watch: watch.clone() };
        let (_asked, interrupt) = watch::channel(Interrupt::None);
        let run = Run {
            house: embedded.house(),
            model: &model,
            plan: &plan(),
            folder: &folder,
            clock: &clock,
            observer: &*watch,
        };
        let ran = run.finish(TURNS, interrupt).await;
        embedded.stop().await;
        ran
    })?;
    let laps = watch.lock().laps.split_off(COLD);
    Ok(laps)
}

/// Where the time of a turn went.
#[derive(Debug, Clone, Copy)]
struct Lap {
    /// From the request of the model to the job being in its queue, without the model.
    before: Duration,
    worker: Duration,
    /// From the result to the next request.
    after: Duration,
}

impl Lap {
    fn whole(&self) -> Duration {
        self.before + self.after
    }
}

/// The marks of the turn that is open, and the turns that were.
#[derive(Debug, Default)]
struct Marks {
    asking: Option<Instant>,
    model: Duration,
    sent: Option<Instant>,
    came: Option<Instant>,
    laps: Vec<Lap>,
}

#[derive(Debug, Default)]
struct Stopwatch(Mutex<Marks>);

impl Stopwatch {
    fn lock(&self) -> MutexGuard<'_, Marks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Stopwatch {
    fn stage(&self, stage: &Stage<'_>) {
        if !matches!(stage, Stage::Asking(..)) {
            return;
        }
        let now = Instant::now();
        let mut marks = self.lock();
        if let (Some(asking), Some(sent), Some(came)) = (marks.asking, marks.sent.take(), marks.came.take()) {
            let before = (sent - asking).saturating_sub(marks.model);
            let (worker, after) = (came.saturating_duration_since(sent), now - came.max(sent));
            marks.laps.push(Lap { before, worker, after });
        }
        marks.asking = Some(now);
    }
}

struct TimedModel {
    script: Script,
    watch: Arc<Stopwatch>,
}

#[async_trait]
impl Model for TimedModel {
    async fn reply(&self, request: Request<'_>) -> Result<Option<ModelReply>, ModelError> {
        let began = Instant::now();
        let reply = self.script.reply(request).await;
        self.watch.lock().model = began.elapsed();
        reply
    }
}

/// Notes when the job is in its queue, and when its result comes.
struct TimedQueue {
    queue: LocalQueue,
    results: String,
    watch: Arc<Stopwatch>,
}

#[async_trait]
impl Queue for TimedQueue {
    async fn declare(&self, queue: &str) -> Result<(), QueueError> {
        self.queue.declare(queue).await
    }

    async fn publish(&self, queue: &str, epoch: u64, body: Vec<u8>) -> Result<(), QueueError> {
        if queue == self.results {
            self.watch.lock().came = Some(Instant::now());
            return self.queue.publish(queue, epoch, body).await;
        }
        let published = self.queue.publish(queue, epoch, body).await;
        self.watch.lock().sent = Some(Instant::now());
        published
    }

    async fn receive(&self, queue: &str) -> Result<Delivery, QueueError> {
        self.queue.receive(queue).await
    }

    async fn acknowledge(&self, queue: &str, delivery: Delivery) -> Result<(), QueueError> {
        self.queue.acknowledge(queue, delivery).await
    }

    async fn give_back(&self, queue: &str, delivery: Delivery) -> Result<(), QueueError> {
        self.queue.give_back(queue, delivery).await
    }

    async fn close(&self, queue: &str) -> Result<(), QueueError> {
        self.queue.close(queue).await
    }
}
