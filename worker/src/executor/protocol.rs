//! What the frames between worker and executor carry. Both ends are the same binary's build, so the form has no version.

use crate::contract::ErrorCode;
use crate::home::tree::DISK_RESERVE;
use gg_common::arm::Arm;
use gg_common::limits::Limits;
use gg_common::profile::TreeAccess;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// What an executor runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Runs {
    /// Programs in a prebuilt guest, whose native form comes beside as a descriptor.
    Guest,
    /// Components, each compiled by this engine as it comes.
    Components(TurnEngine),
}

/// The compiler of components that run once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum TurnEngine {
    /// One pass over the code: 5 to 7 times sooner than Cranelift, and linear in the code, so that a program cannot make it
    /// long or large; what it makes runs 1.1 to 1.5 times slower. It is the younger of the two, and had more advisories: what
    /// it may get wrong is held by the executor's own confinement.
    #[default]
    Winch,
    /// The optimizing one. A function of two thousand locals takes it a minute and gigabytes, which the executor's bounds
    /// end.
    Cranelift,
}

/// Be an executor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Whose programs it runs.
    pub arm: Arm,
    /// The stack of its programs, in bytes.
    pub wasm_stack_bytes: u64,
    /// What it runs.
    pub runs: Runs,
}

/// How an executor is confined. See [`super::confinement`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Isolation {
    /// A private root by namespaces, Landlock beneath, a system-call filter.
    Namespaces,
    /// Landlock and a system-call filter alone, where namespaces cannot be had.
    LandlockOnly,
}

/// Confine yourself to this agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// The arm of the agent's programs: that of the guest.
    pub arm: Arm,
    /// The stack of the agent's programs, in bytes: that of the engine.
    pub wasm_stack_bytes: u64,
    /// The agent's tree.
    pub tree: PathBuf,
    /// An empty folder that becomes the private temporary folder where namespaces cannot be had, and the mount point of
    /// the private root where they can.
    pub scratch: PathBuf,
    /// How `/work` is opened.
    pub access: TreeAccess,
    /// The user and group to become; none stays who the worker is.
    pub identity: Option<(u32, u32)>,
    /// How to confine.
    pub isolation: Isolation,
    /// The newest Landlock ABI whose rights are used; none is the kernel's own. For tests of older kernels.
    pub landlock_abi: Option<u32>,
    /// Whether a forbidden system call ends the executor (tests) or fails (service).
    pub kill_on_violation: bool,
    /// Bound on the executor's private writable memory, in bytes.
    pub data_bytes: u64,
    /// Bound on one file, in bytes.
    pub file_bytes: u64,
    /// The temporary folder's bound, in bytes.
    pub temp_bytes: u64,
    /// The temporary folder's bound, in entries.
    pub temp_entries: u64,
}

/// Run a program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunRequest {
    /// Its arm.
    pub arm: Arm,
    /// The program, byte for byte, or the component that was compiled from it.
    pub source: Vec<u8>,
    /// The code modules that a guest's program can import, each by its key.
    pub modules: Vec<(String, Vec<u8>)>,
    /// See [`gg_common::limits::Limits`].
    pub guest_time_ms: u64,
    /// Linear memory, in bytes.
    pub memory_bytes: u64,
    /// Kept of standard error, in bytes.
    pub stderr_bytes: u64,
    /// Kept of the log, in bytes.
    pub log_bytes: u64,
    /// What one call may carry, in bytes.
    pub call_bytes: u64,
    /// What the tree may hold, in bytes.
    pub tree_bytes: u64,
    /// What the tree may hold, in entries.
    pub tree_entries: u64,
    /// How deep the tree's directories may nest.
    pub tree_depth: u64,
    /// What must stay free on the tree's disk, in bytes.
    pub disk_reserve: u64,
    /// What the temporary folder may hold, in bytes.
    pub temp_bytes: u64,
    /// What the temporary folder may hold, in entries.
    pub temp_entries: u64,
}

