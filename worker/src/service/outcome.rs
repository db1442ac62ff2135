//! From how the engine saw a program end, and what its guest says of it, to the turn's outcome. Pure: what a guest says
//! chooses among the program's own failures and never makes one the farm's.

use crate::contract::ErrorCode;
use crate::contract::feedback::FailureKind;
use crate::executor::protocol::{Done, End, Failure};
use crate::home::tree::DISK_RESERVE;
use gg_common::limits::Limits;
use gg_common::outcome::{Location, Outcome, ProgramError, Rejection};

/// Who tells a model why a program failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Teller {
    /// The guest, by its feedback.
    Guest,
    /// The language's own runtime, on standard error. What the program's shell reports beside it counts where it is that.
    Runtime,
}

/// How much of a message is looked for on standard error, in bytes.
const ENDS_BYTES: usize = 100;

/// What standard error says, and the feedback does not: a failure that was reported and handled is not the one that ended
/// the program.
fn on_stderr(done: &Done) -> Option<String> {
    let said = String::from_utf8_lossy(&done.stderr).trim().to_owned();
    // Of standard error the head and the tail are kept, so a long message is there by its beginning and its end.
    let message = done.failure.as_ref().map(|failure| failure.message.trim()).filter(|message| !message.is_empty());
    let reported = message.is_some_and(|message| said.contains(&message[..message.floor_char_boundary(ENDS_BYTES)]));
    let is_last = message.is_some_and(|message| {
        said.ends_with(&message[message.ceil_char_boundary(message.len().saturating_sub(ENDS_BYTES))..])
    });
    match (said.is_empty(), &done.end) {
        (true, _) => None,
        // The last word is what ended it.
        (_, End::Failed) => (!is_last).then_some(said),
        _ => (!reported).then_some(said),
    }
}

/// The outcome of a program that ended in its executor.
pub fn of_done(done: &Done, limits: &Limits, teller: Teller) -> Outcome {
    let unreported = if teller == Teller::Runtime { on_stderr(done) } else { None };
    match &done.end {
        End::Failed if unreported.is_some() => failed(ProgramError::Error, unreported.unwrap_or_default()),
        End::Trap(text) if unreported.is_some() => failed(
            ProgramError::Trap,
            format!("{}\nThe program was ended by the engine: {text}.", unreported.unwrap_or_default()),
        ),
        End::Completed => Outcome::Completed,
        End::Failed => match &done.failure {
            Some(failure) => of_failure(failure),
            None => failed(ProgramError::Error, "The program failed without saying why.".to_owned()),
        },
        End::Exit(status) => exit(*status, done.failure.as_ref()),
        End::GuestTime => failed(
            ProgramError::Timeout,
            format!(
                "The program was ended: it ran for longer than {} s, sleeping included (limit guestTimeMs). Do less in one program, or wait less.",
                seconds(limits.guest_time_ms)
            ),
        ),
        End::OutOfMemory => out_of_memory(limits, done.failure.as_ref()),
        End::StackOverflow => failed(
            ProgramError::StackOverflow,
            said(
                done.failure.as_ref(),
                format!(
                    "The program was ended: its calls nest deeper than its stack of {} KiB holds (limit wasmStackBytes). Use a loop, or recurse less deeply.",
                    limits.wasm_stack_bytes / 1024
                ),
            ),
        ),
        End::Limit { name, value, limit } => match limit_reached(name, *value, *limit) {
            // A full temporary folder is an error of the program's own first, and it says where.
            Outcome::Failed { error_text, .. } if name.starts_with("temp") => {
                failed(ProgramError::Limit, said(done.failure.as_ref(), error_text))
            }
            outcome => outcome,
        },
        // It said why before it ended itself.
        End::Trap(text) if text.contains(ABORT) && done.failure.is_some() => {
            done.failure.as_ref().map_or_else(|| failed(ProgramError::Trap, text.clone()), of_failure)
        }
        End::Unlinkable(text) => Outcome::Rejected {
            error_type: Rejection::TranspileCompile,
            error_text: format!("error: the program asks for something that its host does not have: {text}"),
        },
        End::Trap(text) => failed(
            ProgramError::Trap,
            said(done.failure.as_ref(), format!("The program was ended by the engine: {text}.")),
        ),
    }
}

