//! Commands in the agent's tree.
#![doc(alias = "ggmodule:shell")]

use crate::bindings::gg::sandbox::shell as host;
use crate::core::{ApiError, called};

/// What a command left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellOutput {
    /// Its exit status; `None` where a signal ended it.
    pub exit_code: Option<i32>,
    /// Standard output, then standard error; of a long output the end is kept.
    pub output: String,
    /// Whether the beginning of the output was dropped.
    pub truncated: bool,
}

/// Runs a command by `bash -c` in the tree and waits for it.
///
/// A command that fails is no error of the call: look at `exit_code`.
///
/// # Arguments
///
/// * `command` - The command line.
/// * `timeout_secs` - After how many seconds the command is ended; 120 where it is `None`.
///
/// # Errors
///
/// [`ApiError`]: `LimitExceeded` where the time ran out, `Unavailable` where this agent has no
/// shell.
#[doc(alias = "ggop:shell.shell")]
#[track_caller]
pub fn run(command: &str, timeout_secs: Option<u32>) -> Result<ShellOutput, ApiError> {
    let output = called(host::shell(command, timeout_secs))?;
    Ok(ShellOutput { exit_code: output.exit_code, output: output.output, truncated: output.truncated })
}
