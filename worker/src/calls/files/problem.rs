//! Why a file call failed, classified where it fails.

use crate::calls::near::did_you_mean;
use std::io;

/// Which of the codes of a call's error a problem has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemCode {
    /// `invalid-argument`
    InvalidArgument,
    /// `not-found`
    NotFound,
    /// `conflict`
    Conflict,
    /// `limit-exceeded`
    LimitExceeded,
    /// `io-error`
    Io,
}

/// Why a file call failed. The message is what the program reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// No path.
    #[error("the path is empty: give a path relative to the work tree, or `.` for the tree itself")]
    EmptyPath,
    /// A path with a NUL byte.
    #[error("the path {0:?} contains a NUL character, which no file name can")]
    NulInPath(String),
    /// A path, or a name in it, that is too long.
    #[error("the path `{0}` is too long: a name has at most 255 bytes, a path 4,095")]
    TooLong(String),
    /// A path that leads out of the tree.
    #[error("`{0}` leads outside the work tree: give a path within it, relative or beginning with /work")]
    Outside(String),
    /// A symlink that leads round in a circle.
    #[error("`{0}` leads through a circle of symlinks")]
    Loop(String),
    /// Nothing is there.
    #[error("there is no `{path}`{}", did_you_mean(near))]
    NotFound {
        /// What was asked for.
        path: String,
        /// What there is instead.
        near: Vec<String>,
    },
    /// A symlink to something that is not there.
    #[error("`{0}` is a link to something that is not there")]
    Dangling(String),
    /// A part of the path that should be a directory is none.
    #[error("`{0}` leads through something that is no directory")]
    NotADirectory(String),
    /// A directory where a file is needed.
    #[error("`{0}` is a directory, not a file")]
    IsADirectory(String),
    /// A FIFO, socket or device.
    #[error("`{path}` is a {kind}, not a regular file: it is not opened")]
    NotRegular {
        /// What was asked for.
        path: String,
        /// What it is.
        kind: &'static str,
    },
    /// Mode or owner forbid it.
    #[error("`{0}` does not permit that (its mode or owner): change its mode first, for example with chmod")]
    Permission(String),
    /// The file is larger than one that is edited may be; what is only read is read in windows.
    #[error(
        "`{path}` has {size} bytes, more than the {limit} of a file that is edited (limit readBytes): write the file anew, or change it with the language's own file functions"
    )]
    TooLarge {
        /// What was asked for.
        path: String,
        /// What it has.
        size: u64,
        /// What is allowed.
        limit: u64,
    },
    /// The contents are no text.
    #[error("`{path}` is not UTF-8 text (at byte {offset})")]
    NotText {
        /// What was asked for.
        path: String,
        /// Where.
        offset: u64,
    },
    /// An argument besides the path.
    #[error("{0}")]
    Argument(String),
    /// The text to replace is not there.
    #[error("the text to replace is not in `{path}`{hint}")]
    NoMatch {
        /// The file.
        path: String,
        /// What may be the reason.
        hint: &'static str,
    },
    /// The text to replace is there more than once.
    #[error("the text to replace is {count} times in `{path}` ({}): give more of its surroundings", lines_text(lines))]
    SeveralMatches {
        /// The file.
        path: String,
        /// How often.
        count: usize,
        /// The lines of the first.
        lines: Vec<usize>,
    },
    /// No space is left, and nothing was written.
    #[error("`{0}` was not written, because the disk is full; what it held before is unchanged")]
    DiskFull(String),
    /// Anything else that the system says.
    #[error("{action} `{path}` failed: {message}")]
    Io {
        /// What was being done.
        action: &'static str,
        /// To what.
        path: String,
        /// What the system says.
        message: String,
    },
}

fn lines_text(lines: &[usize]) -> String {
    let list = lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    if lines.len() == 1 { format!("line {list}") } else { format!("lines {list}") }
}

impl FileProblem {
    /// The code of the call's error.
    pub fn code(&self) -> ProblemCode {
        use FileProblem as P;
        match self {
            P::EmptyPath | P::NulInPath(_) | P::TooLong(_) | P::Outside(_) | P::Loop(_) | P::Argument(_) => {
                ProblemCode::InvalidArgument
            }
            P::NotADirectory(_) | P::IsADirectory(_) | P::NotRegular { .. } | P::NotText { .. } => {
                ProblemCode::InvalidArgument
            }
            P::NotFound { .. } | P::Dangling(_) | P::NoMatch { .. } => ProblemCode::NotFound,
            P::SeveralMatches { .. } => ProblemCode::Conflict,
            P::TooLarge { .. } => ProblemCode::LimitExceeded,
            P::Permission(_) | P::DiskFull(_) | P::Io { .. } => ProblemCode::Io,
        }
    }

    /// What an error of the system about this path means. `near` is for the caller to fill in.
    pub fn from_io(action: &'static str, path: &str, error: &io::Error) -> FileProblem {
        use rustix::io::Errno;
        let path = path.to_owned();
        let Some(code) = error.raw_os_error() else {
            // `cap-std` says so of its own accord where a path leads out.
            return match error.kind() {
                io::ErrorKind::PermissionDenied => FileProblem::Outside(path),
                _ => FileProblem::Io { action, path, message: error.to_string() },
            };
        };
        match Errno::from_raw_os_error(code) {
            Errno::NOENT => FileProblem::NotFound { path, near: Vec::new() },
            Errno::NOTDIR => FileProblem::NotADirectory(path),
            Errno::ISDIR => FileProblem::IsADirectory(path),
            Errno::ACCESS | Errno::PERM => FileProblem::Permission(path),
            Errno::NAMETOOLONG => FileProblem::TooLong(path),
            Errno::LOOP => FileProblem::Loop(path),
            Errno::XDEV => FileProblem::Outside(path),
            Errno::NXIO | Errno::NODEV => FileProblem::NotRegular { path, kind: "FIFO, socket or device" },
            Errno::NOSPC | Errno::DQUOT => FileProblem::DiskFull(path),
            _ => FileProblem::Io { action, path, message: error.to_string() },
        }
    }
}
