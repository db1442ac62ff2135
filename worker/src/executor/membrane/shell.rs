//! Membrane of `shell`: commands in the agent's tree.

use crate::contract::ApiError;
use crate::contract::shell::{Host, ShellOutput};
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn shell(&mut self, command: String, timeout_secs: Option<u32>) -> Result<ShellOutput, ApiError> {
        self.call(Operation::ShellShell, &(command, timeout_secs))
    }
}
