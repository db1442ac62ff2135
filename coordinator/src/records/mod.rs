//! What is left of a run: its folder with the event log, the programs as they ran, the final tree and the summary, which
//! is folded from the events and from nothing else.

mod folder;
mod references;
mod summary;
mod verify;

pub use folder::{RecordError, RunFolder, run_id};
pub use references::References;
pub use summary::{SummaryFold, summarize};
pub use verify::first_wrong;
