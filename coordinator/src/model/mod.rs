//! Models: who answers.
//!
//! A [`Model`] is either a script ([`Scripted`]) or an endpoint ([`Remote`]). What every endpoint needs is in one place
//! each, and knows no protocol: `wire` makes one request within its time-outs, `failure` says what went wrong and whether
//! it may pass, `retry` how long to wait, `limiter` keeps the binding's own limits, `secret` the key. A protocol is one
//! file, `openai` or `anthropic`: it writes a request's body and reads an answer's.
//!
//! Requests go through `reqwest`. The client crates above it either make requests again by rules of their own or turn
//! finish reasons, refusals and usage into types of their own; here they are recorded as the provider says them, any field
//! of a request passes through, and what is made again, and when, is decided by this project's rules and written down.

mod anthropic;
mod binding;
mod failure;
mod limiter;
mod openai;
mod protocol;
mod remote;
mod retry;
mod scripted;
mod secret;
#[cfg(test)]
mod server;
mod wire;

pub use binding::{Binding, Finding, allowed};
pub use remote::Remote;
pub use scripted::{ScriptError, Scripted};

use crate::window::Message;
use async_trait::async_trait;
use gg_common::event::Usage;
use gg_common::model::{ModelBinding, ModelCall, ModelFailure};
use gg_common::reply::FinishReason;

/// What a model is asked.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The turn, from 1.
    pub turn: u32,
    /// What it reads.
    pub messages: &'a [Message],
}

/// What a model answers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelReply {
    /// The reply, verbatim.
    pub bytes: Vec<u8>,
    /// Why the model stopped.
    pub finish_reason: FinishReason,
    /// What the call used.
    pub usage: Usage,
    /// How the call went; none where nobody was called.
    pub call: Option<Box<ModelCall>>,
}

/// A model did not answer, and asking it again would not help or was tried often enough.
#[derive(Debug, thiserror::Error)]
#[error("the model did not answer: {message}")]
pub struct ModelError {
    /// Why.
    pub failure: ModelFailure,
    /// What failed, where, and what to do.
    pub message: String,
}

/// Who answers. The turn loop knows nothing else of a model.
#[async_trait]
pub trait Model: Send + Sync {
    /// The reply of a turn; none where there is none left to give, which ends the run.
    async fn reply(&self, request: Request<'_>) -> Result<Option<ModelReply>, ModelError>;

    /// What binds the run to it, as the run's log keeps it; none where nothing can be said. It never holds a key.
    fn binding(&self) -> Option<ModelBinding> {
        None
    }
}
