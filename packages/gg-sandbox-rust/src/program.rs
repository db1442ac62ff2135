//! A program's shell: what it fails with, and the entry that the host calls.
//!
//! rustc emits the C entry `__main_void` beside the `main` of a binary; the world's `run` calls it. What the standard
//! library writes of a failure goes to standard error as ever; the shell only adds what it knows of it, in the
//! program's own coordinates.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::io::Write;
use std::panic::{Location, PanicHookInfo};
use std::sync::{Mutex, PoisonError};

use crate::bindings::Guest;
use crate::bindings::gg::sandbox::feedback::{self, FailureKind};
use crate::core::{ApiError, ErrorCode};

/// The file that a program is compiled from: a place elsewhere is not the program's.
const PROGRAM: &str = "program.rs";

/// What a program's `main` fails with: any error converts to it by `?`.
///
/// It keeps the text of the error and of its causes, and the place where it arose: that of
/// the call of `gg` that failed, or else that of the `?`.
pub struct Failure {
    message: String,
    code: Option<ErrorCode>,
    at: &'static Location<'static>,
}

/// A failure of the program's own, to return from `main` or to give to `?`.
#[track_caller]
pub fn message(text: impl fmt::Display) -> Failure {
    Failure { message: text.to_string(), code: None, at: Location::caller() }
}

impl<E: Error + 'static> From<E> for Failure {
    #[track_caller]
    fn from(error: E) -> Self {
        Failure::of(&error, Location::caller())
    }
}

impl Failure {
    fn of(error: &(dyn Error + 'static), at: &'static Location<'static>) -> Self {
        let mut failure = Failure { message: error.to_string(), code: None, at };
        let mut next = Some(error);
        while let Some(error) = next {
            if let Some(api) = error.downcast_ref::<ApiError>() {
                (failure.code, failure.at) = (Some(api.code), api.at);
                break;
            }
            next = error.source();
        }
        next = error.source();
        while let Some(cause) = next {
            failure.message.push_str(&format!("\nCaused by: {cause}"));
            next = cause.source();
        }
        failure
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// What the standard library writes after `Error: ` where `main` fails.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}\n   at {}", self.message, self.at);
        f.write_str(&text)?;
        wrote(text, self.code, self.at);
        Ok(())
    }
}

/// The error that was written out last, if no call came after it.
struct Written {
    text: String,
    code: Option<ErrorCode>,
    at: &'static Location<'static>,
}

static WRITTEN: Mutex<Option<Written>> = Mutex::new(None);

fn written() -> std::sync::MutexGuard<'static, Option<Written>> {
    WRITTEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An error is written out: it may be the one that ends the program, of which only its text reaches the shell.
pub(crate) fn wrote(text: String, code: Option<ErrorCode>, at: &'static Location<'static>) {
    *written() = Some(Written { text, code, at });
}

/// A call was made: what was written before it did not end the program.
pub(crate) fn called() {
    *written() = None;
}

fn report(message: String, code: Option<ErrorCode>, at: Option<&Location<'_>>) {
    let kind = if code.is_some() { FailureKind::ApiError } else { FailureKind::Error };
    let location = at
        .filter(|at| at.file() == PROGRAM)
        .map(|at| feedback::Location { line: at.line(), column: Some(at.column()) });
    feedback::error(&feedback::Failure {
        kind,
        code: code.map(ErrorCode::to_host),
        exit_code: None,
        message,
        location,
    });
}

fn text_of(payload: &dyn Any) -> &str {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "Box<dyn Any>",
    }
}

/// A panic aborts, which leaves what was printed without a line's end in its buffer.
fn panicked(info: &PanicHookInfo<'_>) {
    drop(std::io::stdout().flush());
    let text = text_of(info.payload());
    // `unwrap` of a failed call: the message ends with what the error wrote of itself.
    let code = written().take().filter(|written| text.ends_with(&written.text)).and_then(|written| written.code);
    let place = info.location().map(|at| format!(" at {at}")).unwrap_or_default();
    report(format!("thread 'main' panicked{place}:\n{text}"), code, info.location());
}

struct Program;

unsafe extern "C" {
    /// The entry of a binary, which rustc emits beside its `main`.
    safe fn __main_void() -> i32;
}

impl Guest for Program {
    fn run() -> Result<(), ()> {
        // The tree, where the program has one.
        drop(std::env::set_current_dir("/work"));
        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            panicked(info);
            default(info);
        }));
        let status = __main_void();
        if status == 0 {
            return Ok(());
        }
        match written().take() {
            Some(error) => report(format!("Error: {}", error.text), error.code, Some(error.at)),
            // `main` gave another type's `Err`, whose text is on standard error, or left with status 1: the host has
            // what there is to say.
            None if status == 1 => {}
            None => feedback::error(&feedback::Failure {
                kind: FailureKind::Exit,
                code: None,
                exit_code: Some(status),
                message: String::new(),
                location: None,
            }),
        }
        Err(())
    }
}

crate::bindings::export!(Program with_types_in crate::bindings);
