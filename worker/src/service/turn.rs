//! One turn, from its job to its result.

mod executor;
mod preparing;
mod programs;

use super::outcome;
use super::{Worker, WorkerError};
use crate::calls;
use crate::executor::handle::ExecutorError;
use crate::executor::protocol::Done;
use crate::home::disk::{self, DiskShortage};
use crate::home::tree::{TreeError, TreeLimits};
use crate::home::{Belief, Home, HomeError};
use gg_common::content::ContentKey;
use gg_common::job::{Body, CallRecord, Effect, INLINE_BYTES, Timings, TurnJob, TurnResult};
use gg_common::operation::Operation;
use gg_common::outcome::{Outcome, Suspect};
use gg_common::reply::{FinishReason, as_program};
use gg_common::state::CarryError;
use preparing::{Preparing, outcome_of};
use programs::run_programs;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What the programs' calls left behind.
#[derive(Debug, Default)]
struct Called {
    effects: Vec<Effect>,
    refusals: Vec<Operation>,
    records: Vec<CallRecord>,
    unconfined: bool,
    time: Duration,
}

/// Why a turn could not be run to an outcome of the program's.
#[derive(Debug, thiserror::Error)]
enum TurnError {
    #[error(transparent)]
    Worker(#[from] WorkerError),
    #[error(transparent)]
    Home(#[from] HomeError),
    #[error(transparent)]
    Executor(#[from] ExecutorError),
    #[error(transparent)]
    Object(#[from] gg_common::objects::ObjectError),
    #[error("the job has version {0}, this worker reads version {v}: upgrade the older of coordinator and worker", v = gg_common::FORMAT_VERSION)]
    Version(u32),
    #[error(transparent)]
    State(#[from] CarryError),
    #[error(transparent)]
    Disk(#[from] DiskShortage),
    #[error("{0}")]
    Fault(calls::FarmFault),
    #[error("{0}")]
    NotPrepared(String, Option<Suspect>),
    #[error("the executor died twice on the same program and the worker cannot tell why: {0}")]
    DiedTwice(crate::executor::handle::Death),
}

/// Runs one turn to its end.
pub(super) fn run(worker: &Worker, job: &TurnJob) -> TurnResult {
    let outcome = catch_unwind(AssertUnwindSafe(|| run_in_home(worker, job)));
    match outcome {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => {
            let suspect = match &error {
                TurnError::DiedTwice(_) => Some(Suspect::Program),
                TurnError::NotPrepared(_, suspect) => *suspect,
                TurnError::Fault(fault) => fault.suspect,
                _ => None,
            };
            internal(worker, job, error.to_string(), suspect)
        }
        Err(panic) => {
            let said = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("it said nothing");
            internal(
                worker,
                job,
                format!("the worker panicked in this turn: {said}; this is a defect, report it"),
                None,
            )
        }
    }
}

fn internal(worker: &Worker, job: &TurnJob, error_text: String, suspect: Option<Suspect>) -> TurnResult {
    tracing::error!(run = %job.run, agent = %job.agent, turn = job.turn, error = error_text, "the farm failed a turn");
    result(worker, job, Outcome::Internal { error_text, suspect }, job.tree)
}

/// A result with nothing in it but how the turn ended.
fn result(worker: &Worker, job: &TurnJob, outcome: Outcome, tree: Option<ContentKey>) -> TurnResult {
    TurnResult {
        version: gg_common::FORMAT_VERSION,
        run: job.run.clone(),
        agent: job.agent.clone(),
        epoch: job.epoch,
        turn: job.turn,
        worker: worker.id().clone(),
        outcome,
        effects: Vec::new(),
        calls: Vec::new(),
        refusals: Vec::new(),
        log: Body::Inline(String::new()),
        log_dropped_bytes: 0,
        stderr: String::new(),
        unconfined: false,
        returned: None,
        followed: Vec::new(),
        tree,
        timings: Timings::default(),
    }
}

fn run_in_home(worker: &Worker, job: &TurnJob) -> Result<TurnResult, TurnError> {
    if job.version != gg_common::FORMAT_VERSION {
        return Err(TurnError::Version(job.version));
    }
    let mut home = worker.take_home(job)?;
    // Delivered again, and its result is still here: answered from it.
    if let Some(last) = home.last.take_if(|last| last.turn == job.turn && last.epoch == job.epoch) {
        home.last = Some(last.clone());
        worker.keep_home(job, home);
        return Ok(last);
    }
    let outcome = run_turn(worker, job, &mut home);
    match &outcome {
        Ok(result) => home.last = Some(result.clone()),
        // What state the home is in is unknown: the next turn makes it anew.
        Err(_) => {
            drop(home);
            return outcome;
        }
    }
    worker.keep_home(job, home);
    outcome
}

fn run_turn(worker: &Worker, job: &TurnJob, home: &mut Home) -> Result<TurnResult, TurnError> {
    let turn_started = Instant::now();
    let arm = worker.arm(job.arm())?;
    if let Some(why) = arm.closed.get() {
        return Err(WorkerError::OutOfService { arm: job.arm(), why: why.clone() }.into());
    }
    let source = match &job.source {
        Body::Inline(text) => text.clone().into_bytes(),
        Body::Object { key, .. } => worker.objects.get_blocking(key)?.to_vec(),
    };
    // Whoever made the job looked already; the worker trusts nobody's look but its own.
    let source = match as_program(&source, FinishReason::Stop, job.profile.limits.reply_bytes) {
        Ok(text) => text,
        Err(rejected) => return Ok(result(worker, job, rejected, job.tree)),
    };
    disk::check(&worker.settings.homes, worker.disk_reserve())?;
    let state = job.state.unpack_blocking(&worker.objects)?;
    let mut preparing = Preparing::take(worker, job.arm(), arm, home);
    let prepared = match preparing.program(source, &state.modules) {
        Ok(prepared) => prepared,
        Err(error) => {
            let mut result = result(worker, job, outcome_of(error), job.tree);
            preparing.charge(&mut result.timings);
            preparing.put_back(home);
            return Ok(result);
        }
    };
    let restoring = Instant::now();
    home.bring_to(job.tree, &worker.objects, Belief::LastScan)?;
    home.open_up()?;
    let restore = restoring.elapsed();

    let preparing = RefCell::new(preparing);
    let ran = run_programs(worker, job, arm, home, &preparing, &prepared, &state, turn_started)?;
    let preparing = preparing.into_inner();
    let snapshotting = Instant::now();
    let (outcome, tree) = keep_tree(worker, job, home, ran.left, ran.outcome)?;
    let snapshot = snapshotting.elapsed();

    let mut result = result(worker, job, outcome, tree);
    result.timings.restore_ms = ms(restore);
    result.timings.snapshot_ms = ms(snapshot);
    result.timings.calls_ms = ms(ran.called.time);
    result.timings.duration_ms = ms(ran.time.guest);
    result.timings.compile_wait_ms = ms(ran.time.instantiate);
    preparing.charge(&mut result.timings);
    preparing.put_back(home);
    result.followed = ran.followed;
    fill(worker, &mut result, ran.called, ran.done)?;
    Ok(result)
}

fn ms(time: Duration) -> f64 {
    // Microseconds are as much as the clocks are good for, and keep the records short.
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// What a program left of its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TreeLeft {
    /// It is the agent's.
    ToKeep,
    /// It was over a limit while the program ran.
    OverLimit,
}

/// Stores the tree after the program, or brings the one before it back where a limit was reached.
fn keep_tree(
    worker: &Worker,
    job: &TurnJob,
    home: &mut Home,
    left: TreeLeft,
    outcome: Outcome,
) -> Result<(Outcome, Option<ContentKey>), TurnError> {
    let outcome = match left {
        TreeLeft::OverLimit => outcome,
        TreeLeft::ToKeep => match home.snapshot(&worker.objects, &TreeLimits::from(&job.profile.limits)) {
            Ok(key) => return Ok((outcome, Some(key))),
            Err(TreeError::Limit { name, value, limit }) => outcome::limit_reached(name, value, limit),
            // What the program left does not fit beside what is stored. Whose fault that is shows when it is gone again.
            Err(error) if error.is_full_disk() => {
                home.bring_to(job.tree, &worker.objects, Belief::Nothing)?;
                worker.objects.check_room(worker.disk_reserve()).map_err(|_| HomeError::from(error))?;
                outcome::disk_full()
            }
            Err(error) => return Err(HomeError::from(error).into()),
        },
    };
    home.bring_to(job.tree, &worker.objects, Belief::Nothing)?;
    Ok((outcome, job.tree))
}

/// Puts what the programs did, and what the reply's own said, into the result.
fn fill(worker: &Worker, result: &mut TurnResult, called: Called, done: Option<Box<Done>>) -> Result<(), TurnError> {
    result.effects = called.effects;
    if result.outcome != Outcome::Completed {
        // The ending is revoked; files, tasks, memories and views stand.
        result.effects.retain(|effect| !effect.is_ending());
    }
    result.calls = called.records;
    result.unconfined = called.unconfined;
    result.refusals = called.refusals.iter().map(|operation| operation.id().to_owned()).collect();
    if let Some(done) = done {
        result.log = body(worker, &done.log)?;
        result.log_dropped_bytes = done.log_dropped;
        result.stderr = String::from_utf8_lossy(&done.stderr).into_owned();
        result.returned = done.returned;
    }
    Ok(())
}

fn body(worker: &Worker, bytes: &[u8]) -> Result<Body, TurnError> {
    let text = String::from_utf8_lossy(bytes);
    if text.len() <= INLINE_BYTES {
        return Ok(Body::Inline(text.into_owned()));
    }
    let length = text.len() as u64;
    let key = worker.objects.put_blocking(text.into_owned().into_bytes())?;
    Ok(Body::Object { key, bytes: length })
}
