//! The agent's own list of tasks.

use super::near::{did_you_mean, near};
use super::{Turn, error};
use crate::contract::core::{TextEdit, Usage};
use crate::contract::tasks::{NewTask, TaskPatch, TaskStatus as ContractStatus};
use crate::contract::{ApiError, ErrorCode};
use gg_common::job::Effect;
use gg_common::operation::Operation;
use gg_common::state::{Task, TaskStatus};

/// What an id may have, in bytes.
const MAX_ID_BYTES: usize = 64;
/// What a title may have, in bytes: it is a line.
const MAX_TITLE_BYTES: usize = 500;
/// What a description may have, in bytes: the model reads it in every turn.
const MAX_DESCRIPTION_BYTES: usize = 8 * 1024;

fn usage(turn: &Turn<'_>) -> Usage {
    Usage { count: turn.state.tasks.len() as u32, max: Some(turn.profile.tasks.max) }
}

fn known(turn: &Turn<'_>, operation: Operation, id: &str) -> Result<Task, ApiError> {
    turn.state.tasks.get(id).cloned().ok_or_else(|| {
        let near = near(id, turn.state.tasks.iter().map(|task| task.id.as_str()));
        error(operation, ErrorCode::NotFound, format!("there is no task `{id}`{}", did_you_mean(&near)))
    })
}

fn title(operation: Operation, title: String) -> Result<String, ApiError> {
    line(operation, "title", title, MAX_TITLE_BYTES)
}

/// A text of one line that is not blank.
pub(super) fn line(operation: Operation, what: &str, text: String, most: usize) -> Result<String, ApiError> {
    if text.trim().is_empty() {
        return Err(error(operation, ErrorCode::InvalidArgument, format!("the {what} is empty: write a line")));
    }
    if text.contains(['\n', '\r']) {
        let message = format!("the {what} has several lines: write one");
        return Err(error(operation, ErrorCode::InvalidArgument, message));
    }
    within(operation, what, text, most)
}

fn within(operation: Operation, what: &str, text: String, most: usize) -> Result<String, ApiError> {
    if text.len() <= most {
        return Ok(text);
    }
    let message = format!("the {what} has {} bytes, more than the {most} that it may have: shorten it", text.len());
    Err(error(operation, ErrorCode::LimitExceeded, message))
}

fn description(operation: Operation, text: String) -> Result<String, ApiError> {
    within(operation, "description", text, MAX_DESCRIPTION_BYTES)
}

/// What a task is to wait for: tasks that there are, each once, and no cycle.
fn blockers(turn: &Turn<'_>, operation: Operation, id: &str, given: Vec<String>) -> Result<Vec<String>, ApiError> {
    let max = turn.profile.tasks.max;
    if given.len() > max as usize {
        let message = format!("{} tasks are named, more than the {max} that there may be (tasks.max)", given.len());
        return Err(error(operation, ErrorCode::LimitExceeded, message));
    }
    let mut blocked_by: Vec<String> = Vec::new();
    for blocker in given {
        if blocker != id {
            known(turn, operation, &blocker)?;
        }
        if !blocked_by.contains(&blocker) {
            blocked_by.push(blocker);
        }
    }
    if let Some(cycle) = turn.state.tasks.cycle(id, &blocked_by) {
        let path = cycle.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(" waits for ");
        let message = format!("the tasks would wait for each other: {path}; leave one of these out");
        return Err(error(operation, ErrorCode::Conflict, message));
    }
    Ok(blocked_by)
}

/// `tasks.add_task`
pub fn add_task(turn: &mut Turn<'_>, task: NewTask) -> Result<Usage, ApiError> {
    let operation = Operation::TasksAddTask;
    let id = line(operation, "id", task.id, MAX_ID_BYTES)?;
    let title = title(operation, task.title)?;
    let description = task.description.map(|text| description(operation, text)).transpose()?;
    if turn.state.tasks.get(&id).is_some() {
        let message = format!("there is a task `{id}` already: change it, or take another id");
        return Err(error(operation, ErrorCode::Conflict, message));
    }
    let max = turn.profile.tasks.max;
    if turn.state.tasks.len() >= max as usize {
        let message = format!("there are {max} tasks, as many as there may be (tasks.max): remove one first");
        return Err(error(operation, ErrorCode::LimitExceeded, message));
    }
    let blocked_by = blockers(turn, operation, &id, task.blocked_by)?;
    let task = Task { id, title, description, status: TaskStatus::Pending, blocked_by };
    turn.change(operation, Effect::TaskWritten { task })?;
    Ok(usage(turn))
}

/// `tasks.update_task`
pub fn update_task(turn: &mut Turn<'_>, id: String, patch: TaskPatch) -> Result<(), ApiError> {
    let operation = Operation::TasksUpdateTask;
    let mut task = known(turn, operation, &id)?;
    if let Some(new) = patch.title {
        task.title = title(operation, new)?;
    }
    match patch.description {
        TextEdit::Keep => {}
        TextEdit::Clear => task.description = None,
        TextEdit::Set(text) => task.description = Some(description(operation, text)?),
    }
    if let Some(status) = patch.status {
        task.status = match status {
            ContractStatus::Pending => TaskStatus::Pending,
            ContractStatus::InProgress => TaskStatus::InProgress,
            ContractStatus::Done => TaskStatus::Done,
        };
    }
    turn.change(operation, Effect::TaskWritten { task })
}

/// `tasks.set_blocked_by`
pub fn set_blocked_by(turn: &mut Turn<'_>, id: String, blocked_by: Vec<String>) -> Result<(), ApiError> {
    let operation = Operation::TasksSetBlockedBy;
    let mut task = known(turn, operation, &id)?;
    task.blocked_by = blockers(turn, operation, &id, blocked_by)?;
    turn.change(operation, Effect::TaskWritten { task })
}

/// `tasks.complete_task`
pub fn complete_task(turn: &mut Turn<'_>, id: String) -> Result<(), ApiError> {
    let operation = Operation::TasksCompleteTask;
    let task = Task { status: TaskStatus::Done, ..known(turn, operation, &id)? };
    turn.change(operation, Effect::TaskWritten { task })
}

/// `tasks.remove_task`
pub fn remove_task(turn: &mut Turn<'_>, id: String) -> Result<Usage, ApiError> {
    let operation = Operation::TasksRemoveTask;
    known(turn, operation, &id)?;
    turn.change(operation, Effect::TaskRemoved { id })?;
    Ok(usage(turn))
}
