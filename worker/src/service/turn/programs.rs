//! The programs of one turn, one after the other: the reply's own, and what it has follow it.

use super::executor::{Held, executor_of};
use super::preparing::{Preparing, outcome_of};
use super::{Called, TreeLeft, TurnError, body, ms};
use crate::calls::Turn;
use crate::calls::following::{Following, MOST_PROGRAMS, Next};
use crate::calls::surface::Surface;
use crate::executor::handle::{COMPILE_WITHIN, Death, RunEnd};
use crate::executor::protocol::{Done, RunRequest};
use crate::home::tree::TreeLimits;
use crate::home::{Belief, Home};
use crate::language::{Guest, Prepared, language, places};
use crate::service::outcome::Teller;
use crate::service::{ReadyArm, Worker, outcome};
use gg_common::arm::Arm;
use gg_common::job::{Body, Effect, Follows, ProgramRun, TurnJob};
use gg_common::limits::Limits;
use gg_common::outcome::{Outcome, ProgramError};
use gg_common::state::State;
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// How a program ended, where the farm did its part.
enum ProgramEnd {
    Done(Box<Done>),
    /// It was killed after this long.
    WallTime(Duration),
    OutOfMemory,
    /// The compile of its component reached a bound.
    TooMuchToCompile(String),
    /// There was nothing to run.
    NotPrepared(Box<Outcome>),
}

impl ProgramEnd {
    fn outcome(&self, arm: Arm, limits: &Limits) -> Outcome {
        let teller = match language(arm).guest() {
            Guest::Prebuilt => Teller::Guest,
            Guest::None => Teller::Runtime,
        };
        match self {
            ProgramEnd::Done(done) => outcome::of_done(done, limits, teller),
            ProgramEnd::WallTime(left) => outcome::of_wall_time(limits, left.as_millis() as u64),
            ProgramEnd::OutOfMemory => outcome::out_of_memory(limits, None),
            ProgramEnd::TooMuchToCompile(bound) => outcome::too_much_to_compile(bound),
            ProgramEnd::NotPrepared(outcome) => (**outcome).clone(),
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
            ProgramEnd::WallTime(_)
            | ProgramEnd::OutOfMemory
            | ProgramEnd::TooMuchToCompile(_)
            | ProgramEnd::NotPrepared(_) => None,
        }
    }
}

/// What the time of programs went to, beside their calls.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ProgramTime {
    pub(super) guest: Duration,
    pub(super) instantiate: Duration,
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
pub(super) struct Ran {
    /// How the one ended that ran last in the reply's place.
    pub(super) outcome: Outcome,
    pub(super) left: TreeLeft,
    /// What the reply's own said.
    pub(super) done: Option<Box<Done>>,
    pub(super) followed: Vec<ProgramRun>,
    pub(super) called: Called,
    pub(super) time: ProgramTime,
}

/// Runs the reply's program, and what it has follow it, in the agent's executor. Where one dies for no known reason, all of
/// it is tried once more in a fresh one, from the tree and the state that the turn started with.
#[expect(clippy::too_many_arguments, reason = "a turn has as many parts")]
pub(super) fn run_programs(
    worker: &Worker,
    job: &TurnJob,
    arm: &ReadyArm,
    home: &mut Home,
    preparing: &RefCell<Preparing<'_>>,
    prepared: &Prepared,
    state: &State,
    turn_started: Instant,
) -> Result<Ran, TurnError> {
    let mut first_death = None;
    let ran = loop {
        let held = home.executor.take();
        let started = Started { worker, job, arm, state, turn_started };
        match started.run(home, held, preparing, prepared)? {
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
    Ok(ran)
}

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
        preparing: &RefCell<Preparing<'_>>,
        prepared: &Prepared,
    ) -> Result<(Result<Ran, Death>, Option<Held>), TurnError> {
        let Started { worker, job, arm, state, turn_started } = *self;
        let mut executor = held;
        let mut turn = Turn {
            home,
            profile: &job.profile,
            surface: Surface::new(&arm.catalogue, &arm.docs),
            with_modules: None,
            loader: preparing,
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
        let end = match self.run_one(home, &mut executor, &mut turn, &mut calls_time, prepared)? {
            Ok(end) => end,
            Err(death) => return Ok((Err(death), executor)),
        };
        let limits = &job.profile.limits;
        let (mut outcome, mut left) = (end.outcome(job.arm(), limits), end.left());
        let done = end.done();
        let mut time = ProgramTime::of(done.as_deref());
        let mut followed = Vec::new();
        let mut ending = None;
        self.program_ended(&mut turn, &outcome, &mut ending, &mut followed)?;
        // A tree over its limits is not the agent's any more: nothing else runs in it.
        while left == TreeLeft::ToKeep
            && let Some(next) = turn.following.start_next()
        {
            let prepared = match &next.follows {
                Follows::Rerun => preparing.borrow_mut().program(&next.source, &turn.state.modules),
                Follows::Skill { .. } | Follows::Memory { .. } => {
                    preparing.borrow_mut().script(&next.source, &turn.state.modules)
                }
            };
            home.open_up()?;
            let end = match prepared.map_err(outcome_of) {
                Ok(program) => match self.run_one(home, &mut executor, &mut turn, &mut calls_time, &program)? {
                    Ok(end) => end,
                    Err(death) => return Ok((Err(death), executor)),
                },
                Err(Outcome::Internal { error_text, suspect }) => {
                    return Err(TurnError::NotPrepared(error_text, suspect));
                }
                Err(rejected) => ProgramEnd::NotPrepared(Box::new(rejected)),
            };
            let its_own = end.outcome(job.arm(), limits);
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
        prepared: &Prepared,
    ) -> Result<Result<ProgramEnd, Death>, TurnError> {
        let Started { worker, job, turn_started, .. } = *self;
        let limits = &job.profile.limits;
        let mut held = executor_of(worker, job, home, executor.take())?;
        let started = Instant::now();
        // Past the run's own wall clock a program may still end its session: its calls are refused, it is not killed.
        let turn_deadline = turn_started + Duration::from_millis(limits.turn_wall_ms);
        let deadline = turn_deadline.min(started + Duration::from_millis(limits.program_wall_ms));
        turn.program_deadline = deadline;
        let request = RunRequest {
            modules: prepared.modules().to_vec(),
            disk_reserve: worker.disk_reserve(),
            ..RunRequest::new(job.arm(), prepared.bytes(), limits)
        };
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
            RunEnd::Done(mut done) => {
                *executor = Some(held);
                places::correct(prepared.places(), &mut done);
                Ok(ProgramEnd::Done(done))
            }
            RunEnd::WallTime => Ok(ProgramEnd::WallTime(started.elapsed())),
            RunEnd::CompileTime => Ok(ProgramEnd::TooMuchToCompile(format!("{} s", COMPILE_WITHIN.as_secs()))),
            RunEnd::CompileMemory => Ok(ProgramEnd::TooMuchToCompile("the memory that it may take".to_owned())),
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
