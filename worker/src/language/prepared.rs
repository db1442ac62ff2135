//! What a preparation gives: something that the sandbox runs, or one of failures that never mix.

use super::places::Places;
use gg_common::outcome::{Rejection, Suspect};
use std::fmt;
use std::time::Duration;

/// What the sandbox runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prepared {
    /// A program's own bytes, for the arm's prebuilt guest.
    Source {
        /// The program.
        program: Vec<u8>,
        /// Where the parts of rewritten files stood in what was written, by the names that errors call the files by.
        places: Vec<(String, Places)>,
        /// The code modules that it can import, each by its key.
        modules: Vec<(String, Vec<u8>)>,
    },
    /// A component that was compiled from the program.
    Component(Vec<u8>),
}

impl Prepared {
    /// What an executor is given.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Prepared::Source { program, .. } => program,
            Prepared::Component(bytes) => bytes,
        }
    }

    /// Where the parts of rewritten files stood.
    pub fn places(&self) -> &[(String, Places)] {
        match self {
            Prepared::Source { places, .. } => places,
            Prepared::Component(_) => &[],
        }
    }

    /// The code modules that it is given.
    pub fn modules(&self) -> &[(String, Vec<u8>)] {
        match self {
            Prepared::Source { modules, .. } => modules,
            Prepared::Component(_) => &[],
        }
    }
}

/// Which of a compiler's refusals it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Band {
    /// The program does not parse.
    Syntax,
    /// It parses, and was refused.
    Compile,
    /// It asks for something that the arm does not have.
    Unsupported,
}

impl From<Band> for Rejection {
    fn from(band: Band) -> Rejection {
        match band {
            Band::Syntax => Rejection::TranspileSyntax,
            Band::Compile => Rejection::TranspileCompile,
            Band::Unsupported => Rejection::TranspileUnsupported,
        }
    }
}

/// How a compiler that could not finish ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolchainEnd {
    /// It was not started, or not to the end of its confinement.
    NotStarted,
    /// It left with this status and said nothing about the program.
    Exited(i32),
    /// It died by this signal.
    Signalled(i32),
    /// It was ended at its time-out.
    TimedOut(Duration),
    /// It was ended at a bound on what it may use.
    Bound,
    /// It gave an answer that does not read.
    Garbled,
}

impl ToolchainEnd {
    /// Whether the program may have brought it about: then the arm's canary says whose fault it is.
    pub fn is_death(self) -> bool {
        !matches!(self, ToolchainEnd::NotStarted)
    }
}

/// A compiler that could not finish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolchainFailure {
    /// The compiler, by its file's name.
    pub compiler: String,
    /// How it ended.
    pub end: ToolchainEnd,
    /// The end of what it said, or why it was not started.
    pub tail: String,
    /// Set where the arm's canary compiled after it.
    pub suspect: Option<Suspect>,
}

impl fmt::Display for ToolchainFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compiler = &self.compiler;
        match self.end {
            ToolchainEnd::NotStarted => write!(f, "{compiler} was not started")?,
            ToolchainEnd::Exited(status) => {
                write!(f, "{compiler} left with status {status} and said nothing about the program")?;
            }
            ToolchainEnd::Signalled(signal) => write!(f, "{compiler} was killed by signal {signal}")?,
            ToolchainEnd::TimedOut(after) => write!(f, "{compiler} did not end within {} s", after.as_secs())?,
            ToolchainEnd::Bound => write!(f, "{compiler} was ended at a bound")?,
            ToolchainEnd::Garbled => write!(f, "{compiler} gave an answer that does not read")?,
        }
        let tail = self.tail.trim();
        if tail.is_empty() { Ok(()) } else { write!(f, ": {tail}") }
    }
}

/// Why there is nothing to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrepareError {
    /// The compiler read the program and refused it: the model's to fix.
    Rejected {
        /// Which refusal.
        band: Band,
        /// The compiler's own words, bounded. The model reads exactly this.
        text: String,
    },
    /// The compiler could not finish: ours.
    Toolchain(ToolchainFailure),
    /// What was accepted could not be made into what the guest runs: ours.
    Lowering {
        /// The code module that could not be built again, if it was one.
        binding: Option<String>,
        /// What failed, bounded.
        text: String,
    },
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrepareError::Rejected { text, .. } => f.write_str(text),
            PrepareError::Toolchain(failure) => failure.fmt(f),
            PrepareError::Lowering { binding: Some(binding), text } => {
                write!(f, "the module `{binding}` could not be built again: {text}")
            }
            PrepareError::Lowering { binding: None, text } => write!(f, "lowering failed: {text}"),
        }
    }
}

impl std::error::Error for PrepareError {}

/// What preparing cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompileCost {
    /// All of it, without waiting for a warm instance.
    pub wall: Duration,
    /// CPU time of the compilers.
    pub cpu: Duration,
    /// Waiting for a warm instance.
    pub pool_wait: Duration,
    /// Compiles by an instance that had compiled before.
    pub warm: u32,
    /// Compiles by a process of their own, or an instance's first.
    pub cold: u32,
    /// Builds of modules that were fetched and not made.
    pub fetched: u32,
    /// What making them had cost.
    pub fetched_cost: Duration,
}

impl CompileCost {
    /// Adds another's.
    pub fn add(&mut self, other: CompileCost) {
        self.wall += other.wall;
        self.cpu += other.cpu;
        self.pool_wait += other.pool_wait;
        self.warm += other.warm;
        self.cold += other.cold;
        self.fetched += other.fetched;
        self.fetched_cost += other.fetched_cost;
    }
}
