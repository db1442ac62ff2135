//! One turn, from its job to its result.

use super::outcome;
use super::{ReadyArm, Worker, WorkerError};
use crate::calls::session::is_ending;
use crate::calls::{self, Turn};
use crate::executor::handle::{Executor, ExecutorError, RunEnd};
use crate::executor::protocol::{Assignment, Done, Isolation, RunRequest};
use crate::home::disk::{self, DiskShortage};
use crate::home::tree::{TreeError, TreeLimits};
use crate::home::{Belief, Home, HomeError};
use crate::language::{Prepared, language};
use gg_common::content::ContentKey;
use gg_common::job::{Body, CallRecord, Effect, INLINE_BYTES, Timings, TurnJob, TurnResult};
use gg_common::operation::Operation;
use gg_common::outcome::{Outcome, Suspect};
use gg_common::reply::{FinishReason, as_program};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What the program's calls left behind.
#[derive(Debug, Default)]
struct Called {
    effects: Vec<Effect>,
    refusals: Vec<Operation>,
    records: Vec<CallRecord>,
    unconfined: bool,
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
    Disk(#[from] DiskShortage),
    #[error("{0}")]
    Fault(calls::FarmFault),
    #[error("the executor died twice on the same program and the worker cannot tell why: {0}")]
    DiedTwice(crate::executor::handle::Death),
}

/// Runs one turn to its end.
pub(super) fn run(worker: &Worker, job: &TurnJob) -> TurnResult {
    let outcome = catch_unwind(AssertUnwindSafe(|| run_in_home(worker, job)));
    match outcome {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => {
            let suspect = matches!(error, TurnError::DiedTwice(_)).then_some(Suspect::Program);
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
    let source = match &job.source {
        Body::Inline(text) => text.clone().into_bytes(),
        Body::Object { key, .. } => worker.objects.get_blocking(key)?.to_vec(),
    };
    // Whoever made the job looked already; the worker trusts nobody's look but its own.
    let source = match as_program(&source, FinishReason::Stop, job.profile.limits.reply_bytes) {
        Ok(text) => text,
        Err(rejected) => return Ok(result(worker, job, rejected, job.tree)),
    };
    let Prepared::Source(source) = language(job.arm()).prepare_program(source);

    disk::check(&worker.settings.homes, worker.disk_reserve())?;
    let restoring = Instant::now();
    home.bring_to(job.tree, &worker.objects, Belief::LastScan)?;
    home.open_up()?;
    let restore = restoring.elapsed();

    let (end, called, calls_time) = run_program(worker, job, arm, home, &source, turn_started)?;
    let limits = &job.profile.limits;
    let left = match &end {
        ProgramEnd::Done(done) if done.end.is_tree_limit() => TreeLeft::OverLimit,
        _ => TreeLeft::ToKeep,
    };
    let (outcome, done) = match end {
        ProgramEnd::Done(done) => (outcome::of_done(&done, limits), Some(done)),
        ProgramEnd::WallTime(left) => (outcome::of_wall_time(limits, left.as_millis() as u64), None),
        ProgramEnd::OutOfMemory => (outcome::out_of_memory(limits, None), None),
    };
    let snapshotting = Instant::now();
    let (outcome, tree) = keep_tree(worker, job, home, left, outcome)?;
    let snapshot = snapshotting.elapsed();

    let mut result = result(worker, job, outcome, tree);
    fill(worker, &mut result, called, done)?;
    result.timings.restore_ms = ms(restore);
    result.timings.snapshot_ms = ms(snapshot);
    result.timings.calls_ms = ms(calls_time);
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
            Err(error) => return Err(HomeError::from(error).into()),
        },
    };
    home.bring_to(job.tree, &worker.objects, Belief::Nothing)?;
    Ok((outcome, job.tree))
}

/// Puts what the program did and said into the result.
fn fill(worker: &Worker, result: &mut TurnResult, called: Called, done: Option<Box<Done>>) -> Result<(), TurnError> {
    result.effects = called.effects;
    if result.outcome != Outcome::Completed {
        // The ending is revoked; files and views stand.
        result.effects.retain(|effect| !is_ending(effect));
    }
    result.calls = called.records;
    result.unconfined = called.unconfined;
    result.refusals = called.refusals.iter().map(|operation| operation.id().to_owned()).collect();
    if let Some(done) = done {
        result.log = body(worker, &done.log)?;
        result.log_dropped_bytes = done.log_dropped;
        result.stderr = String::from_utf8_lossy(&done.stderr).into_owned();
        result.returned = done.returned;
        result.timings.duration_ms = ms(Duration::from_nanos(done.guest_ns));
        result.timings.compile_wait_ms = ms(Duration::from_nanos(done.instantiate_ns));
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

/// How a program ended, where the farm did its part.
enum ProgramEnd {
    Done(Box<Done>),
    /// It was killed after this long.
    WallTime(Duration),
    OutOfMemory,
}

/// Runs the program in the agent's executor. One that dies for no known reason is tried once more in a fresh one, from
/// the tree that the turn started with.
fn run_program(
    worker: &Worker,
    job: &TurnJob,
    arm: &ReadyArm,
    home: &mut Home,
    source: &[u8],
    turn_started: Instant,
) -> Result<(ProgramEnd, Called, Duration), TurnError> {
    let limits = &job.profile.limits;
    let turn_deadline = turn_started + Duration::from_millis(limits.turn_wall_ms);
    let run_deadline = job.wall_left_ms.map(|left| turn_started + Duration::from_millis(left));
    let mut first_death = None;
    loop {
        let mut executor = executor_of(worker, job, home)?;
        let started = Instant::now();
        // Past the run's own wall clock a program may still end its session: its calls are refused, it is not killed.
        let deadline = turn_deadline.min(started + Duration::from_millis(limits.program_wall_ms));
        let mut turn = Turn {
            home: &*home,
            profile: &job.profile,
            catalogue: &arm.catalogue,
            docs: &arm.docs,
            programs: &job.programs,
            objects: &worker.objects,
            run_deadline,
            program_deadline: deadline,
            tree_limits: TreeLimits::from(limits).with_disk_reserve(worker.disk_reserve()),
            children: &worker.settings.children,
            effects: Vec::new(),
            refusals: Vec::new(),
            records: Vec::new(),
            view_bytes: 0,
            written_bytes: 0,
            writes: 0,
            unconfined: false,
            fault: None,
        };
        let mut calls_time = Duration::ZERO;
        let request = RunRequest { disk_reserve: worker.disk_reserve(), ..RunRequest::new(job.arm(), source, limits) };
        let end = executor.0.run(&request, deadline, &mut |operation, args| {
            let before = Instant::now();
            let reply = turn.serve(operation, args);
            calls_time += before.elapsed();
            reply
        });
        let fault = turn.fault.take();
        let called = Called {
            effects: std::mem::take(&mut turn.effects),
            refusals: std::mem::take(&mut turn.refusals),
            records: std::mem::take(&mut turn.records),
            unconfined: turn.unconfined,
        };
        drop(turn);
        if let Some(fault) = fault {
            return Err(TurnError::Fault(fault));
        }
        let end = match end {
            RunEnd::Done(done) => {
                home.executor = Some(executor);
                ProgramEnd::Done(done)
            }
            RunEnd::WallTime => ProgramEnd::WallTime(started.elapsed()),
            RunEnd::Died(death) if death.is_out_of_memory() => ProgramEnd::OutOfMemory,
            RunEnd::Died(death) if first_death.is_none() => {
                tracing::warn!(run = %job.run, turn = job.turn, %death, "an executor died; its program is tried once more");
                first_death = Some(death);
                home.bring_to(job.tree, &worker.objects, Belief::Nothing)?;
                home.open_up()?;
                home.clear_scratch()?;
                continue;
            }
            RunEnd::Died(death) => return Err(TurnError::DiedTwice(death)),
        };
        return Ok((end, called, calls_time));
    }
}

/// The agent's executor, or a fresh one confined to it.
fn executor_of(worker: &Worker, job: &TurnJob, home: &mut Home) -> Result<(Executor, Assignment), TurnError> {
    let mut assignment = assignment(worker, job, home);
    if let Some((executor, held)) = home.executor.take()
        && held == assignment
        && executor.is_alive()
    {
        return Ok((executor, held));
    }
    let refusal = match confined(worker, &assignment) {
        Err(ExecutorError::Refused(refusal)) if may_do_without_namespaces(worker) => refusal,
        executor => {
            let executor = executor?;
            worker.isolation.get_or_init(|| assignment.isolation);
            return Ok((executor, assignment));
        }
    };
    assignment.isolation = Isolation::LandlockOnly;
    match confined(worker, &assignment) {
        Ok(executor) => {
            tracing::warn!(%refusal, "executors are confined by Landlock alone, since namespaces cannot be had here");
            worker.isolation.get_or_init(|| assignment.isolation);
            Ok((executor, assignment))
        }
        Err(ExecutorError::Refused(also)) => Err(ExecutorError::Refused(format!("{refusal}; {also}")).into()),
        Err(error) => Err(error.into()),
    }
}

/// Whether Landlock alone may be tried: nobody chose, and nothing has shown yet what this system gives.
fn may_do_without_namespaces(worker: &Worker) -> bool {
    worker.settings.isolation.is_none() && worker.isolation.get().is_none()
}

/// A fresh executor, confined.
fn confined(worker: &Worker, assignment: &Assignment) -> Result<Executor, ExecutorError> {
    let confined = |executor: Result<Executor, ExecutorError>| {
        let mut executor = executor?;
        executor.assign(assignment)?;
        Ok(executor)
    };
    let (arm, stack) = (assignment.arm, assignment.wasm_stack_bytes);
    match confined(worker.nursery.take(arm, stack)) {
        // One that waited for its agent may have died meanwhile, or have been killed as it started: no word on the next.
        Err(ExecutorError::Died(death)) => {
            tracing::warn!(%death, "an executor died before it had its agent; another is started");
            confined(worker.nursery.take_new(arm, stack))
        }
        executor => executor,
    }
}

/// Private writable memory of an executor beyond the program's memory and stack: the engine, tables, buffers of calls.
const EXECUTOR_BYTES: u64 = 192 << 20;

/// How executors are confined, as far as it is known.
fn isolation(worker: &Worker) -> Isolation {
    worker.settings.isolation.or_else(|| worker.isolation.get().copied()).unwrap_or(Isolation::Namespaces)
}

fn assignment(worker: &Worker, job: &TurnJob, home: &Home) -> Assignment {
    let limits = &job.profile.limits;
    Assignment {
        arm: job.arm(),
        wasm_stack_bytes: limits.wasm_stack_bytes,
        tree: home.tree_folder(),
        scratch: home.scratch_folder(),
        access: job.profile.tree_access(),
        identity: home.owner(),
        isolation: isolation(worker),
        landlock_abi: worker.settings.landlock_abi,
        kill_on_violation: worker.settings.kill_on_violation,
        data_bytes: limits.memory_bytes + limits.wasm_stack_bytes + EXECUTOR_BYTES,
        file_bytes: limits.tree_bytes.max(limits.temp_bytes),
        temp_bytes: limits.temp_bytes,
        temp_entries: limits.temp_entries,
    }
}
