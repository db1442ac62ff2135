//! Namespaces: a process's own view of mounts, processes, network, IPC and host name.

use crate::confine::credentials::{CredentialsError, Dumpable, SlotIds, set_dumpable};
use std::io;
use std::path::{Path, PathBuf};

/// How namespaces are entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// By root (CAP_SYS_ADMIN), which keeps its user namespace and takes a slot's user afterwards.
    Privileged,
    /// By an ordinary user: a user namespace first, with that one user mapped to itself.
    User,
}

/// A namespace that could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NamespaceError {
    /// The kernel refused to make it.
    #[error("cannot make namespaces: {0}")]
    Unshare(io::Error),
    /// The user could not be mapped.
    #[error("cannot map the user into its namespace ({path}): {source}")]
    Map {
        /// The file that was written.
        path: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The dumpable attribute could not be set, without which the maps cannot be written.
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
    /// A step of the private root failed.
    #[error("cannot make the private root: {step} {path}: {source}")]
    Root {
        /// The step.
        step: &'static str,
        /// What it was about.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl NamespaceError {
    pub(super) fn root(step: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> NamespaceError {
        let path = path.as_ref().to_path_buf();
        move |source| NamespaceError::Root { step, path, source }
    }
}

/// The flags of the namespaces that a process enters, the process namespace apart (that takes a new process).
pub fn flags(kind: Kind) -> libc::c_int {
    let common = libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
    match kind {
        Kind::Privileged => common,
        Kind::User => common | libc::CLONE_NEWUSER,
    }
}

/// Moves this process, which must be single-threaded, into namespaces of its own (not that of processes), and maps its
/// user. Follow with [`crate::confine::root::PrivateRoot::enter`], else it still sees every mount.
pub fn unshare(kind: Kind) -> Result<(), NamespaceError> {
    let ids = SlotIds::current();
    // SAFETY: takes a plain number; the process has one thread.
    if unsafe { libc::unshare(flags(kind)) } != 0 {
        return Err(NamespaceError::Unshare(io::Error::last_os_error()));
    }
    match kind {
        Kind::Privileged => Ok(()),
        Kind::User => map_to_itself(ids),
    }
}

/// In a fresh user namespace: maps the user and group that the process had outside to themselves. `ids` must have been
/// read before the namespace was entered.
pub fn map_to_itself(ids: SlotIds) -> Result<(), NamespaceError> {
    // A change of user clears the attribute, and then the files belong to root.
    set_dumpable(Dumpable::Yes)?;
    let write = |path: &'static str, text: String| {
        std::fs::write(path, text).map_err(|source| NamespaceError::Map { path, source })
    };
    write("/proc/self/setgroups", "deny".into())?;
    write("/proc/self/uid_map", format!("{0} {0} 1", ids.uid))?;
    write("/proc/self/gid_map", format!("{0} {0} 1", ids.gid))
}
