//! What `shell` runs: a command of bash in the agent's tree, confined, its output kept to a tail. `calls::shell` serves it.

use crate::confine::cancel::CancelToken;
use crate::confine::credentials::SlotIds;
use crate::confine::{
    Bounds, Captured, ConfineError, Ended, Held, Job, LimitReached, Mount, MountAccess, Part, Settings, Watch, run,
};
use crate::home::tree::DISK_RESERVE;
use gg_common::limits::Limits;
use std::path::Path;
use std::time::Duration;

/// Where a command sees the tree, and starts. A program's own file functions see it there too.
pub const TREE: &str = "/work";

/// The kernel takes no longer argument (MAX_ARG_STRLEN, with its NUL).
const LONGEST_COMMAND_BYTES: usize = 128 * 1024 - 1;

/// What a command is run against.
pub struct ShellContext<'a> {
    /// How children are started.
    pub settings: &'a Settings,
    /// The agent's tree.
    pub tree: &'a Path,
    /// A folder for temporary files where there are no namespaces.
    pub scratch: &'a Path,
    /// The slot's user, where the worker is root.
    pub ids: SlotIds,
    /// The agent's limits.
    pub limits: &'a Limits,
    /// Paths that a command may read beside the system's own.
    pub read_only_paths: &'a [String],
    /// What is left of the run and of the program, the lesser.
    pub left: Option<Duration>,
    /// Watches the tree while the command runs.
    pub watch: Option<&'a mut dyn Watch>,
    /// Ends the command from outside.
    pub cancel: Option<&'a CancelToken>,
}

/// What a command gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellOutput {
    /// Its status; none where a signal ended it.
    pub exit_code: Option<i32>,
    /// Standard output, then standard error; the tail is kept.
    pub output: String,
    /// Whether something before the tail is missing.
    pub truncated: bool,
    /// What held it, for the record.
    pub held: Held,
}

/// A command that gave nothing, by the code of the error that a program reads.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// `invalid-argument`.
    #[error("{0}")]
    InvalidArgument(String),
    /// `limit-exceeded`.
    #[error("{0}")]
    LimitExceeded(String),
    /// `other`: the command could not be confined or started; the farm's matter, not the program's.
    #[error("the command was not run: {0}")]
    NotRun(#[from] ConfineError),
    /// `limit-exceeded`: the turn is being ended.
    #[error("the command was ended with its turn")]
    Cancelled,
}

/// Runs `bash -c command` in the tree to its end. Blocks.
pub fn shell(command: &str, timeout_secs: Option<u32>, context: ShellContext<'_>) -> Result<ShellOutput, ShellError> {
    check(command)?;
    let time = time(timeout_secs, context.limits, context.left)?;
    let job = job(command, time.allowed, &context);
    let report = run(context.settings, &job, context.watch, context.cancel)?;
    let room = job.output_bytes;
    let (output, truncated) = joined(&report.stdout, &report.stderr, room);
    let limits = context.limits;
    let exceeded = |what: String| {
        let tail =
            if output.is_empty() { "it wrote nothing".to_owned() } else { format!("the end of its output:\n{output}") };
        Err(ShellError::LimitExceeded(format!("{what}; {tail}")))
    };
    match report.ended {
        Ended::Exited(status) => Ok(ShellOutput { exit_code: Some(status), output, truncated, held: report.held }),
        Ended::Signalled(_) => Ok(ShellOutput { exit_code: None, output, truncated, held: report.held }),
        Ended::TimedOut => exceeded(time.sentence()),
        Ended::Memory => exceeded(format!(
            "the command's processes used more memory together than `limits.shellMemoryBytes` ({}) and were ended",
            limits.shell_memory_bytes
        )),
        Ended::Processes => exceeded(format!(
            "the command had more processes and threads than `limits.shellProcesses` ({}) and was ended",
            limits.shell_processes
        )),
        Ended::Limit(LimitReached { name, bound }) if name == DISK_RESERVE => {
            exceeded(format!("the worker keeps {bound} bytes of its disk free, so the command was ended: write less"))
        }
        Ended::Limit(LimitReached { name, bound }) => {
            exceeded(format!("the command reached `limits.{name}` ({bound}) and was ended"))
        }
        Ended::Cancelled => Err(ShellError::Cancelled),
    }
}

fn check(command: &str) -> Result<(), ShellError> {
    let problem = if command.trim().is_empty() {
        "the command is empty".to_owned()
    } else if command.contains('\0') {
        "the command holds a NUL byte, which no command can".to_owned()
    } else if command.len() > LONGEST_COMMAND_BYTES {
        format!(
            "the command is {} bytes long, at most {LONGEST_COMMAND_BYTES} are taken: write it to a file and run that",
            command.len()
        )
    } else {
        return Ok(());
    };
    Err(ShellError::InvalidArgument(problem))
}

/// What a command's time was bounded by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BoundedBy {
    Argument,
    Default,
    Run,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Time {
    allowed: Duration,
    by: BoundedBy,
}

impl Time {
    fn sentence(&self) -> String {
        let seconds = self.allowed.as_secs_f64();
        let by = match self.by {
            BoundedBy::Argument => "the call's time-out".to_owned(),
            BoundedBy::Default => "`limits.shellTimeoutSecs`, as the call gave no time-out".to_owned(),
            BoundedBy::Run => "what was left of the program's or the run's time".to_owned(),
        };
        format!("the command did not end within {seconds} s ({by}) and was ended")
    }
}