impl RunRequest {
    /// A program with an agent's limits, on a disk that nobody watches.
    pub fn new(arm: Arm, source: &[u8], limits: &Limits) -> RunRequest {
        RunRequest {
            arm,
            source: source.to_vec(),
            modules: Vec::new(),
            guest_time_ms: limits.guest_time_ms,
            memory_bytes: limits.memory_bytes,
            stderr_bytes: limits.stderr_bytes,
            log_bytes: limits.log_bytes,
            call_bytes: limits.call_bytes,
            tree_bytes: limits.tree_bytes,
            tree_entries: limits.tree_entries,
            tree_depth: limits.tree_depth,
            disk_reserve: 0,
            temp_bytes: limits.temp_bytes,
            temp_entries: limits.temp_entries,
        }
    }
}

/// How the engine saw the program end. What the guest says of it comes beside, as [`Done::failure`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// `run` returned success.
    Completed,
    /// `run` returned an error.
    Failed,
    /// The program left with a status.
    Exit(i32),
    /// Its guest time ran out.
    GuestTime,
    /// It trapped after memory was refused to it.
    OutOfMemory,
    /// The wasm stack ran out.
    StackOverflow,
    /// A limit was reached.
    Limit {
        /// The limit's name.
        name: String,
        /// What it was reached by.
        value: u64,
        /// The limit.
        limit: u64,
    },
    /// The component asks for something that its host has not, or the engine refuses it.
    Unlinkable(String),
    /// Any other trap.
    Trap(String),
}

impl End {
    /// Whether the tree held more than it may.
    pub fn is_tree_limit(&self) -> bool {
        matches!(self, End::Limit { name, .. } if name.starts_with("tree") || name == DISK_RESERVE)
    }
}

/// Why the guest says that the program failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of failure.
    pub kind: crate::contract::feedback::FailureKind,
    /// The code of an uncaught error of a gg call.
    pub code: Option<ErrorCode>,
    /// The status that the program left with.
    pub exit_code: Option<i32>,
    /// What the model reads.
    pub message: String,
    /// Line and column.
    pub location: Option<(u32, Option<u32>)>,
}

/// The program ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// How the engine saw it.
    pub end: End,
    /// What the guest says of it; the last word counts.
    pub failure: Option<Failure>,
    /// Standard output and log lines.
    pub log: Vec<u8>,
    /// What of the log was dropped at its bound, in bytes.
    pub log_dropped: u64,
    /// Standard error, head and tail.
    pub stderr: Vec<u8>,
    /// What the program returned, where its language has such a thing.
    pub returned: Option<String>,
    /// Guest time, in nanoseconds.
    pub guest_ns: u64,
    /// Getting the instance ready, in nanoseconds.
    pub instantiate_ns: u64,
    /// The largest linear memory, in bytes.
    pub memory_peak: u64,
}

/// What of a guest's words is kept, in bytes: a model reads them.
pub const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// What a line that says how much was dropped adds at most, in bytes.
const DROPPED_LINE_BYTES: usize = 128;

impl Done {
    /// A component that could not be made ready: nothing ran.
    pub fn unlinkable(why: &str, took: Duration) -> Done {
        Done {
            end: End::Unlinkable(why.chars().take(2_000).collect()),
            failure: None,
            log: Vec::new(),
            log_dropped: 0,
            stderr: Vec::new(),
            returned: None,
            guest_ns: 0,
            instantiate_ns: u64::try_from(took.as_nanos()).unwrap_or(u64::MAX),
            memory_peak: 0,
        }
    }

    /// Whether everything in it is as long as it may be. An honest executor keeps to the bounds; one that its program took
    /// over must not fill the worker's memory, or the run's records.
    pub fn fits(&self, request: &RunRequest) -> bool {
        let within = |length: usize, bound: u64| length as u64 <= bound + DROPPED_LINE_BYTES as u64;
        let words = |text: &str| within(text.len(), MAX_MESSAGE_BYTES as u64);
        let end = match &self.end {
            End::Limit { name, .. } => words(name),
            End::Trap(text) | End::Unlinkable(text) => words(text),
            _ => true,
        };
        end && within(self.log.len(), request.log_bytes)
            && within(self.stderr.len(), request.stderr_bytes)
            && self.returned.as_deref().is_none_or(words)
            && self.failure.as_ref().is_none_or(|failure| words(&failure.message))
    }
}
