//! Membrane of `context`: what the model's window holds.

use crate::contract::ApiError;
use crate::contract::context::{ArchivePage, Host, Reclaimed, TurnRange};
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn evict_file_view(&mut self, path: Option<String>) -> Result<Reclaimed, ApiError> {
        self.call(Operation::ContextEvictFileView, &(path,))
    }

    fn archive_thread(&mut self, ranges: Vec<TurnRange>) -> Result<Reclaimed, ApiError> {
        self.call(Operation::ContextArchiveThread, &(ranges,))
    }

    fn search_archive(&mut self, query: String) -> Result<ArchivePage, ApiError> {
        self.call(Operation::ContextSearchArchive, &(query,))
    }

    fn compact(&mut self, summary: String, files: Vec<String>) -> Result<(), ApiError> {
        self.call(Operation::ContextCompact, &(summary, files))
    }
}
