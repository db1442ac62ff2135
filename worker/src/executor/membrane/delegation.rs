//! Membrane of `delegation`: other agents.

use crate::contract::ApiError;
use crate::contract::delegation::{Assignment, Host, Subagent, SubagentResult};
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn spawn_subagent(&mut self, agent: String, work: Assignment) -> Result<Subagent, ApiError> {
        self.call(Operation::DelegationSpawnSubagent, &(agent, work))
    }

    fn wait_for_subagents(&mut self, ids: Option<Vec<String>>) -> Result<Vec<SubagentResult>, ApiError> {
        self.call(Operation::DelegationWaitForSubagents, &(ids,))
    }

    fn send_message(&mut self, agent_id: String, message: String) -> Result<(), ApiError> {
        self.call(Operation::DelegationSendMessage, &(agent_id, message))
    }

    fn transition_state(&mut self, state: String, note: Option<String>) -> Result<(), ApiError> {
        self.call(Operation::DelegationTransitionState, &(state, note))
    }

    fn exec(&mut self, agent: String, prompt: Option<String>) -> Result<(), ApiError> {
        self.call(Operation::DelegationExec, &(agent, prompt))
    }

    fn fork(&mut self, prompt: String) -> Result<String, ApiError> {
        self.call(Operation::DelegationFork, &(prompt,))
    }
}
