//! Other agents: start them, wait for them, write to them, hand over to them.
#![doc(alias = "ggmodule:delegation")]

use crate::bindings::gg::sandbox::delegation as host;
use crate::core::{ApiError, called};

/// What an agent is started on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assignment {
    /// What it is to do.
    Prompt(String),
    /// The id of the board's issue that it is to work on.
    Issue(String),
}

/// An agent that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subagent {
    /// Its id, by which the other calls name it.
    pub id: String,
    /// The profile that it was started from.
    pub profile: String,
    /// The model that answers for it.
    pub model_id: String,
}

/// How an agent that was started ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubagentResult {
    /// Its id.
    pub id: String,
    /// How it ended; `None` where it did not end by itself.
    pub status: Option<String>,
    /// What it said of its work.
    pub summary: String,
}

impl Subagent {
    /// Sends a message to this agent, which reads it in its next turn.
    ///
    /// # Arguments
    ///
    /// * `message` - What to tell it.
    ///
    /// # Errors
    ///
    /// [`ApiError`]: `Refused` where it has ended.
    #[doc(alias = "ggalias:delegation.send_message")]
    #[track_caller]
    pub fn send_message(&self, message: &str) -> Result<(), ApiError> {
        send_message(&self.id, message)
    }
}

/// Starts an agent on a prompt or on an issue of the board.
///
/// # Arguments
///
/// * `agent` - The profile to start it from.
/// * `work` - What it is started on.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` for an unknown profile or issue, `LimitExceeded` where agents are
/// nested too deeply or too many run.
#[doc(alias = "ggop:delegation.spawn_subagent")]
#[track_caller]
pub fn spawn_subagent(agent: &str, work: Assignment) -> Result<Subagent, ApiError> {
    let work = match work {
        Assignment::Prompt(prompt) => host::Assignment::Prompt(prompt),
        Assignment::Issue(issue) => host::Assignment::Issue(issue),
    };
    let agent = called(host::spawn_subagent(agent, &work))?;
    Ok(Subagent { id: agent.id, profile: agent.profile, model_id: agent.model_id })
}

/// Waits until agents that this agent started have ended, and says how each of them did.
///
/// # Arguments
///
/// * `ids` - The agents to wait for; all of them where it is `None`.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` for an unknown id, `LimitExceeded` where the time of the run is
/// spent.
#[doc(alias = "ggop:delegation.wait_for_subagents")]
#[track_caller]
pub fn wait_for_subagents(ids: Option<&[&str]>) -> Result<Vec<SubagentResult>, ApiError> {
    let ids: Option<Vec<String>> = ids.map(|ids| ids.iter().map(|id| (*id).to_owned()).collect());
    let results = called(host::wait_for_subagents(ids.as_deref()))?;
    Ok(results
        .into_iter()
        .map(|result| SubagentResult { id: result.id, status: result.status, summary: result.summary })
        .collect())
}

/// Sends a message to an agent, which reads it in its next turn.
///
/// # Arguments
///
/// * `agent_id` - The agent.
/// * `message` - What to tell it.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` for an unknown agent, `Refused` where it has ended.
#[doc(alias = "ggop:delegation.send_message")]
#[track_caller]
pub fn send_message(agent_id: &str, message: &str) -> Result<(), ApiError> {
    called(host::send_message(agent_id, message))
}

/// Goes on to another state of the agent's state machine when the turn closes.
///
/// The first hand-over of a turn stands; a second one is refused.
///
/// # Arguments
///
/// * `state` - The state to go on to.
/// * `note` - What the next state should know.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` for a state that cannot be reached from here, `Refused` where the
/// turn already hands over.
#[doc(alias = "ggop:delegation.transition_state")]
#[track_caller]
pub fn transition_state(state: &str, note: Option<&str>) -> Result<(), ApiError> {
    called(host::transition_state(state, note))
}

/// Hands the work over to another profile in place of this agent when the turn closes.
///
/// The first hand-over of a turn stands; a second one is refused.
///
/// # Arguments
///
/// * `agent` - The profile that takes over.
/// * `prompt` - What it should know.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` for an unknown profile, `Refused` where the turn already hands over.
#[doc(alias = "ggop:delegation.exec")]
#[track_caller]
pub fn exec(agent: &str, prompt: Option<&str>) -> Result<(), ApiError> {
    called(host::exec(agent, prompt))
}

/// Starts a copy of this agent, with all that it knows, when the turn closes, and gives a handle of it.
///
/// # Arguments
///
/// * `prompt` - What the copy is to do.
///
/// # Errors
///
/// [`ApiError`]: `LimitExceeded` where agents are nested too deeply or too many run.
#[doc(alias = "ggop:delegation.fork")]
#[track_caller]
pub fn fork(prompt: &str) -> Result<String, ApiError> {
    called(host::fork(prompt))
}
