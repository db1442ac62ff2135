//! Membrane of `session`: how a session ends.

use crate::contract::ApiError;
use crate::contract::session::Host;
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn finish(&mut self, summary: String) -> Result<(), ApiError> {
        self.call(Operation::SessionFinish, &(summary,))
    }

    fn approve(&mut self, summary: String) -> Result<(), ApiError> {
        self.call(Operation::SessionApprove, &(summary,))
    }

    fn request_changes(&mut self, items: Vec<String>) -> Result<(), ApiError> {
        self.call(Operation::SessionRequestChanges, &(items,))
    }
}
