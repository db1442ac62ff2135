//! The executor that a turn's programs run in: the agent's own, or one that is started and confined for it.

use super::TurnError;
use crate::executor::handle::{Executor, ExecutorError};
use crate::executor::protocol::{Assignment, Isolation};
use crate::home::Home;
use crate::language::{Guest, language};
use crate::service::Worker;
use gg_common::job::TurnJob;

/// An executor and what it was confined to.
pub(super) type Held = (Executor, Assignment);

/// The agent's executor, or a fresh one confined to it.
pub(super) fn executor_of(worker: &Worker, job: &TurnJob, home: &Home, held: Option<Held>) -> Result<Held, TurnError> {
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

/// What the engine may take beside it where it compiles each program, in bytes.
const COMPILE_BYTES: u64 = 512 << 20;

fn assignment(worker: &Worker, job: &TurnJob, home: &Home) -> Assignment {
    let limits = &job.profile.limits;
    let compile = match language(job.arm()).guest() {
        Guest::Prebuilt => 0,
        Guest::None => COMPILE_BYTES,
    };
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
        data_bytes: limits.memory_bytes + limits.wasm_stack_bytes + EXECUTOR_BYTES + compile,
        file_bytes: limits.tree_bytes.max(limits.temp_bytes),
        temp_bytes: limits.temp_bytes,
        temp_entries: limits.temp_entries,
    }
}
