//! What the worker and the helper say to each other over the socket that is the helper's standard input: one specification
//! there, one answer back, each a length and JSON. The end of the worker's side means: kill everything.

use crate::confine::credentials::SlotIds;
use crate::confine::root::{Mount, Proc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// Raised with every change of the types here: the helper beside a worker may be another build's.
pub(super) const VERSION: u32 = 3;

/// Longer than any job's arguments and environment; a length beyond it is not ours.
const LONGEST_FRAME_BYTES: u32 = 16 << 20;

/// One job, as the helper is told.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spec {
    pub version: u32,
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
    pub cwd: PathBuf,
    pub mounts: Vec<Mount>,
    pub ids: SlotIds,
    pub timeout_ms: u64,
    pub bounds: Bounds,
    pub confinement: Confinement,
    pub namespaces: Namespaces,
    pub landlock_abi: Option<u8>,
    pub scratch: Option<PathBuf>,
    pub proc: Proc,
    pub input: Input,
    pub watch_ms: u64,
}

/// What a job's standard input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Input {
    /// Empty.
    Empty,
    /// The socket that is its standard output too.
    Output,
}

/// Bounds on a job. All of them hold while it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Memory of its processes together, in bytes: what is resident, watched.
    pub memory_bytes: u64,
    /// Private memory that one process may ask for, in bytes, where it is to be less than a little above `memory_bytes`.
    pub process_memory_bytes: Option<u64>,
    /// Processes and threads at one time.
    pub processes: u64,
    /// The size of one file, in bytes.
    pub file_bytes: u64,
    /// Open descriptors of a process.
    pub open_files: u64,
    /// What its temporary folder holds, in bytes; with 0 nothing can be written there. Only where there are namespaces.
    pub temp_bytes: u64,
    /// How many entries its temporary folder holds. Only where there are namespaces.
    pub temp_entries: u64,
}

/// What must hold for a job to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confinement {
    /// Confined as the module says, or refused.
    #[default]
    Required,
    /// Not confined: limits, time-out and the end of its process tree hold, nothing else. For machines on which everything
    /// that runs is trusted; records say so.
    Off,
}

/// Whether namespaces are entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Namespaces {
    /// Where the system gives them.
    #[default]
    WherePossible,
    /// Never: as in a container that may not make any.
    Never,
}

/// What held a job that ran; nothing for one that was ended before it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// Mounts, processes, network, IPC and host name of its own.
    pub namespaces: bool,
    /// A user that is neither the worker's nor root.
    pub own_user: bool,
    /// The Landlock ABI in force, 0 for none.
    pub landlock_abi: u8,
    /// The denials of system calls.
    pub denials: bool,
}

impl Held {
    /// Whether this is confinement.
    pub fn is_confinement(&self) -> bool {
        self.verdict().is_ok()
    }

    /// Whether this is confinement, or the sentence that says what is missing.
    pub(super) fn verdict(&self) -> Result<(), String> {
        use crate::confine::landlock::FULL_ABI;
        if self.namespaces {
            return Ok(());
        }
        if self.own_user && self.landlock_abi >= FULL_ABI {
            return Ok(());
        }
        let user =
            if self.own_user { "" } else { " and the worker is not root, so the job would run as the worker's user" };
        Err(format!(
            "namespaces cannot be had here, Landlock is at ABI {} where {FULL_ABI} is needed without them{user}",
            self.landlock_abi
        ))
    }
}

/// What the helper answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// The job ran.
    Ran(Ran),
    /// It cannot be confined here.
    Refused(String),
    /// It could not be started.
    Failed(String),
}

/// How a job ended, as the helper saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ran {
    pub end: End,
    pub wall_ms: u64,
    pub cpu_ms: u64,
    pub peak_memory_bytes: u64,
    pub held: Held,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum End {
    Exited(i32),
    Signalled(i32),
    TimedOut,
    Memory,
    Processes,
    /// The worker closed its side.
    Stopped,
}

/// Writes one message.
pub(super) fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    let length = u32::try_from(body.len()).map_err(io::Error::other)?;
    let mut frame = length.to_le_bytes().to_vec();
    frame.extend(body);
    to.write_all(&frame)
}

/// Reads one message; none where the other side ended first.
pub(super) fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length);
    if length > LONGEST_FRAME_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a message of {length} bytes")));
    }
    let mut body = vec![0; length as usize];
    from.read_exact(&mut body)?;
    Ok(Some(serde_json::from_slice(&body)?))
}
