//! The programs of this agent.

use super::{Turn, error};
use crate::contract::programs::ProgramEntry;
use crate::contract::{ApiError, ErrorCode};
use gg_common::operation::Operation;

/// `programs.history`: earlier programs, oldest first.
pub fn history(turn: &mut Turn<'_>) -> Result<Vec<ProgramEntry>, ApiError> {
    Ok(turn
        .programs
        .iter()
        .map(|entry| ProgramEntry {
            turn: entry.turn,
            lines: entry.lines,
            chars: entry.chars,
            ok: entry.ok,
            error: entry.error.clone(),
        })
        .collect())
}

/// `programs.get`: the source that ran at a turn; the latest where none is stated.
pub fn get(turn: &mut Turn<'_>, number: Option<u32>) -> Result<String, ApiError> {
    let operation = Operation::ProgramsGet;
    let entry = match number {
        Some(number) => turn.programs.iter().find(|entry| entry.turn == number),
        None => turn.programs.last(),
    };
    let Some(entry) = entry else {
        let there = match (turn.programs.first(), turn.programs.last()) {
            (Some(first), Some(last)) => format!("there are programs of turns {} to {}", first.turn, last.turn),
            _ => "this is the first program".to_owned(),
        };
        let which =
            number.map_or_else(|| "no program ran before".to_owned(), |n| format!("no program ran at turn {n}"));
        return Err(error(operation, ErrorCode::NotFound, format!("{which}: {there}")));
    };
    match turn.objects.get_blocking(&entry.source) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(problem) => {
            turn.fault = Some(problem.to_string());
            Err(error(operation, ErrorCode::IoError, "the program's source could not be read"))
        }
    }
}
