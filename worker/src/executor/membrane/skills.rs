//! Membrane of `skills`: texts that teach the agent something.

use crate::contract::ApiError;
use crate::contract::skills::Host;
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn read_skill(&mut self, name: String) -> Result<String, ApiError> {
        self.call(Operation::SkillsReadSkill, &(name,))
    }
}
