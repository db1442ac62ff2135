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
