//! One turn, from its job to its result.

use super::outcome;
use super::{ReadyArm, Worker, WorkerError};
use crate::calls::following::{Following, MOST_PROGRAMS, Next};
use crate::calls::{self, Turn};
use crate::executor::handle::{Death, Executor, ExecutorError, RunEnd};
use crate::executor::protocol::{Assignment, Done, Isolation, RunRequest};
use crate::home::disk::{self, DiskShortage};
use crate::home::scripts::Scripts;
use crate::home::tree::{TreeError, TreeLimits};
use crate::home::{Belief, Home, HomeError};
use crate::language::{Prepared, language};
use gg_common::content::ContentKey;
use gg_common::job::{Body, CallRecord, Effect, Follows, INLINE_BYTES, ProgramRun, Timings, TurnJob, TurnResult};
use gg_common::limits::Limits;
use gg_common::operation::Operation;
use gg_common::outcome::{Outcome, ProgramError, Suspect};
use gg_common::reply::{FinishReason, as_program};
use gg_common::state::{CarryError, State};
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

    let state = job.state.unpack_blocking(&worker.objects)?;
    let ran = run_programs(worker, job, arm, home, &source, &state, turn_started)?;
    let snapshotting = Instant::now();
    let (outcome, tree) = keep_tree(worker, job, home, ran.left, ran.outcome)?;
    let snapshot = snapshotting.elapsed();

    let mut result = result(worker, job, outcome, tree);
    result.timings.restore_ms = ms(restore);
    result.timings.snapshot_ms = ms(snapshot);
    result.timings.calls_ms = ms(ran.called.time);
    result.timings.duration_ms = ms(ran.time.guest);
    result.timings.compile_wait_ms = ms(ran.time.instantiate);
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

/// How a program ended, where the farm did its part.
enum ProgramEnd {
    Done(Box<Done>),
    /// It was killed after this long.
    WallTime(Duration),
    OutOfMemory,
}

impl ProgramEnd {
    fn outcome(&self, limits: &Limits) -> Outcome {
        match self {
            ProgramEnd::Done(done) => outcome::of_done(done, limits),
            ProgramEnd::WallTime(left) => outcome::of_wall_time(limits, left.as_millis() as u64),
            ProgramEnd::OutOfMemory => outcome::out_of_memory(limits, None),
        }
    }

    fn left(&self) -> TreeLeft {
        match self {
            ProgramEnd::Done(done) if done.end.is_tree_limit() => TreeLeft::OverLimit,
            _ => TreeLeft::ToKeep,
        }
    }

    fn done(self) -> Option<Box<Done>> {
        match self {
            ProgramEnd::Done(done) => Some(done),
            ProgramEnd::WallTime(_) | ProgramEnd::OutOfMemory => None,
        }
    }
}

/// What the time of programs went to, beside their calls.
#[derive(Debug, Clone, Copy, Default)]
struct ProgramTime {
    guest: Duration,
    instantiate: Duration,
}

impl ProgramTime {
    fn of(done: Option<&Done>) -> ProgramTime {
        done.map_or_else(ProgramTime::default, |done| ProgramTime {
            guest: Duration::from_nanos(done.guest_ns),
            instantiate: Duration::from_nanos(done.instantiate_ns),
        })
    }

    fn add(&mut self, other: ProgramTime) {
        self.guest += other.guest;
        self.instantiate += other.instantiate;
    }
}

/// What came of a turn's programs.
struct Ran {
    /// How the one ended that ran last in the reply's place.
    outcome: Outcome,
    left: TreeLeft,
    /// What the reply's own said.
    done: Option<Box<Done>>,
    followed: Vec<ProgramRun>,
    called: Called,
    time: ProgramTime,
}

