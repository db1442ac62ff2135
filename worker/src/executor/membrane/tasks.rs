//! Membrane of `tasks`: the agent's own tasks.

use crate::contract::ApiError;
use crate::contract::core::Usage;
use crate::contract::tasks::{Host, NewTask, TaskPatch};
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn add_task(&mut self, task: NewTask) -> Result<Usage, ApiError> {
        self.call(Operation::TasksAddTask, &(task,))
    }

    fn update_task(&mut self, id: String, patch: TaskPatch) -> Result<(), ApiError> {
        self.call(Operation::TasksUpdateTask, &(id, patch))
    }

    fn set_blocked_by(&mut self, id: String, blocked_by: Vec<String>) -> Result<(), ApiError> {
        self.call(Operation::TasksSetBlockedBy, &(id, blocked_by))
    }

    fn complete_task(&mut self, id: String) -> Result<(), ApiError> {
        self.call(Operation::TasksCompleteTask, &(id,))
    }

    fn remove_task(&mut self, id: String) -> Result<Usage, ApiError> {
        self.call(Operation::TasksRemoveTask, &(id,))
    }
}
