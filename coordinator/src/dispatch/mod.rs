//! Turns in flight. A turn of an agent without a home goes to its arm's place queue, every later one to the queue of the
//! worker that answered. Results come to this coordinator's own queue and are matched by run, agent, epoch and turn; what
//! nobody waits for any more (an older epoch, a turn answered twice) is dropped. A result is acknowledged after its
//! effect: by whoever waited, when it stands in the log.

use gg_common::arm::Arm;
use gg_common::job::{AgentId, RunId, TurnJob, TurnResult, WorkerId};
use gg_common::queue::{Delivery, Queue, QueueError, place_queue, results_queue, worker_queue};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// What a turn may take beyond its own wall clock before it counts as lost: restoring and storing a large tree.
const GRACE: Duration = Duration::from_secs(300);

/// Why a turn came to no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DispatchError {
    /// The queue failed.
    #[error("turn {turn} could not be sent to `{queue}`: {source}")]
    Publish {
        /// The turn.
        turn: u32,
        /// Where it was to go.
        queue: String,
        /// Why.
        #[source]
        source: QueueError,
    },
    /// The results' queue cannot be used.
    #[error("the results' queue `{queue}` cannot be used: {source}")]
    Results {
        /// The queue.
        queue: String,
        /// Why.
        #[source]
        source: QueueError,
    },
    /// The job does not travel.
    #[error("turn {turn} could not be written as a job: {source}")]
    Encode {
        /// The turn.
        turn: u32,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The results' queue was closed while the turn ran.
    #[error("turn {turn} was left without a result: the farm is closing")]
    Closed {
        /// The turn.
        turn: u32,
    },
    /// The result did not come.
    #[error(
        "turn {turn} gave no result within {} s, although its limits end it sooner: look at the worker's own log",
        waited.as_secs()
    )]
    Lost {
        /// The turn.
        turn: u32,
        /// How long it was waited for.
        waited: Duration,
    },
}

type Agent = (RunId, AgentId);

struct InFlight {
    epoch: u64,
    turn: u32,
    waiter: oneshot::Sender<Arrived>,
}

#[derive(Default)]
struct State {
    in_flight: HashMap<Agent, InFlight>,
    homes: HashMap<Agent, WorkerId>,
}

/// A result that was waited for. Give what [`Arrived::take`] leaves to [`Dispatcher::settle`] when its effect stands.
#[derive(Debug)]
pub struct Arrived {
    /// The result.
    pub result: TurnResult,
    delivery: Delivery,
}

/// The delivery of a result that is to have its effect.
#[derive(Debug)]
pub struct Unsettled(Delivery);

impl Arrived {
    /// The result, and what is to be settled.
    pub fn take(self) -> (TurnResult, Unsettled) {
        (self.result, Unsettled(self.delivery))
    }
}

/// Sends turns and matches their results.
pub struct Dispatcher {
    queue: Arc<dyn Queue>,
    results: String,
    state: Arc<Mutex<State>>,
    tasks: JoinSet<()>,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // A panic elsewhere leaves the maps whole: every change below is a single insert or remove.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Dispatcher {
    /// A dispatcher for the coordinator of this name; it listens from now on.
    pub async fn start(queue: Arc<dyn Queue>, coordinator: &str) -> Result<Dispatcher, DispatchError> {
        let results = results_queue(coordinator);
        queue.declare(&results).await.map_err(|source| DispatchError::Results { queue: results.clone(), source })?;
        let state = Arc::new(Mutex::new(State::default()));
        let mut tasks = JoinSet::new();
        tasks.spawn(listen(queue.clone(), results.clone(), state.clone()));
        Ok(Dispatcher { queue, results, state, tasks })
    }

    /// The queue that jobs name for their results.
    pub fn results(&self) -> &str {
        &self.results
    }

    /// The queue that the agent's next turn goes to.
    pub fn queue_of(&self, run: &RunId, agent: &AgentId, arm: Arm) -> String {
        match lock(&self.state).homes.get(&(run.clone(), agent.clone())) {
            Some(worker) => worker_queue(worker),
            None => place_queue(arm),
        }
    }

