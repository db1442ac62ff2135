//! Membrane of `files`: files of the agent's tree.

use crate::contract::ApiError;
use crate::contract::files::{DirEntry, FileContents, Host, SearchMatch};
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn read_file(&mut self, path: String, offset: Option<u32>, limit: Option<u32>) -> Result<FileContents, ApiError> {
        self.call(Operation::FilesReadFile, &(path, offset, limit))
    }

    fn read_text_file(&mut self, path: String, offset: Option<u32>, limit: Option<u32>) -> Result<String, ApiError> {
        self.call(Operation::FilesReadTextFile, &(path, offset, limit))
    }

    fn write_file(&mut self, path: String, contents: String) -> Result<u64, ApiError> {
        self.call(Operation::FilesWriteFile, &(path, contents))
    }

    fn edit_file(&mut self, path: String, old: String, new: String) -> Result<(), ApiError> {
        self.call(Operation::FilesEditFile, &(path, old, new))
    }

    fn list_dir(&mut self, path: Option<String>) -> Result<Vec<DirEntry>, ApiError> {
        self.call(Operation::FilesListDir, &(path,))
    }

    fn search(
        &mut self,
        query: String,
        path: Option<String>,
        limit: Option<u32>,
    ) -> Result<Vec<SearchMatch>, ApiError> {
        self.call(Operation::FilesSearch, &(query, path, limit))
    }
}
