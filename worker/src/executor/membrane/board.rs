//! Membrane of `board`: the run's board.

use crate::contract::ApiError;
use crate::contract::board::{Created, Host, IssuePatch, NewEpic, NewIssue};
use crate::contract::core::Usage;
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn create_epic(&mut self, epic: NewEpic) -> Result<Created, ApiError> {
        self.call(Operation::BoardCreateEpic, &(epic,))
    }

    fn create_issue(&mut self, issue: NewIssue) -> Result<Created, ApiError> {
        self.call(Operation::BoardCreateIssue, &(issue,))
    }

    fn update_issue(&mut self, id: String, patch: IssuePatch) -> Result<(), ApiError> {
        self.call(Operation::BoardUpdateIssue, &(id, patch))
    }

    fn set_issue_blocked_by(&mut self, id: String, blocked_by: Vec<String>) -> Result<(), ApiError> {
        self.call(Operation::BoardSetIssueBlockedBy, &(id, blocked_by))
    }

    fn remove_epic(&mut self, id: String) -> Result<Usage, ApiError> {
        self.call(Operation::BoardRemoveEpic, &(id,))
    }

    fn remove_issue(&mut self, id: String) -> Result<Usage, ApiError> {
        self.call(Operation::BoardRemoveIssue, &(id,))
    }

    fn wait_for_issue(&mut self, id: String) -> Result<String, ApiError> {
        self.call(Operation::BoardWaitForIssue, &(id,))
    }
}
