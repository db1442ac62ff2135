//! Turns and results in flight. A message is delivered to one consumer at a time, and again until it is acknowledged.

mod local;

pub use local::LocalQueue;

use crate::arm::Arm;
use crate::job::WorkerId;
use async_trait::async_trait;

/// A message as a consumer receives it. Acknowledge it after its effect; one that is dropped unacknowledged comes again.
#[derive(Debug)]
pub struct Delivery {
    /// The message.
    pub body: Vec<u8>,
    /// What the message was published under; a consumer that has seen a later epoch drops it.
    pub epoch: u64,
    /// How often it was delivered, this time included.
    pub attempt: u32,
    /// Identifies the delivery to its queue.
    pub tag: u64,
}

/// Why a queue could not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// Nobody declared the queue.
    #[error("there is no queue `{0}`: its consumer is gone or was never started")]
    NoSuchQueue(String),
    /// The delivery is not open.
    #[error(
        "the delivery {tag} of the queue `{queue}` is not open: it was acknowledged, returned or taken back before"
    )]
    NotOpen {
        /// The queue.
        queue: String,
        /// The delivery.
        tag: u64,
    },
    /// The queue was closed.
    #[error("the queue `{0}` was closed")]
    Closed(String),
}

/// The queue that an agent without a home is placed by.
pub fn place_queue(arm: Arm) -> String {
    format!("gg.place.{arm}")
}

/// The queue of the agents that live on a worker.
pub fn worker_queue(worker: &WorkerId) -> String {
    format!("gg.worker.{worker}")
}

/// The queue of the results that a coordinator waits for.
pub fn results_queue(coordinator: &str) -> String {
    format!("gg.results.{coordinator}")
}

/// Turns and results in flight.
#[async_trait]
pub trait Queue: Send + Sync {
    /// Makes a queue; one that is there stays as it is.
    async fn declare(&self, queue: &str) -> Result<(), QueueError>;

    /// Puts a message into a queue; it is safe when this returns.
    async fn publish(&self, queue: &str, epoch: u64, body: Vec<u8>) -> Result<(), QueueError>;

    /// Waits for the next message of a queue.
    async fn receive(&self, queue: &str) -> Result<Delivery, QueueError>;

    /// The message had its effect: it never comes again.
    async fn acknowledge(&self, queue: &str, delivery: Delivery) -> Result<(), QueueError>;

    /// The message could not be taken: it comes again, at the head of the queue, to whoever receives next.
    async fn give_back(&self, queue: &str, delivery: Delivery) -> Result<(), QueueError>;

    /// Closes a queue: who waits on it is told, and what it holds is dropped.
    async fn close(&self, queue: &str) -> Result<(), QueueError>;
}
