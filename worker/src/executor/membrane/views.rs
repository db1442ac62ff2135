//! Membrane of `views`: what the model reads after the turn.

use crate::contract::ApiError;
use crate::contract::files::FileContents;
use crate::contract::views::{Host, ViewEntry};
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn open_file(&mut self, path: String, offset: Option<u32>, limit: Option<u32>) -> Result<FileContents, ApiError> {
        self.call(Operation::ViewsOpenFile, &(path, offset, limit))
    }

    fn open_text(&mut self, label: String, body: String) -> Result<(), ApiError> {
        self.call(Operation::ViewsOpenText, &(label, body))
    }

    fn open_docs_view(&mut self, name: String) -> Result<(), ApiError> {
        self.call(Operation::ViewsOpenDocsView, &(name,))
    }

    fn close(&mut self, selector: String) -> Result<u32, ApiError> {
        self.call(Operation::ViewsClose, &(selector,))
    }

    fn current(&mut self) -> Result<Vec<ViewEntry>, ApiError> {
        self.call(Operation::ViewsCurrent, &())
    }
}
