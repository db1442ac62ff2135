//! The worker on its queues: it takes a turn only when it can start it at once, and acknowledges it after its result went
//! out.
//!
//! A turn blocks, on the executor's socket and on files, so each slot is a thread that lives as long as the worker. The
//! threads take turns at the queues: one waits there, and runs what it received itself, so that a turn changes threads
//! nowhere between the queue and its executor. Nor are they threads of the runtime: the object store, which hands each
//! file operation to a further thread when it finds itself within one, works at once.

use super::Worker;
use futures::executor::block_on;
use futures::future::select_all;
use gg_common::arm::Arm;
use gg_common::job::TurnJob;
use gg_common::queue::{Delivery, Queue, QueueError, place_queue, worker_queue};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Takes turns from the place queues of `arms` and from the worker's own queue until the queues are closed; each result
/// goes to the queue that its job names.
pub async fn serve(worker: Arc<Worker>, queue: Arc<dyn Queue>, arms: Vec<Arm>) {
    let names = arms.into_iter().map(place_queue).chain([worker_queue(worker.id())]);
    let sources = names.map(|name| Source { name, waited: false }).collect();
    let runtime = Handle::current();
    let intake = Arc::new(Intake { sources: Mutex::new(sources), queue, runtime });
    let mut ends = Vec::new();
    for index in 0..worker.slots().max(1) {
        let (worker, intake) = (worker.clone(), intake.clone());
        // Dropped when the thread ends, whatever ends it.
        let (end, ended) = oneshot::channel::<()>();
        let slot = std::thread::Builder::new().name(format!("gg-slot-{index}")).spawn(move || {
            let _end = end;
            intake.run_slot(&worker);
        });
        match slot {
            Ok(_) => ends.push(ended),
            Err(error) => tracing::error!(%error, "a slot's thread could not be started; the worker has fewer"),
        }
    }
    for ended in ends {
        drop(ended.await);
    }
}

/// One queue that turns come from.
struct Source {
    name: String,
    /// Whether it was there when it was waited on before.
    waited: bool,
}

/// Where the slots take turns.
struct Intake {
    /// The queues that are open. Who holds the lock waits on them all.
    sources: Mutex<Vec<Source>>,
    queue: Arc<dyn Queue>,
    runtime: Handle,
}

impl Intake {
    /// Runs turns, one after the other, until the queues are closed.
    fn run_slot(&self, worker: &Worker) {
        while let Some((name, delivery)) = self.next() {
            self.take(worker, &name, delivery);
        }
    }

    /// Waits for a turn of any queue, and gives the queue's name beside it; none when all are closed.
    fn next(&self) -> Option<(String, Delivery)> {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        // A queue may want timers and sockets.
        let _runtime = self.runtime.enter();
        while !sources.is_empty() {
            let waiting = sources.iter().map(|source| self.queue.receive(&source.name));
            let (received, index, others) = block_on(select_all(waiting));
            drop(others);
            let waited_before = sources[index].waited;
            sources.iter_mut().for_each(|source| source.waited = true);
            let error = match received {
                Ok(delivery) => return Some((sources[index].name.clone(), delivery)),
                Err(error) => error,
            };
            let gone = sources.remove(index).name;
            let closed = match error {
                QueueError::Closed(_) => true,
                // It was closed while nobody waited on it.
                QueueError::NoSuchQueue(_) => waited_before,
                _ => false,
            };
            if !closed {
                tracing::warn!(%error, queue = gone, "the worker stops consuming a queue");
            }
        }
        None
    }

    fn take(&self, worker: &Worker, name: &str, delivery: Delivery) {
        let queue = &*self.queue;
        let job: TurnJob = match serde_json::from_slice(&delivery.body) {
            Ok(job) => job,
            Err(error) => {
                // Whoever published it is of another version: nobody here can answer it, and again it would be the same.
                tracing::error!(%error, queue = name, "a job does not read and is dropped");
                let _runtime = self.runtime.enter();
                drop(block_on(queue.acknowledge(name, delivery)));
                return;
            }
        };
        let result = worker.run_turn(&job);
        let _runtime = self.runtime.enter();
        let closed = block_on(async {
            let sent = match serde_json::to_vec(&result) {
                Ok(body) => queue.publish(&job.reply_to, job.epoch, body).await.map_err(|e| e.to_string()),
                Err(error) => Err(error.to_string()),
            };
            match sent {
                Ok(()) => queue.acknowledge(name, delivery).await,
                Err(error) => {
                    tracing::warn!(%error, queue = name, "a turn's result could not be sent; the turn comes again");
                    queue.give_back(name, delivery).await
                }
            }
        });
        if let Err(error) = closed {
            tracing::debug!(%error, "the delivery was closed meanwhile");
        }
    }
}
