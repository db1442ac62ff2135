//! Membrane of `programs`: the programs of this agent.

use crate::contract::ApiError;
use crate::contract::programs::{Host, ProgramEntry};
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn history(&mut self) -> Result<Vec<ProgramEntry>, ApiError> {
        self.call(Operation::ProgramsHistory, &())
    }

    fn get(&mut self, turn: Option<u32>) -> Result<String, ApiError> {
        self.call(Operation::ProgramsGet, &(turn,))
    }

    fn rerun(&mut self, source: String) -> Result<(), ApiError> {
        self.call(Operation::ProgramsRerun, &(source,))
    }
}