/// The trap that a runtime ends itself by.
const ABORT: &str = "unreachable";

/// The outcome of a program whose component is too much for the engine.
pub fn too_much_to_compile(bound: &str) -> Outcome {
    Outcome::Rejected {
        error_type: Rejection::TranspileUnsupported,
        error_text: format!(
            "The compiled program is too much for the engine: it was not ready within {bound} (bound engineCompile). Write less, or in smaller functions."
        ),
    }
}

/// The outcome of a program whose wall bound passed.
pub fn of_wall_time(limits: &Limits, left_ms: u64) -> Outcome {
    let (name, bound) = if left_ms < limits.program_wall_ms {
        ("limit turnWallMs", limits.turn_wall_ms)
    } else {
        ("limit programWallMs", limits.program_wall_ms)
    };
    failed(
        ProgramError::Timeout,
        format!(
            "The program was ended: it took longer than {} s of wall time, calls included ({name}).",
            seconds(bound)
        ),
    )
}

/// The outcome of a program whose executor was refused memory.
pub fn out_of_memory(limits: &Limits, failure: Option<&Failure>) -> Outcome {
    failed(
        ProgramError::OutOfMemory,
        said(
            failure,
            format!(
                "The program was ended: it needs more than {} MiB of memory (limit memoryBytes). Work on less at a time.",
                limits.memory_bytes >> 20
            ),
        ),
    )
}

/// The outcome of a turn that reached a limit.
pub fn limit_reached(name: &str, value: u64, limit: u64) -> Outcome {
    if name == "callBytes" {
        // How much more is not known: the engine stops before it is read.
        return failed(
            ProgramError::Limit,
            format!(
                "The program was ended: a call carries more than the {limit} bytes that one may (limit callBytes). Pass less at a time."
            ),
        );
    }
    if name == DISK_RESERVE {
        return failed(
            ProgramError::Limit,
            format!(
                "The program was ended: the disk has {value} bytes left, of which the worker keeps {limit} free (limit {name}), so the tree is as it was before the turn. Write less."
            ),
        );
    }
    let what = match name {
        "treeBytes" | "treeEntries" | "treeDepth" => {
            "what it wrote would pass what the tree may hold, so the tree is as it was before the turn"
        }
        "tempBytes" | "tempEntries" => "what it wrote fills what the temporary folder may hold",
        _ => "it passed a bound",
    };
    failed(ProgramError::Limit, format!("The program was ended: {what} ({value} of {limit}, limit {name})."))
}

/// The outcome of a turn whose tree does not fit on the disk of what is stored.
pub fn disk_full() -> Outcome {
    failed(
        ProgramError::Limit,
        format!(
            "The program was ended: what it left does not fit on the worker's disk (limit {DISK_RESERVE}), so the tree is as it was before the turn. Write less."
        ),
    )
}

fn failed(error_type: ProgramError, error_text: String) -> Outcome {
    Outcome::Failed { error_type, error_text, location: None, exit_code: None }
}

/// The guest's words, then the farm's: the model reads where it happened and what was reached.
fn said(failure: Option<&Failure>, ours: String) -> String {
    match failure.map(|failure| failure.message.trim_end()) {
        Some(theirs) if !theirs.is_empty() => format!("{theirs}\n{ours}"),
        _ => ours,
    }
}

fn seconds(ms: u64) -> String {
    if ms.is_multiple_of(1000) { (ms / 1000).to_string() } else { format!("{:.3}", ms as f64 / 1000.0) }
}

fn exit(status: i32, failure: Option<&Failure>) -> Outcome {
    // WASI carries success or failure alone; a guest that knows the status says it.
    let said = failure.filter(|failure| failure.kind == FailureKind::Exit).and_then(|failure| failure.exit_code);
    let status = said.unwrap_or(status);
    let error_text = match failure.map(|f| f.message.trim_end()).filter(|m| !m.is_empty()) {
        Some(said) => said.to_owned(),
        None => format!("The program left with status {status}."),
    };
    Outcome::Failed { error_type: ProgramError::Exit, error_text, location: None, exit_code: Some(status) }
}