/// Runs the reply's program, and what it has follow it, in the agent's executor. Where one dies for no known reason, all of
/// it is tried once more in a fresh one, from the tree and the state that the turn started with.
fn run_programs(
    worker: &Worker,
    job: &TurnJob,
    arm: &ReadyArm,
    home: &mut Home,
    source: &[u8],
    state: &State,
    turn_started: Instant,
) -> Result<Ran, TurnError> {
    let mut scripts = std::mem::take(&mut home.scripts);
    let mut first_death = None;
    let ran = loop {
        let held = home.executor.take();
        let started = Started { worker, job, arm, state, turn_started };
        match started.run(home, held, &mut scripts, source)? {
            (Ok(ran), executor) => {
                home.executor = executor;
                break ran;
            }
            (Err(death), _) if first_death.is_none() => {
                tracing::warn!(run = %job.run, turn = job.turn, %death, "an executor died; its program is tried once more");
                first_death = Some(death);
                home.bring_to(job.tree, &worker.objects, Belief::Nothing)?;
                home.open_up()?;
                home.clear_scratch()?;
            }
            (Err(death), _) => return Err(TurnError::DiedTwice(death)),
        }
    };
    home.scripts = scripts;
    Ok(ran)
}

/// An executor and what it was confined to.
type Held = (Executor, Assignment);

/// One attempt at a turn.
struct Started<'a> {
    worker: &'a Worker,
    job: &'a TurnJob,
    arm: &'a ReadyArm,
    state: &'a State,
    turn_started: Instant,
}

