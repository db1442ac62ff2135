//! Membrane of `docs`: documentation.

use crate::contract::ApiError;
use crate::contract::docs::{DocPage, DocQuery, Host};
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn search(&mut self, query: DocQuery) -> Result<DocPage, ApiError> {
        self.call(Operation::DocsSearch, &(query,))
    }

    fn close(&mut self, key: String) -> Result<u32, ApiError> {
        self.call(Operation::DocsClose, &(key,))
    }

    fn close_all(&mut self) -> Result<u32, ApiError> {
        self.call(Operation::DocsCloseAll, &())
    }
}
