//! What file calls are made of.
//!
//! Every path that a program gives becomes a [`TreePath`](path::TreePath) and is resolved by the kernel beneath the tree's directory
//! (`cap-std`, `openat2` with `RESOLVE_BENEATH`): `..`, symlinks and whatever changes meanwhile lead nowhere else. A link
//! that stays inside the tree is followed; an absolute one is not, even to the tree itself. Nothing here opens a FIFO,
//! socket or device, or waits for one. Where a worker has the means, all of it runs with the agent's own rights
//! ([`crate::home::identity`]).

pub mod edit;
pub mod near;
pub mod open;
pub mod path;
pub mod picture;
pub mod problem;
pub mod search;
pub mod window;
pub mod write;

pub use problem::{FileProblem, ProblemCode};

use super::{Turn, error};
use crate::contract::files::*;
use crate::contract::{ApiError, ErrorCode};
use gg_common::operation::Operation;
pub fn read(
    _: &mut Turn<'_>,
    op: Operation,
    _: &str,
    _: Option<u32>,
    _: Option<u32>,
    _: u64,
) -> Result<(String, FileContents), ApiError> {
    Err(error(op, ErrorCode::Other, "x"))
}
pub fn read_file(_: &mut Turn<'_>, _: String, _: Option<u32>, _: Option<u32>) -> Result<FileContents, ApiError> {
    Err(error(Operation::FilesReadFile, ErrorCode::Other, "x"))
}
pub fn read_text_file(_: &mut Turn<'_>, _: String, _: Option<u32>, _: Option<u32>) -> Result<String, ApiError> {
    Err(error(Operation::FilesReadFile, ErrorCode::Other, "x"))
}
pub fn write_file(_: &mut Turn<'_>, _: String, _: String) -> Result<u64, ApiError> {
    Err(error(Operation::FilesReadFile, ErrorCode::Other, "x"))
}
pub fn edit_file(_: &mut Turn<'_>, _: String, _: String, _: String) -> Result<(), ApiError> {
    Err(error(Operation::FilesReadFile, ErrorCode::Other, "x"))
}
pub fn list_dir(_: &mut Turn<'_>, _: Option<String>) -> Result<Vec<DirEntry>, ApiError> {
    Err(error(Operation::FilesReadFile, ErrorCode::Other, "x"))
}
pub fn search(_: &mut Turn<'_>, _: String, _: Option<String>, _: Option<u32>) -> Result<Vec<SearchMatch>, ApiError> {
    Err(error(Operation::FilesReadFile, ErrorCode::Other, "x"))
}