fn of_failure(failure: &Failure) -> Outcome {
    let location = failure.location.map(|(line, column)| Location { line, column });
    let error_type = match failure.kind {
        FailureKind::Error => ProgramError::Error,
        // A call that was not offered is a name that, for this agent, does not exist.
        FailureKind::ApiError if failure.code == Some(ErrorCode::Unavailable) => ProgramError::UnknownName,
        FailureKind::ApiError => ProgramError::ApiError,
        FailureKind::UnknownName => ProgramError::UnknownName,
        FailureKind::Exit => return exit(failure.exit_code.unwrap_or(1), Some(failure)),
        FailureKind::OutOfMemory => ProgramError::OutOfMemory,
        FailureKind::StackOverflow => ProgramError::StackOverflow,
        FailureKind::Deadlock => ProgramError::Deadlock,
    };
    let error_text = if failure.message.trim().is_empty() {
        "The program failed without saying why.".to_owned()
    } else {
        failure.message.clone()
    };
    Outcome::Failed { error_type, error_text, location, exit_code: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(end: End, failure: Option<Failure>) -> Done {
        Done {
            end,
            failure,
            log: vec![],
            log_dropped: 0,
            stderr: vec![],
            returned: None,
            guest_ns: 0,
            instantiate_ns: 0,
            memory_peak: 0,
        }
    }

    fn failure(kind: FailureKind, code: Option<ErrorCode>) -> Failure {
        Failure { kind, code, exit_code: None, message: "Traceback".into(), location: Some((3, Some(5))) }
    }

    fn error_type(end: End, failure: Option<Failure>) -> String {
        of_done(&done(end, failure), &Limits::default(), Teller::Guest).error_type().unwrap_or_default()
    }

    #[test]
    fn what_a_guest_says_chooses_among_the_programs_failures() {
        let said = |kind, code| error_type(End::Failed, Some(failure(kind, code)));
        assert_eq!(said(FailureKind::Error, None), "program_error");
        assert_eq!(said(FailureKind::ApiError, Some(ErrorCode::NotFound)), "program_api_error");
        assert_eq!(said(FailureKind::ApiError, Some(ErrorCode::Unavailable)), "program_unknown_name");
        assert_eq!(said(FailureKind::UnknownName, None), "program_unknown_name");
        assert_eq!(said(FailureKind::Exit, None), "program_exit");
        assert_eq!(said(FailureKind::OutOfMemory, None), "program_out_of_memory");
        assert_eq!(said(FailureKind::StackOverflow, None), "program_stack_overflow");
        assert_eq!(said(FailureKind::Deadlock, None), "program_deadlock");
        assert_eq!(error_type(End::Failed, None), "program_error");
    }

    #[test]
    fn completion_is_the_engines_to_say_and_nothing_here_is_the_farms_fault() {
        let all = [
            End::Completed,
            End::Failed,
            End::Exit(3),
            End::GuestTime,
            End::OutOfMemory,
            End::StackOverflow,
            End::Limit { name: "treeBytes".into(), value: 2, limit: 1 },
            End::Trap("unreachable".into()),
        ];
        for end in all {
            for kind in [FailureKind::Error, FailureKind::Exit, FailureKind::Deadlock] {
                let outcome = of_done(&done(end.clone(), Some(failure(kind, None))), &Limits::default(), Teller::Guest);
                assert!(!matches!(outcome, Outcome::Internal { .. }), "{end:?}");
                assert_eq!(matches!(outcome, Outcome::Completed), end == End::Completed, "{end:?}");
            }
        }
    }

    #[test]
    fn each_limit_is_named_in_the_error_that_it_causes() {
        let limits = Limits { guest_time_ms: 1500, ..Limits::default() };
        let text =
            |end| of_done(&done(end, None), &limits, Teller::Guest).model_text().map(str::to_owned).unwrap_or_default();
        assert!(text(End::GuestTime).contains("1.500 s") && text(End::GuestTime).contains("limit guestTimeMs"));
        assert!(text(End::OutOfMemory).contains("limit memoryBytes"));
        assert!(text(End::Limit { name: "treeBytes".into(), value: 2, limit: 1 }).contains("limit treeBytes"));
        assert!(of_wall_time(&limits, u64::MAX).model_text().is_some_and(|t| t.contains("limit programWallMs")));
    }
}
