//! The programs that this agent has run.
#![doc(alias = "ggmodule:programs")]

use crate::bindings::gg::sandbox::programs as host;
use crate::core::{ApiError, called};

/// A program that ran in an earlier turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramEntry {
    /// The turn in which it ran.
    pub turn: u32,
    /// How many lines it has.
    pub lines: u32,
    /// How many characters it has.
    pub chars: u32,
    /// Whether it completed.
    pub ok: bool,
    /// How it failed; `None` where it completed.
    pub error: Option<String>,
}

impl ProgramEntry {
    /// Gives the source of this program.
    ///
    /// # Errors
    ///
    /// [`ApiError`]: `NotFound` where the library no longer has it.
    #[doc(alias = "ggalias:programs.get")]
    #[track_caller]
    pub fn get(&self) -> Result<String, ApiError> {
        get(Some(self.turn))
    }
}

/// Lists the programs of earlier turns, oldest first.
///
/// # Errors
///
/// [`ApiError`]: `Unavailable` where this agent has no library of programs.
#[doc(alias = "ggop:programs.history")]
#[track_caller]
pub fn history() -> Result<Vec<ProgramEntry>, ApiError> {
    let entries = called(host::history())?;
    Ok(entries
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

/// Gives the source of a program that ran.
///
/// # Arguments
///
/// * `turn` - The turn in which it ran; the latest where it is `None`.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where no program ran in that turn.
#[doc(alias = "ggop:programs.get")]
#[track_caller]
pub fn get(turn: Option<u32>) -> Result<String, ApiError> {
    called(host::get(turn))
}

/// Runs a program in place of this one once this one has ended without an error.
///
/// The first hand-over of a program stands; a second one is refused.
///
/// # Arguments
///
/// * `source` - The whole program, such as an edited one that [`get`] gave.
///
/// # Errors
///
/// [`ApiError`]: `Refused` where this program already hands over, `LimitExceeded` after four
/// programs in one turn.
#[doc(alias = "ggop:programs.rerun")]
#[track_caller]
pub fn rerun(source: &str) -> Result<(), ApiError> {
    called(host::rerun(source))
}