    /// Sends a turn and waits for its result.
    pub async fn run_turn(&self, job: &TurnJob) -> Result<Arrived, DispatchError> {
        let turn = job.turn;
        let agent = (job.run.clone(), job.agent.clone());
        let body = serde_json::to_vec(job).map_err(|source| DispatchError::Encode { turn, source })?;
        let queue = self.queue_of(&job.run, &job.agent, job.arm());
        let (waiter, arrival) = oneshot::channel();
        lock(&self.state).in_flight.insert(agent.clone(), InFlight { epoch: job.epoch, turn, waiter });
        // Whoever stops waiting takes the turn off the list, so that its result is dropped and not kept for nobody.
        let _listed = Listed { state: &self.state, agent, epoch: job.epoch, turn };
        self.queue.publish(&queue, job.epoch, body).await.map_err(|source| DispatchError::Publish {
            turn,
            queue,
            source,
        })?;
        let limit = Duration::from_millis(job.profile.limits.turn_wall_ms) + GRACE;
        match tokio::time::timeout(limit, arrival).await {
            Ok(Ok(arrived)) => Ok(arrived),
            Ok(Err(_)) => Err(DispatchError::Closed { turn }),
            Err(_) => Err(DispatchError::Lost { turn, waited: limit }),
        }
    }

    /// The result had its effect: it never comes again.
    pub async fn settle(&self, unsettled: Unsettled) -> Result<(), DispatchError> {
        self.queue
            .acknowledge(&self.results, unsettled.0)
            .await
            .map_err(|source| DispatchError::Results { queue: self.results.clone(), source })
    }

    /// Forgets where an agent lives.
    pub fn forget(&self, run: &RunId, agent: &AgentId) {
        lock(&self.state).homes.remove(&(run.clone(), agent.clone()));
    }

    /// Stops listening.
    pub async fn stop(mut self) {
        // The queue tells its listener, which ends; a queue that is gone already has told it.
        let _ = self.queue.close(&self.results).await;
        while self.tasks.join_next().await.is_some() {}
    }
}

struct Listed<'a> {
    state: &'a Mutex<State>,
    agent: Agent,
    epoch: u64,
    turn: u32,
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        let mut state = lock(self.state);
        if state.in_flight.get(&self.agent).is_some_and(|one| (one.epoch, one.turn) == (self.epoch, self.turn)) {
            state.in_flight.remove(&self.agent);
        }
    }
}

/// Whether a result is the one that is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Match {
    /// It is.
    Awaited,
    /// It ran under another epoch: the agent was placed anew since.
    OtherEpoch,
    /// It is another turn's, or nobody waits.
    Unawaited,
}

fn matches(awaited: Option<(u64, u32)>, epoch: u64, turn: u32) -> Match {
    match awaited {
        Some((awaited_epoch, _)) if awaited_epoch != epoch => Match::OtherEpoch,
        Some((_, awaited_turn)) if awaited_turn == turn => Match::Awaited,
        _ => Match::Unawaited,
    }
}

async fn listen(queue: Arc<dyn Queue>, results: String, state: Arc<Mutex<State>>) {
    loop {
        let delivery = match queue.receive(&results).await {
            Ok(delivery) => delivery,
            Err(QueueError::Closed(_) | QueueError::NoSuchQueue(_)) => break,
            Err(error) => {
                tracing::error!(queue = results, %error, "no more results can be received");
                break;
            }
        };
        if let Some(dropped) = hand_over(delivery, &state)
            && let Err(error) = queue.acknowledge(&results, dropped).await
        {
            tracing::warn!(queue = results, %error, "a dropped result could not be acknowledged");
        }
    }
    // Who still waits is told by its sender's end.
    lock(&state).in_flight.clear();
}

/// Hands a result to who waits for it; gives back the delivery of one that nobody waits for.
fn hand_over(delivery: Delivery, state: &Mutex<State>) -> Option<Delivery> {
    let result: TurnResult = match serde_json::from_slice(&delivery.body) {
        Ok(result) => result,
        Err(error) => {
            tracing::error!(%error, "a result that does not read was dropped: worker and coordinator differ in version");
            return Some(delivery);
        }
    };
    let agent = (result.run.clone(), result.agent.clone());
    let mut state = lock(state);
    let awaited = state.in_flight.get(&agent).map(|one| (one.epoch, one.turn));
    let matched = matches(awaited, result.epoch, result.turn);
    if matched != Match::Awaited {
        tracing::warn!(run = %agent.0, agent = %agent.1, epoch = result.epoch, turn = result.turn, why = ?matched, "a result was dropped");
        return Some(delivery);
    }
    let waiting = state.in_flight.remove(&agent)?;
    state.homes.insert(agent, result.worker.clone());
    waiting.waiter.send(Arrived { result, delivery }).err().map(|arrived| arrived.delivery)
}

#[cfg(test)]
mod tests;
