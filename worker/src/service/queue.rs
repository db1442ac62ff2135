//! The worker on its queues: it takes a turn only when it can start it at once, and acknowledges it after its result went
//! out.

use super::Worker;
use gg_common::arm::Arm;
use gg_common::job::TurnJob;
use gg_common::queue::{Delivery, Queue, QueueError, place_queue, worker_queue};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Takes turns from the place queues of `arms` and from the worker's own queue until the queues are closed; each result
/// goes to the queue that its job names.
pub async fn serve(worker: Arc<Worker>, queue: Arc<dyn Queue>, arms: Vec<Arm>) {
    let slots = Arc::new(Semaphore::new(worker.slots()));
    let mut consumers = JoinSet::new();
    for name in arms.into_iter().map(place_queue).chain([worker_queue(worker.id())]) {
        consumers.spawn(consume(worker.clone(), queue.clone(), name, slots.clone()));
    }
    while let Some(ended) = consumers.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a consumer of the worker ended badly");
        }
    }
}

async fn consume(worker: Arc<Worker>, queue: Arc<dyn Queue>, name: String, slots: Arc<Semaphore>) {
    let mut turns = JoinSet::new();
    loop {
        // A slot first: what is taken is started.
        let Ok(slot) = slots.clone().acquire_owned().await else { break };
        let delivery = tokio::select! {
            delivery = queue.receive(&name) => delivery,
            // Reaps what ended, so that the set does not grow.
            Some(_) = turns.join_next(), if !turns.is_empty() => { continue }
        };
        let delivery = match delivery {
            Ok(delivery) => delivery,
            Err(QueueError::Closed(_)) => break,
            Err(error) => {
                tracing::warn!(%error, queue = name, "the worker stops consuming a queue");
                break;
            }
        };
        let (worker, queue, name) = (worker.clone(), queue.clone(), name.clone());
        turns.spawn(async move {
            take(worker, &*queue, &name, delivery).await;
            drop(slot);
        });
    }
    turns.join_all().await;
}

async fn take(worker: Arc<Worker>, queue: &dyn Queue, name: &str, delivery: Delivery) {
    let job: TurnJob = match serde_json::from_slice(&delivery.body) {
        Ok(job) => job,
        Err(error) => {
            // Whoever published it is of another version: nobody here can answer it, and again it would be the same.
            tracing::error!(%error, queue = name, "a job does not read and is dropped");
            drop(queue.acknowledge(name, delivery).await);
            return;
        }
    };
    let (reply_to, epoch) = (job.reply_to.clone(), job.epoch);
    // The turn blocks, on the executor's socket and on files: it gets a thread.
    let result = tokio::task::spawn_blocking(move || worker.run_turn(&job)).await;
    let sent = match result {
        Ok(result) => match serde_json::to_vec(&result) {
            Ok(body) => queue.publish(&reply_to, epoch, body).await.map_err(|e| e.to_string()),
            Err(error) => Err(error.to_string()),
        },
        Err(error) => Err(error.to_string()),
    };
    let closed = match sent {
        Ok(()) => queue.acknowledge(name, delivery).await,
        Err(error) => {
            tracing::warn!(%error, queue = name, "a turn's result could not be sent; the turn comes again");
            queue.give_back(name, delivery).await
        }
    };
    if let Err(error) = closed {
        tracing::debug!(%error, "the delivery was closed meanwhile");
    }
}
