//! How a session ends.
#![doc(alias = "ggmodule:session")]

use crate::bindings::gg::sandbox::session as host;
use crate::core::{ApiError, called};

/// Ends the session when the turn closes: the work is done.
///
/// The last call of a turn counts, and none where the program fails.
///
/// # Arguments
///
/// * `summary` - What was done; not empty.
///
/// # Errors
///
/// [`ApiError`]: `InvalidArgument` for an empty summary, `Unavailable` for a reviewer.
#[doc(alias = "ggop:session.finish")]
#[track_caller]
pub fn finish(summary: &str) -> Result<(), ApiError> {
    called(host::finish(summary))
}

/// Ends a review when the turn closes: the work is good.
///
/// The last call of a turn counts, and none where the program fails.
///
/// # Arguments
///
/// * `summary` - What was looked at.
///
/// # Errors
///
/// [`ApiError`]: `Unavailable` for an agent that is no reviewer.
#[doc(alias = "ggop:session.approve")]
#[track_caller]
pub fn approve(summary: &str) -> Result<(), ApiError> {
    called(host::approve(summary))
}

/// Ends a review when the turn closes: the work needs changes.
///
/// The last call of a turn counts, and none where the program fails.
///
/// # Arguments
///
/// * `items` - What has to change, each in a sentence; at least one.
///
/// # Errors
///
/// [`ApiError`]: `InvalidArgument` for an empty list or a blank item, `Unavailable` for an agent
/// that is no reviewer.
#[doc(alias = "ggop:session.request_changes")]
#[track_caller]
pub fn request_changes(items: &[impl AsRef<str>]) -> Result<(), ApiError> {
    let items: Vec<String> = items.iter().map(|item| item.as_ref().to_owned()).collect();
    called(host::request_changes(&items))
}
