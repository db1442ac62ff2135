//! The programs of this agent.

use super::following::{MOST_PROGRAMS, NoRerun};
use super::{Turn, error};
use crate::contract::programs::ProgramEntry;
use crate::contract::{ApiError, ErrorCode};
use gg_common::operation::Operation;
use gg_common::state::ProgramEntry as Kept;

fn library(turn: &mut Turn<'_>, operation: Operation) -> Result<Vec<Kept>, ApiError> {
    turn.state
        .programs
        .all_blocking(turn.objects)
        .map_err(|problem| turn.farm_fault(operation, &problem, "the library of programs could not be read"))
}

/// `programs.history`: earlier programs, oldest first.
pub fn history(turn: &mut Turn<'_>) -> Result<Vec<ProgramEntry>, ApiError> {
    Ok(library(turn, Operation::ProgramsHistory)?
        .into_iter()
        .map(|entry| ProgramEntry {
            turn: entry.turn,
            lines: entry.lines,
            chars: entry.chars,
            ok: entry.ok,
            error: entry.error,
        })
        .collect())
}

/// `programs.get`: the source that ran at a turn; the latest where none is stated.
pub fn get(turn: &mut Turn<'_>, number: Option<u32>) -> Result<String, ApiError> {
    let operation = Operation::ProgramsGet;
    // The latest is at hand; only an older one may have to be fetched.
    let recent = turn.state.programs.recent();
    let entry = match number {
        Some(number) => recent.iter().find(|entry| entry.turn == number),
        None => recent.last(),
    };
    let source = match entry.map(|entry| entry.source) {
        Some(source) => source,
        None => {
            let programs = library(turn, operation)?;
            match programs.iter().find(|entry| Some(entry.turn) == number) {
                Some(entry) => entry.source,
                None => return Err(no_program(operation, number, &programs)),
            }
        }
    };
    match turn.objects.get_blocking(&source) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(problem) => Err(turn.farm_fault(operation, &problem, "the program's source could not be read")),
    }
}

fn no_program(operation: Operation, number: Option<u32>, programs: &[Kept]) -> ApiError {
    let there = match (programs.first(), programs.last()) {
        (Some(first), Some(last)) => format!("there are programs of turns {} to {}", first.turn, last.turn),
        _ => "this is the first program".to_owned(),
    };
    let which = number.map_or_else(|| "no program ran before".to_owned(), |n| format!("no program ran at turn {n}"));
    error(operation, ErrorCode::NotFound, format!("{which}: {there}"))
}

/// What a code module's source is called.
pub(super) const CODE: &str = "code";

/// Refuses a source that no reply could be.
pub(super) fn check(turn: &Turn<'_>, operation: Operation, what: &str, source: &str) -> Result<(), ApiError> {
    let most = turn.profile.limits.reply_bytes;
    let whole = if what == CODE { "module" } else { "program" };
    if source.trim().is_empty() {
        return Err(error(operation, ErrorCode::InvalidArgument, format!("the {what} is empty: give a whole {whole}")));
    }
    if source.len() as u64 > most {
        let message = format!(
            "the {what} has {} bytes, more than the {most} that a {whole} may have (limit replyBytes): shorten it",
            source.len()
        );
        return Err(error(operation, ErrorCode::LimitExceeded, message));
    }
    Ok(())
}

/// `programs.rerun`: a program in the place of this one once it has ended. The first stands; it is revoked if this one
/// fails.
pub fn rerun(turn: &mut Turn<'_>, source: String) -> Result<(), ApiError> {
    let operation = Operation::ProgramsRerun;
    check(turn, operation, "source", &source)?;
    turn.following.queue_rerun(source).map_err(|why| match why {
        NoRerun::Already => error(
            operation,
            ErrorCode::Refused,
            "this program has handed over already, and the first hand-over stands: call it once",
        ),
        NoRerun::Script => error(
            operation,
            ErrorCode::Refused,
            "an on-use script runs in nobody's place, so it cannot hand over: do the work in the script",
        ),
        NoRerun::Full => error(
            operation,
            ErrorCode::LimitExceeded,
            format!("a turn runs at most {MOST_PROGRAMS} programs, and this one has no room for another: do the rest in the next turn"),
        ),
    })
}