impl Started<'_> {
    /// Runs the programs one after the other. Gives what came of them, or how an executor died, and the executor that is
    /// left.
    fn run(
        &self,
        home: &Home,
        held: Option<Held>,
        scripts: &mut Scripts,
        source: &[u8],
    ) -> Result<(Result<Ran, Death>, Option<Held>), TurnError> {
        let Started { worker, job, arm, state, turn_started } = *self;
        let mut executor = held;
        let mut turn = Turn {
            home,
            profile: &job.profile,
            catalogue: &arm.catalogue,
            docs: &arm.docs,
            number: job.turn,
            state: state.clone(),
            stood: state.views.iter().map(|view| view.key.clone()).collect(),
            objects: &worker.objects,
            run_deadline: job.wall_left_ms.map(|left| turn_started + Duration::from_millis(left)),
            program_deadline: turn_started,
            tree_limits: TreeLimits::from(&job.profile.limits).with_disk_reserve(worker.disk_reserve()),
            children: &worker.settings.children,
            effects: Vec::new(),
            ending: None,
            following: Following::default(),
            changes: 0,
            refusals: Vec::new(),
            records: Vec::new(),
            view_bytes: 0,
            written_bytes: 0,
            writes: 0,
            unconfined: false,
            fault: None,
        };
        let mut calls_time = Duration::ZERO;
        let end = match self.run_one(home, &mut executor, &mut turn, &mut calls_time, source)? {
            Ok(end) => end,
            Err(death) => return Ok((Err(death), executor)),
        };
        let limits = &job.profile.limits;
        let (mut outcome, mut left) = (end.outcome(limits), end.left());
        let done = end.done();
        let mut time = ProgramTime::of(done.as_deref());
        let mut followed = Vec::new();
        let mut ending = None;
        self.program_ended(&mut turn, &outcome, &mut ending, &mut followed)?;
        // A tree over its limits is not the agent's any more: nothing else runs in it.
        while left == TreeLeft::ToKeep
            && let Some(next) = turn.following.start_next()
        {
            let language = language(job.arm());
            let Prepared::Source(source) = match &next.follows {
                Follows::Rerun => language.prepare_program(&next.source),
                Follows::Skill { .. } | Follows::Memory { .. } => scripts.prepare(language, &next.source),
            };
            home.open_up()?;
            let end = match self.run_one(home, &mut executor, &mut turn, &mut calls_time, &source)? {
                Ok(end) => end,
                Err(death) => return Ok((Err(death), executor)),
            };
            let its_own = end.outcome(limits);
            left = end.left();
            let record = self.record(next, its_own.clone(), end.done())?;
            if record.is_rerun() || left == TreeLeft::OverLimit {
                outcome = its_own.clone();
            }
            time.add(ProgramTime {
                guest: Duration::from_secs_f64(record.duration_ms / 1e3),
                instantiate: Duration::from_secs_f64(record.compile_wait_ms / 1e3),
            });
            followed.push(record);
            self.program_ended(&mut turn, &its_own, &mut ending, &mut followed)?;
        }
        let mut effects = std::mem::take(&mut turn.effects);
        debug_assert!(
            {
                let mut folded = state.clone();
                effects.iter().for_each(|effect| folded.apply(job.turn, effect));
                folded == turn.state
            },
            "what a turn reports is what its programs saw"
        );
        effects.extend(ending);
        let called = Called {
            effects,
            refusals: std::mem::take(&mut turn.refusals),
            records: std::mem::take(&mut turn.records),
            unconfined: turn.unconfined,
            time: calls_time,
        };
        Ok((Ok(Ran { outcome, left, done, followed, called, time }), executor))
    }

    /// Runs one program. Its executor is put back unless it is of no more use.
    fn run_one(
        &self,
        home: &Home,
        executor: &mut Option<Held>,
        turn: &mut Turn<'_>,
        calls_time: &mut Duration,
        source: &[u8],
    ) -> Result<Result<ProgramEnd, Death>, TurnError> {
        let Started { worker, job, turn_started, .. } = *self;
        let limits = &job.profile.limits;
        let mut held = executor_of(worker, job, home, executor.take())?;
        let started = Instant::now();
        // Past the run's own wall clock a program may still end its session: its calls are refused, it is not killed.
        let turn_deadline = turn_started + Duration::from_millis(limits.turn_wall_ms);
        let deadline = turn_deadline.min(started + Duration::from_millis(limits.program_wall_ms));
        turn.program_deadline = deadline;
        let request = RunRequest { disk_reserve: worker.disk_reserve(), ..RunRequest::new(job.arm(), source, limits) };
        let end = held.0.run(&request, deadline, &mut |operation, args| {
            let before = Instant::now();
            let reply = turn.serve(operation, args);
            *calls_time += before.elapsed();
            reply
        });
        if let Some(fault) = turn.fault.take() {
            return Err(TurnError::Fault(fault));
        }
        Ok(match end {
            RunEnd::Done(done) => {
                *executor = Some(held);
                Ok(ProgramEnd::Done(done))
            }
            RunEnd::WallTime => Ok(ProgramEnd::WallTime(started.elapsed())),
            RunEnd::Died(death) if death.is_out_of_memory() => Ok(ProgramEnd::OutOfMemory),
            RunEnd::Died(death) => Err(death),
        })
    }

    /// What follows from a program's end: its ending and what it asked for count where it completed.
    fn program_ended(
        &self,
        turn: &mut Turn<'_>,
        outcome: &Outcome,
        ending: &mut Option<Effect>,
        followed: &mut Vec<ProgramRun>,
    ) -> Result<(), TurnError> {
        let completed = *outcome == Outcome::Completed;
        if let Some(set) = turn.ending.take().filter(|_| completed) {
            *ending = Some(set);
        }
        for left_out in turn.following.program_ended(completed) {
            let error_text = format!(
                "The script did not run: a turn runs at most {MOST_PROGRAMS} programs. Use what it belongs to in another turn."
            );
            let outcome =
                Outcome::Failed { error_type: ProgramError::Limit, error_text, location: None, exit_code: None };
            followed.push(ProgramRun { not_run: true, ..self.record(left_out, outcome, None)? });
        }
        Ok(())
    }

    /// The record of a program that followed.
    fn record(&self, next: Next, outcome: Outcome, done: Option<Box<Done>>) -> Result<ProgramRun, TurnError> {
        let worker = self.worker;
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        if next.follows == Follows::Rerun {
            // A later turn's program may ask for it.
            worker.objects.put_blocking(next.source.clone().into_bytes())?;
        }
        let time = ProgramTime::of(done.as_deref());
        let mut record = ProgramRun {
            lines: count(next.source.lines().count()),
            chars: count(next.source.chars().count()),
            source: body(worker, next.source.as_bytes())?,
            follows: next.follows,
            outcome,
            not_run: false,
            log: Body::Inline(String::new()),
            log_dropped_bytes: 0,
            stderr: String::new(),
            returned: None,
            duration_ms: ms(time.guest),
            compile_wait_ms: ms(time.instantiate),
        };
        if let Some(done) = done {
            record.log = body(worker, &done.log)?;
            record.log_dropped_bytes = done.log_dropped;
            record.stderr = String::from_utf8_lossy(&done.stderr).into_owned();
            record.returned = done.returned;
        }
        Ok(record)
    }
}

/// The agent's executor, or a fresh one confined to it.
fn executor_of(worker: &Worker, job: &TurnJob, home: &Home, held: Option<Held>) -> Result<Held, TurnError> {
    let mut assignment = assignment(worker, job, home);
    if let Some((executor, held)) = held
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
