//! How a session ends. The last call wins; an ending is dropped if the program that set it fails.

use super::{Turn, error};
use crate::contract::{ApiError, ErrorCode};
use gg_common::job::Effect;
use gg_common::operation::Operation;

fn end(turn: &mut Turn<'_>, effect: Effect) {
    turn.ending = Some(effect);
}

/// Refuses a text that is longer than one that a model reads: it goes into the log and onto a person's screen.
fn bounded(turn: &Turn<'_>, operation: Operation, bytes: usize) -> Result<(), ApiError> {
    let limit = turn.profile.limits.view_bytes;
    if bytes as u64 <= limit {
        return Ok(());
    }
    let message = format!(
        "the text has {bytes} bytes, more than the {limit} that it may (limit viewBytes): say it in fewer words, or write it to a file"
    );
    Err(error(operation, ErrorCode::LimitExceeded, message))
}

fn said(turn: &Turn<'_>, operation: Operation, summary: String) -> Result<String, ApiError> {
    bounded(turn, operation, summary.len())?;
    if summary.trim().is_empty() {
        return Err(error(
            operation,
            ErrorCode::InvalidArgument,
            "the summary is empty: say in a sentence or more what was done",
        ));
    }
    Ok(summary)
}

/// `session.finish`
pub fn finish(turn: &mut Turn<'_>, summary: String) -> Result<(), ApiError> {
    let summary = said(turn, Operation::SessionFinish, summary)?;
    end(turn, Effect::Finish { summary });
    Ok(())
}

/// `session.approve`
pub fn approve(turn: &mut Turn<'_>, summary: String) -> Result<(), ApiError> {
    let summary = said(turn, Operation::SessionApprove, summary)?;
    end(turn, Effect::Approve { summary });
    Ok(())
}

/// `session.request_changes`
pub fn request_changes(turn: &mut Turn<'_>, items: Vec<String>) -> Result<(), ApiError> {
    if items.is_empty() || items.iter().any(|item| item.trim().is_empty()) {
        return Err(error(
            Operation::SessionRequestChanges,
            ErrorCode::InvalidArgument,
            "the list of changes is empty or holds a blank one: name each change in words",
        ));
    }
    bounded(turn, Operation::SessionRequestChanges, items.iter().map(String::len).sum())?;
    end(turn, Effect::RequestChanges { items });
    Ok(())
}
