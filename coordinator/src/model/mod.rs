//! Models: who answers. A protocol is one file.

mod scripted;
mod source;

pub use scripted::{ScriptError, Scripted};
pub use source::ModelSource;

use crate::window::Message;
use async_trait::async_trait;
use gg_common::event::Usage;
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelReply {
    /// The reply, verbatim.
    pub bytes: Vec<u8>,
    /// Why the model stopped.
    pub finish_reason: FinishReason,
    /// What the call used.
    pub usage: Usage,
}

/// A model could not answer.
#[derive(Debug, thiserror::Error)]
#[error("the model did not answer: {0}")]
pub struct ModelError(pub String);

/// Who answers. Implemented once a protocol; the turn loop knows nothing else of a model.
#[async_trait]
pub trait Model: Send + Sync {
    /// The reply of a turn; none where there is none left to give, which ends the run.
    async fn reply(&self, request: Request<'_>) -> Result<Option<ModelReply>, ModelError>;
}
