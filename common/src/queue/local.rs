//! The queue within one process.

use super::{Delivery, Queue, QueueError};
use async_trait::async_trait;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

#[derive(Debug, Clone)]
struct Message {
    body: Vec<u8>,
    epoch: u64,
    attempt: u32,
}

#[derive(Debug, Default)]
struct One {
    waiting: VecDeque<Message>,
    open: BTreeMap<u64, Message>,
    next_tag: u64,
    bell: Arc<Notify>,
}

/// Queues within one process. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct LocalQueue {
    queues: Arc<Mutex<HashMap<String, One>>>,
}

impl LocalQueue {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, One>> {
        // A panic elsewhere leaves the maps whole: every change below is a single push, pop or insert.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, queue: &str, f: impl FnOnce(&mut One) -> T) -> Result<T, QueueError> {
        self.lock().get_mut(queue).map(f).ok_or_else(|| QueueError::NoSuchQueue(queue.to_owned()))
    }

    fn close_delivery(&self, queue: &str, tag: u64) -> Result<Message, QueueError> {
        self.with(queue, |one| one.open.remove(&tag))?
            .ok_or_else(|| QueueError::NotOpen { queue: queue.to_owned(), tag })
    }
}

#[async_trait]
impl Queue for LocalQueue {
    async fn declare(&self, queue: &str) -> Result<(), QueueError> {
        self.lock().entry(queue.to_owned()).or_default();
        Ok(())
    }

    async fn publish(&self, queue: &str, epoch: u64, body: Vec<u8>) -> Result<(), QueueError> {
        self.with(queue, |one| {
            one.waiting.push_back(Message { body, epoch, attempt: 0 });
            one.bell.notify_one();
        })
    }

    async fn receive(&self, queue: &str) -> Result<Delivery, QueueError> {
        let mut waited = false;
        loop {
            let taken = self.with(queue, |one| match one.waiting.pop_front() {
                Some(mut message) => {
                    message.attempt += 1;
                    let tag = one.next_tag;
                    one.next_tag += 1;
                    one.open.insert(tag, message.clone());
                    if !one.waiting.is_empty() {
                        one.bell.notify_one();
                    }
                    Ok(Delivery { body: message.body, epoch: message.epoch, attempt: message.attempt, tag })
                }
                None => Err(one.bell.clone()),
            });
            match taken {
                Ok(Ok(delivery)) => return Ok(delivery),
                Ok(Err(bell)) => {
                    waited = true;
                    bell.notified().await;
                }
                Err(QueueError::NoSuchQueue(name)) if waited => return Err(QueueError::Closed(name)),
                Err(error) => return Err(error),
            }
        }
    }

    async fn acknowledge(&self, queue: &str, delivery: Delivery) -> Result<(), QueueError> {
        self.close_delivery(queue, delivery.tag).map(drop)
    }

    async fn give_back(&self, queue: &str, delivery: Delivery) -> Result<(), QueueError> {
        let message = self.close_delivery(queue, delivery.tag)?;
        self.with(queue, |one| {
            one.waiting.push_front(message);
            one.bell.notify_one();
        })
    }

    async fn close(&self, queue: &str) -> Result<(), QueueError> {
        let one = self.lock().remove(queue).ok_or_else(|| QueueError::NoSuchQueue(queue.to_owned()))?;
        one.bell.notify_waiters();
        one.bell.notify_one();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn messages_come_in_order_and_once_when_acknowledged() {
        let queue = LocalQueue::default();
        queue.declare("q").await.expect("declare");
        for n in 1..=3u8 {
            queue.publish("q", 7, vec![n]).await.expect("publish");
        }
        for n in 1..=3u8 {
            let delivery = queue.receive("q").await.expect("receive");
            assert_eq!((delivery.body.as_slice(), delivery.epoch, delivery.attempt), (&[n][..], 7, 1));
            queue.acknowledge("q", delivery).await.expect("acknowledge");
        }
        let nothing = tokio::time::timeout(Duration::from_millis(20), queue.receive("q")).await;
        assert!(nothing.is_err(), "nothing is left");
    }

    #[tokio::test]
    async fn what_is_given_back_comes_first_and_counts_its_attempts() {
        let queue = LocalQueue::default();
        queue.declare("q").await.expect("declare");
        queue.publish("q", 1, vec![1]).await.expect("publish");
        queue.publish("q", 1, vec![2]).await.expect("publish");
        let first = queue.receive("q").await.expect("receive");
        let tag = first.tag;
        queue.give_back("q", first).await.expect("give back");
        let again = queue.receive("q").await.expect("receive");
        assert_eq!((again.body.as_slice(), again.attempt), (&[1][..], 2));
        let stale = Delivery { body: vec![], epoch: 1, attempt: 1, tag };
        assert!(matches!(queue.acknowledge("q", stale).await, Err(QueueError::NotOpen { .. })));
    }

    #[tokio::test]
    async fn who_waits_is_woken_by_a_message_and_told_of_a_close() {
        let queue = LocalQueue::default();
        assert!(matches!(queue.publish("q", 0, vec![]).await, Err(QueueError::NoSuchQueue(_))));
        queue.declare("q").await.expect("declare");
        let mut waiting = tokio::task::JoinSet::new();
        waiting.spawn({
            let queue = queue.clone();
            async move { (queue.receive("q").await, queue.receive("q").await) }
        });
        tokio::task::yield_now().await;
        queue.publish("q", 0, vec![9]).await.expect("publish");
        tokio::time::sleep(Duration::from_millis(20)).await;
        queue.close("q").await.expect("close");
        let (first, second) = waiting.join_next().await.expect("a task").expect("its end");
        assert_eq!(first.expect("message").body, [9]);
        assert_eq!(second.expect_err("closed"), QueueError::Closed("q".into()));
    }
}
