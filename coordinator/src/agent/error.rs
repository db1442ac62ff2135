//! Why a run could not be driven on.

use crate::farm::FarmError;
use crate::prompts::PromptError;
use crate::records::RecordError;
use gg_common::ledger::LedgerError;
use gg_common::memory_store::MemoryStoreError;
use gg_common::objects::ObjectError;

/// Why a run could not be driven on. What stands in its log stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The log cannot be written or read.
    #[error("{0}; free some space or make the folder writable: the log is whole up to the event before")]
    Ledger(#[from] LedgerError),
    /// A body cannot be stored or read.
    #[error("{0}; free some space or make the folder writable")]
    Objects(#[from] ObjectError),
    /// Another record cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A prompt does not render.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// A store of memories cannot be used.
    #[error(transparent)]
    Memories(#[from] MemoryStoreError),
    /// The farm cannot do what the run needs.
    #[error(transparent)]
    Farm(#[from] FarmError),
}
