//! How a session ends. The last call wins; an ending is dropped if the program that set it fails.

use super::{Turn, error};
use crate::contract::{ApiError, ErrorCode};
use gg_common::job::Effect;
use gg_common::operation::Operation;

fn end(turn: &mut Turn<'_>, effect: Effect) {
    turn.ending = Some(effect);
}

fn said(operation: Operation, summary: String) -> Result<String, ApiError> {
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
    let summary = said(Operation::SessionFinish, summary)?;
    end(turn, Effect::Finish { summary });
    Ok(())
}

/// `session.approve`
pub fn approve(turn: &mut Turn<'_>, summary: String) -> Result<(), ApiError> {
    let summary = said(Operation::SessionApprove, summary)?;
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
    end(turn, Effect::RequestChanges { items });
    Ok(())
}
