//! Resource limits that a process takes upon itself. They bind its children too, and cannot be raised again.

use std::io;

/// Resource limits of one process; `None` leaves what was inherited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ResourceLimits {
    /// Address space, in bytes (RLIMIT_AS).
    pub address_bytes: Option<u64>,
    /// Private writable memory, in bytes (RLIMIT_DATA). Reservations without access are free, so an engine's guards and a
    /// virtual machine's heap reservation cost nothing. Counts one process, not its tree.
    pub data_bytes: Option<u64>,
    /// The size of a file that is written or stretched, in bytes (RLIMIT_FSIZE). Sparse truncation counts.
    pub file_bytes: Option<u64>,
    /// Open descriptors (RLIMIT_NOFILE).
    pub open_files: Option<u64>,
    /// Processes and threads of this user (RLIMIT_NPROC). Binds nothing as root.
    pub processes: Option<u64>,
}

/// A limit that could not be set.
#[derive(Debug, thiserror::Error)]
#[error("cannot set the resource limit {name} to {value}: {source}")]
pub struct LimitsError {
    /// The limit, as the system calls it.
    pub name: &'static str,
    /// What it was to become.
    pub value: u64,
    /// What the system said.
    pub source: io::Error,
}

impl ResourceLimits {
    /// Sets them on this process: those given, no core dumps, no locked memory, no message queues, no real-time priority.
    /// Past the size of a file a write fails with EFBIG: the signal that would end the process is ignored.
    pub fn apply(&self) -> Result<(), LimitsError> {
        set("RLIMIT_CORE", libc::RLIMIT_CORE, 0)?;
        set("RLIMIT_MEMLOCK", libc::RLIMIT_MEMLOCK, 64 * 1024)?;
        set("RLIMIT_MSGQUEUE", libc::RLIMIT_MSGQUEUE, 0)?;
        set("RLIMIT_RTPRIO", libc::RLIMIT_RTPRIO, 0)?;
        if let Some(bytes) = self.address_bytes {
            set("RLIMIT_AS", libc::RLIMIT_AS, bytes)?;
        }
        if let Some(bytes) = self.data_bytes {
            set("RLIMIT_DATA", libc::RLIMIT_DATA, bytes)?;
        }
        if let Some(bytes) = self.file_bytes {
            set("RLIMIT_FSIZE", libc::RLIMIT_FSIZE, bytes)?;
            // SAFETY: ignoring a signal installs no handler.
            unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
        }
        if let Some(count) = self.open_files {
            set("RLIMIT_NOFILE", libc::RLIMIT_NOFILE, count)?;
        }
        if let Some(count) = self.processes {
            set("RLIMIT_NPROC", libc::RLIMIT_NPROC, count)?;
        }
        Ok(())
    }
}

/// Sets both halves of a limit, never above the hard limit that is already there: raising it takes a privilege.
fn set(name: &'static str, resource: libc::__rlimit_resource_t, value: u64) -> Result<(), LimitsError> {
    let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `now` is a valid place for the answer.
    if unsafe { libc::getrlimit(resource, &raw mut now) } != 0 {
        return Err(LimitsError { name, value, source: io::Error::last_os_error() });
    }
    let bound = value.min(now.rlim_max);
    let limit = libc::rlimit { rlim_cur: bound, rlim_max: bound };
    // SAFETY: `limit` is a valid limit for the duration of the call.
    if unsafe { libc::setrlimit(resource, &raw const limit) } != 0 {
        return Err(LimitsError { name, value, source: io::Error::last_os_error() });
    }
    Ok(())
}
