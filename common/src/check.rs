//! The check of a run: files that the agent never saw and a command, run on a copy of the final tree. What travels to
//! the worker that runs it, and what comes back.

use crate::content::ContentKey;
use crate::job::{Body, RunId, WorkerId};
use crate::limits::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The longest time that a check may be given, in seconds: a broker takes its delivery back after 30 minutes.
pub const LONGEST_CHECK_SECS: u64 = 25 * 60;

/// The most bytes that a score file may have.
pub const SCORE_BYTES: u64 = 64 * 1024;

/// How a run's final tree is checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Check {
    /// The tree of the files that the agent never sees.
    pub files: ContentKey,
    /// What is run by bash, in the copy of the final tree.
    pub command: String,
    /// Its time, in seconds.
    pub timeout_secs: u64,
    /// Memory of its processes together, in bytes.
    pub memory_bytes: u64,
    /// Absolute paths that it may read beside the system's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_only_paths: Vec<String>,
}

/// One check to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckJob {
    /// [`crate::FORMAT_VERSION`] of this form.
    pub version: u32,
    /// The run.
    pub run: RunId,
    /// How.
    pub check: Check,
    /// The final tree; none is an empty one.
    pub tree: Option<ContentKey>,
    /// The agent's limits: the copy may grow to twice what they allow its tree.
    pub limits: Limits,
}

/// What a check says of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The command left with status 0.
    Passed,
    /// It ran and did not: another status, a signal, its time or a limit.
    Failed,
    /// It could not be run, which says nothing of the agent's work.
    CouldNotRun,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::CouldNotRun => "could not run",
        })
    }
}

/// How a check's command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum CheckEnd {
    /// It left with this status.
    Exited {
        /// The status.
        status: i32,
    },
    /// It died by a signal.
    Signalled {
        /// The signal's number.
        signal: i32,
    },
    /// It was ended at its time-out.
    TimedOut,
    /// It was ended at a limit.
    LimitReached {
        /// The limit.
        limit: String,
        /// Its value.
        bound: u64,
    },
    /// It was not run, or not to its end, for a reason that is not the agent's.
    NotRun {
        /// What failed, where, and what to do.
        reason: String,
    },
}

impl CheckEnd {
    /// What it says of the run.
    pub fn verdict(&self) -> Verdict {
        match self {
            CheckEnd::Exited { status: 0 } => Verdict::Passed,
            CheckEnd::Exited { .. }
            | CheckEnd::Signalled { .. }
            | CheckEnd::TimedOut
            | CheckEnd::LimitReached { .. } => Verdict::Failed,
            CheckEnd::NotRun { .. } => Verdict::CouldNotRun,
        }
    }
}

impl fmt::Display for CheckEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckEnd::Exited { status } => write!(f, "status {status}"),
            CheckEnd::Signalled { signal } => write!(f, "ended by signal {signal}"),
            CheckEnd::TimedOut => f.write_str("ended at its time-out"),
            CheckEnd::LimitReached { limit, bound } => write!(f, "ended at the limit `{limit}` ({bound})"),
            CheckEnd::NotRun { reason } => f.write_str(reason),
        }
    }
}

/// What a check's command wrote to its score file: JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Score {
    /// One number.
    Number(f64),
    /// Several, by name.
    Named(BTreeMap<String, f64>),
}

impl Score {
    /// Reads a score file; otherwise what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Score, String> {
        // What is too large for a number reads as an error, so every number here is finite.
        serde_json::from_slice(bytes)
            .map_err(|_| "it is neither a number nor a JSON object of numbers: write one of the two".to_owned())
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Number(number) => write!(f, "{number}"),
            Score::Named(named) => {
                let parts: Vec<String> = named.iter().map(|(name, number)| format!("{name} {number}")).collect();
                f.write_str(&parts.join(", "))
            }
        }
    }
}

/// What came of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckResult {
    /// [`crate::FORMAT_VERSION`] of this form.
    pub version: u32,
    /// The worker that ran it; none where no worker was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<WorkerId>,
    /// What it says of the run.
    pub verdict: Verdict,
    /// How the command ended.
    pub end: CheckEnd,
    /// What it wrote to its score file; none where it wrote none that reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Why its score file was not read, where it wrote one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_problem: Option<String>,
    /// The end of its standard output and standard error.
    pub output: Body,
    /// Whether something before that end is missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Whether it ran unconfined, because the operator allowed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unconfined: bool,
    /// From its start to the end of its last process, in milliseconds.
    pub wall_ms: f64,
    /// CPU time of its processes, in milliseconds.
    pub cpu_ms: f64,
    /// The most memory that its processes were seen to use together, in bytes.
    pub peak_memory_bytes: u64,
}

impl CheckResult {
    /// A check that was not run.
    pub fn not_run(worker: Option<WorkerId>, reason: impl Into<String>) -> CheckResult {
        let end = CheckEnd::NotRun { reason: reason.into() };
        CheckResult {
            version: crate::FORMAT_VERSION,
            worker,
            verdict: end.verdict(),
            end,
            score: None,
            score_problem: None,
            output: Body::Inline(String::new()),
            truncated: false,
            unconfined: false,
            wall_ms: 0.0,
            cpu_ms: 0.0,
            peak_memory_bytes: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_run_is_not_wrong() {
        let verdict = |end: CheckEnd| end.verdict();
        assert_eq!(verdict(CheckEnd::Exited { status: 0 }), Verdict::Passed);
        assert_eq!(verdict(CheckEnd::Exited { status: 127 }), Verdict::Failed);
        assert_eq!(verdict(CheckEnd::Signalled { signal: 9 }), Verdict::Failed);
        assert_eq!(verdict(CheckEnd::TimedOut), Verdict::Failed);
        assert_eq!(verdict(CheckEnd::LimitReached { limit: "memoryBytes".into(), bound: 1 }), Verdict::Failed);
        let not_run = CheckResult::not_run(None, "the disk is full");
        assert_eq!((not_run.verdict, not_run.end.to_string()), (Verdict::CouldNotRun, "the disk is full".to_owned()));
    }

    #[test]
    fn a_score_is_a_number_or_numbers_by_name() {
        assert_eq!(Score::read(b" 0.5\n"), Ok(Score::Number(0.5)));
        let named = Score::read(br#"{"tests": 3, "speed": 1.5}"#).expect("named");
        assert_eq!(named.to_string(), "speed 1.5, tests 3");
        for bad in [&b""[..], b"good", b"{\"a\": \"b\"}", b"1e999", b"NaN", b"[1]", b"\xff"] {
            assert!(Score::read(bad).is_err(), "{bad:?}");
        }
    }
}
