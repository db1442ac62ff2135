//! The agent's own list of tasks.
#![doc(alias = "ggmodule:tasks")]

use crate::bindings::gg::sandbox::tasks as host;
use crate::core::{ApiError, TextEdit, Usage, called};

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskStatus {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Finished.
    Done,
}

/// What a task says beside its title.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskOptions {
    /// More about it.
    pub description: Option<String>,
    /// The ids of the tasks that must be done first.
    pub blocked_by: Vec<String>,
}

/// Changes to a task; what is `None` or `Keep` stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskPatch {
    /// Its new title.
    pub title: Option<String>,
    /// What becomes of its description.
    pub description: TextEdit,
    /// Its new status.
    pub status: Option<TaskStatus>,
}

/// Adds a task to the agent's list, and says how many tasks there are now.
///
/// # Arguments
///
/// * `id` - A name for the task, of the agent's own choosing.
/// * `title` - What is to be done, in a line.
/// * `options` - What else it says; nothing by `tasks::TaskOptions::default()`.
///
/// # Errors
///
/// [`ApiError`]: `Conflict` where the id is taken, `NotFound` for an unknown id in `blocked_by`,
/// `LimitExceeded` where the list is full.
#[doc(alias = "ggop:tasks.add_task")]
#[track_caller]
pub fn add_task(id: &str, title: &str, options: TaskOptions) -> Result<Usage, ApiError> {
    let task = host::NewTask {
        id: id.into(),
        title: title.into(),
        description: options.description,
        blocked_by: options.blocked_by,
    };
    called(host::add_task(&task)).map(Usage::from_host)
}

/// Changes a task.
///
/// # Arguments
///
/// * `id` - The task.
/// * `patch` - What changes; write the rest as `..Default::default()`.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such task.
#[doc(alias = "ggop:tasks.update_task")]
#[track_caller]
pub fn update_task(id: &str, patch: TaskPatch) -> Result<(), ApiError> {
    let patch = host::TaskPatch {
        title: patch.title,
        description: patch.description.into_host(),
        status: patch.status.map(|status| match status {
            TaskStatus::Pending => host::TaskStatus::Pending,
            TaskStatus::InProgress => host::TaskStatus::InProgress,
            TaskStatus::Done => host::TaskStatus::Done,
        }),
    };
    called(host::update_task(id, &patch))
}

/// Replaces the list of tasks that must be done before a task.
///
/// # Arguments
///
/// * `id` - The task.
/// * `blocked_by` - The ids of the tasks that must be done first; an empty list frees the task.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` for an unknown id, `Conflict` where the tasks would wait for each
/// other.
#[doc(alias = "ggop:tasks.set_blocked_by")]
#[track_caller]
pub fn set_blocked_by(id: &str, blocked_by: &[&str]) -> Result<(), ApiError> {
    let blocked_by: Vec<String> = blocked_by.iter().map(|id| (*id).to_owned()).collect();
    called(host::set_blocked_by(id, &blocked_by))
}

/// Marks a task as done.
///
/// # Arguments
///
/// * `id` - The task.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such task.
#[doc(alias = "ggop:tasks.complete_task")]
#[track_caller]
pub fn complete_task(id: &str) -> Result<(), ApiError> {
    called(host::complete_task(id))
}

/// Removes a task from the list, and says how many tasks there are now.
///
/// # Arguments
///
/// * `id` - The task.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such task.
#[doc(alias = "ggop:tasks.remove_task")]
#[track_caller]
pub fn remove_task(id: &str) -> Result<Usage, ApiError> {
    called(host::remove_task(id)).map(Usage::from_host)
}
