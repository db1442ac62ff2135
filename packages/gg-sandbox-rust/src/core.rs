//! The types that other modules name: the error of every call, and edits of optional texts.
#![doc(alias = "ggmodule:core")]

use std::fmt;
use std::panic::Location;

use crate::bindings::gg::sandbox::core as host;
use crate::program;

/// Why a call failed, in a form that a program can decide on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorCode {
    /// An argument that can never be right: fix it.
    InvalidArgument,
    /// What was named does not exist.
    NotFound,
    /// The state is not what the call needs: several matches, a cycle, a taken name.
    Conflict,
    /// A rule about the agent's state forbids the call now.
    Refused,
    /// The call is not offered to this agent.
    Unavailable,
    /// A ceiling was reached: a size, a time, a count.
    LimitExceeded,
    /// The file system failed.
    IoError,
    /// Anything else.
    Other,
}

impl ErrorCode {
    fn name(self) -> &'static str {
        match self {
            ErrorCode::InvalidArgument => "invalid-argument",
            ErrorCode::NotFound => "not-found",
            ErrorCode::Conflict => "conflict",
            ErrorCode::Refused => "refused",
            ErrorCode::Unavailable => "unavailable",
            ErrorCode::LimitExceeded => "limit-exceeded",
            ErrorCode::IoError => "io-error",
            ErrorCode::Other => "other",
        }
    }

    pub(crate) fn to_host(self) -> host::ErrorCode {
        match self {
            ErrorCode::InvalidArgument => host::ErrorCode::InvalidArgument,
            ErrorCode::NotFound => host::ErrorCode::NotFound,
            ErrorCode::Conflict => host::ErrorCode::Conflict,
            ErrorCode::Refused => host::ErrorCode::Refused,
            ErrorCode::Unavailable => host::ErrorCode::Unavailable,
            ErrorCode::LimitExceeded => host::ErrorCode::LimitExceeded,
            ErrorCode::IoError => host::ErrorCode::IoError,
            ErrorCode::Other => host::ErrorCode::Other,
        }
    }

    fn from_host(code: host::ErrorCode) -> Self {
        match code {
            host::ErrorCode::InvalidArgument => ErrorCode::InvalidArgument,
            host::ErrorCode::NotFound => ErrorCode::NotFound,
            host::ErrorCode::Conflict => ErrorCode::Conflict,
            host::ErrorCode::Refused => ErrorCode::Refused,
            host::ErrorCode::Unavailable => ErrorCode::Unavailable,
            host::ErrorCode::LimitExceeded => ErrorCode::LimitExceeded,
            host::ErrorCode::IoError => ErrorCode::IoError,
            host::ErrorCode::Other => ErrorCode::Other,
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A call to the host failed; every function of `gg` gives this and nothing else for it.
///
/// It is a `std::error::Error`, so `?` takes it beside the errors of the standard library:
///
/// ```ignore
/// match files::read_text_file("notes.md", files::ReadOptions::default()) {
///     Ok(notes) => views::open_text("notes", &notes)?,
///     Err(error) if error.code == core::ErrorCode::NotFound => {}
///     Err(error) => return Err(error.into()),
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ApiError {
    /// The call that failed, as `module.name`.
    pub operation: String,
    /// Why it failed.
    pub code: ErrorCode,
    /// What failed, where, and what to do next.
    pub message: String,
    /// The call in the program's own text.
    pub(crate) at: &'static Location<'static>,
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed ({}): {}", self.operation, self.code, self.message)
    }
}

/// What the standard library writes of an error that nothing caught, which is also kept for the report.
impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{self}\n   at {}", self.at);
        f.write_str(&text)?;
        program::wrote(text, Some(self.code), self.at);
        Ok(())
    }
}

impl std::error::Error for ApiError {}

/// What a call gave, with the place of the call in the program where it failed.
#[track_caller]
pub(crate) fn called<T>(result: Result<T, host::ApiError>) -> Result<T, ApiError> {
    program::called();
    match result {
        Ok(value) => Ok(value),
        Err(error) => Err(ApiError {
            operation: error.operation,
            code: ErrorCode::from_host(error.code),
            message: error.message,
            at: Location::caller(),
        }),
    }
}

/// A three-way edit of an optional text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum TextEdit {
    /// Leave it as it is.
    #[default]
    Keep,
    /// Remove it.
    Clear,
    /// Replace it.
    Set(String),
}

impl TextEdit {
    pub(crate) fn into_host(self) -> host::TextEdit {
        match self {
            TextEdit::Keep => host::TextEdit::Keep,
            TextEdit::Clear => host::TextEdit::Clear,
            TextEdit::Set(text) => host::TextEdit::Set(text),
        }
    }
}

/// How many there are now, and how many there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// How many there are after the call.
    pub count: u32,
    /// How many there may be; `None` where nothing bounds them.
    pub max: Option<u32>,
}

impl Usage {
    pub(crate) fn from_host(usage: host::Usage) -> Self {
        Usage { count: usage.count, max: usage.max }
    }
}
