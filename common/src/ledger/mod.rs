//! The ledger: event logs of runs and the attempts of their turns.

mod local;

pub use local::{LOG_FILE, LocalLedger, read_log};

use crate::event::{Event, EventBody};
use crate::job::RunId;
use async_trait::async_trait;
use std::path::PathBuf;

/// Why the ledger could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// Somebody else appended first, or the caller is behind.
    #[error("the log of run {run} is at event {found}, not at {expected}: another process drives the run")]
    Sequence {
        /// The run.
        run: RunId,
        /// What the caller expected to append.
        expected: u64,
        /// What comes next.
        found: u64,
    },
    /// Another process holds the run.
    #[error("the run in {} is driven by another process: wait for it, or stop it first", folder.display())]
    Held {
        /// The run's folder.
        folder: PathBuf,
    },
    /// The file system failed.
    #[error("{action} {} failed: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A line of a log does not read.
    #[error("line {line} of {} does not read: {message}; set the file aside and start the run again", path.display())]
    Unreadable {
        /// The log.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        message: String,
    },
}

/// Event logs of runs and the attempts of their turns.
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Appends an event to the log of a run as number `seq`; nothing is written if the log is elsewhere.
    async fn append(&self, run: &RunId, seq: u64, at_ms: u64, body: EventBody) -> Result<Event, LedgerError>;

    /// The events of a run, from number `from`.
    async fn read(&self, run: &RunId, from: u64) -> Result<Vec<Event>, LedgerError>;

    /// Counts an attempt of a turn, before it runs, and gives the attempts so far, this one included.
    async fn count_attempt(&self, run: &RunId, turn: u32) -> Result<u32, LedgerError>;

    /// Lets go of a run, and of what is held for it: from now on another process may drive it.
    async fn release(&self, run: &RunId);
}