fn time(asked_secs: Option<u32>, limits: &Limits, left: Option<Duration>) -> Result<Time, ShellError> {
    let (allowed, by) = match asked_secs {
        Some(0) => return Err(ShellError::InvalidArgument("a time-out of 0 s leaves no time to run".into())),
        Some(seconds) => (Duration::from_secs(seconds.into()), BoundedBy::Argument),
        None => (Duration::from_secs(limits.shell_timeout_secs), BoundedBy::Default),
    };
    Ok(match left {
        Some(left) if left < allowed => Time { allowed: left, by: BoundedBy::Run },
        _ => Time { allowed, by },
    })
}

fn job(command: &str, timeout: Duration, context: &ShellContext<'_>) -> Job {
    let limits = context.limits;
    let bounds = Bounds {
        memory_bytes: limits.shell_memory_bytes,
        process_memory_bytes: None,
        processes: limits.shell_processes,
        file_bytes: limits.tree_bytes,
        open_files: 1024,
        temp_bytes: limits.temp_bytes,
        temp_entries: limits.temp_entries,
    };
    let mut job = Job::new("/bin/bash", context.ids, bounds).args(["-c", command]);
    job.mounts = context
        .read_only_paths
        .iter()
        .map(|path| Mount { source: path.into(), target: path.into(), access: MountAccess::ReadOnly })
        .collect();
    // Last, so that no path that is only to be read covers it.
    job.mounts.push(Mount { source: context.tree.into(), target: TREE.into(), access: MountAccess::ReadWrite });
    job.cwd = TREE.into();
    job.timeout = timeout;
    job.output_bytes = usize::try_from(limits.shell_output_bytes).unwrap_or(usize::MAX);
    job.output_part = Part::Tail;
    job.scratch = Some(context.scratch.into());
    job
}

/// Standard output, then standard error, and of both together the tail that has room. What is no text becomes replacement
/// characters.
pub(crate) fn joined(stdout: &Captured, stderr: &Captured, room: usize) -> (String, bool) {
    let mut bytes = [stdout.bytes.as_slice(), stderr.bytes.as_slice()].concat();
    let mut truncated = stdout.truncated() || stderr.truncated();
    if bytes.len() > room {
        bytes.drain(..bytes.len() - room);
        truncated = true;
    }
    if truncated {
        // A character that was cut in two is gone whole.
        let cut = bytes.iter().take(3).take_while(|byte| **byte & 0b1100_0000 == 0b1000_0000).count();
        bytes.drain(..cut);
    }
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if text.len() > room {
        // Replacement characters take more room than what they stand for.
        let mut from = text.len() - room;
        while !text.is_char_boundary(from) {
            from += 1;
        }
        text.drain(..from);
        truncated = true;
    }
    (text, truncated)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(bytes: &[u8]) -> Captured {
        Captured { bytes: bytes.to_vec(), written: bytes.len() as u64 }
    }

    #[test]
    fn output_is_stdout_then_stderr_with_the_tail_kept() {
        assert_eq!(joined(&captured(b"out\n"), &captured(b"err\n"), 100), ("out\nerr\n".into(), false));
        assert_eq!(joined(&captured(b"out\n"), &captured(b"err\n"), 6), ("t\nerr\n".into(), true));
        let lost = Captured { bytes: b"tail".to_vec(), written: 1000 };
        assert_eq!(joined(&lost, &captured(b""), 100), ("tail".into(), true));
    }

    #[test]
    fn what_is_no_text_is_replaced_and_no_character_is_cut() {
        assert_eq!(joined(&captured(b"a\xffb"), &captured(b""), 100).0, "a\u{fffd}b");
        assert_eq!(joined(&captured("äöü".as_bytes()), &captured(b""), 3), ("ü".into(), true));
        let (text, truncated) = joined(&captured(&[0xff; 100]), &captured(b""), 100);
        assert!(text.len() <= 100 && truncated && text.chars().all(|c| c == '\u{fffd}'), "{text}");
    }

    #[test]
    fn time_is_clamped_to_what_is_left_and_the_sentence_names_the_bound() {
        let limits = Limits::default();
        let of = |asked, left: Option<u64>| time(asked, &limits, left.map(Duration::from_secs)).expect("time");
        assert_eq!(of(None, None), Time { allowed: Duration::from_secs(120), by: BoundedBy::Default });
        assert_eq!(of(Some(5), Some(60)), Time { allowed: Duration::from_secs(5), by: BoundedBy::Argument });
        assert_eq!(of(Some(600), Some(60)), Time { allowed: Duration::from_secs(60), by: BoundedBy::Run });
        assert!(of(None, None).sentence().contains("limits.shellTimeoutSecs"));
        assert!(time(Some(0), &limits, None).is_err());
    }

    #[test]
    fn a_command_that_can_never_run_is_an_invalid_argument() {
        for command in ["", "  ", "a\0b", &"x".repeat(LONGEST_COMMAND_BYTES + 1)] {
            assert!(matches!(check(command), Err(ShellError::InvalidArgument(_))));
        }
        assert!(check("true").is_ok());
    }
}
