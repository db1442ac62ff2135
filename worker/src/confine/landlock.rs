//! Landlock: what of the file system a process may reach, for good. A domain only ever narrows.
//!
//! Alone it does not hold: below ABI 6 it says nothing about signals and abstract sockets, below 4 nothing about TCP,
//! below 3 nothing about truncation, and at no ABI does it stop `chmod`, `utime` or sockets by path. See
//! [`crate::confine`] for what is put beside it.

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, Scope,
};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// The first ABI that scopes signals and abstract sockets: the least that holds without namespaces.
pub const FULL_ABI: u8 = 6;

/// What may be done beneath a path, or to the file that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read files and list folders.
    Read,
    /// Also execute files.
    ReadExecute,
    /// Read, write, make and remove files, folders and symlinks; no execution, no FIFO, device or socket.
    ReadWrite,
    /// As [`Access::ReadWrite`], and execute files.
    ReadWriteExecute,
    /// Read, write and control a device file.
    Device,
}

/// A path and what is granted beneath it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The path. It must exist.
    pub path: PathBuf,
    /// What is granted.
    pub access: Access,
}

impl Grant {
    /// A grant.
    pub fn new(path: impl Into<PathBuf>, access: Access) -> Grant {
        Grant { path: path.into(), access }
    }
}

/// A ruleset that could not be put in force.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LandlockError {
    /// A path could not be opened.
    #[error("cannot grant {path} to a confined process: {reason}")]
    Grant {
        /// The path.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The kernel refused the ruleset.
    #[error("cannot put Landlock in force: {0}")]
    Ruleset(String),
}

/// The ABI of the kernel that runs, 0 where it has no Landlock.
pub fn kernel_abi() -> u8 {
    const VERSION: u32 = 1;
    // SAFETY: with this flag the call takes no attribute and only answers with a number.
    let abi = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, VERSION) };
    u8::try_from(abi).unwrap_or(0)
}

/// The ABI that [`restrict`] puts in force: the kernel's, at most `mask` (tests pretend to be on an older kernel), at most
/// the latest that this version knows.
pub fn effective_abi(mask: Option<u8>) -> u8 {
    kernel_abi().min(mask.unwrap_or(u8::MAX)).min(7)
}

/// Restricts this process, which must be single-threaded, to the grants: everything else that the ABI can deny is denied,
/// TCP and signals and abstract sockets to the outside included. Sets `no_new_privs`. Gives the ABI in force; at 0 nothing
/// was done.
pub fn restrict(grants: &[Grant], mask: Option<u8>) -> Result<u8, LandlockError> {
    let in_force = effective_abi(mask);
    if in_force == 0 {
        return Ok(0);
    }
    let abi = ABI::from(i32::from(in_force));
    let refused = |e: landlock::RulesetError| LandlockError::Ruleset(e.to_string());
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))
        .map_err(refused)?;
    if abi >= ABI::V4 {
        ruleset = ruleset.handle_access(AccessNet::from_all(abi)).map_err(refused)?;
    }
    if abi >= ABI::V6 {
        ruleset = ruleset.scope(Scope::from_all(abi)).map_err(refused)?;
    }
    let mut ruleset = ruleset.create().map_err(refused)?;
    for grant in grants {
        let failed = |reason: String| LandlockError::Grant { path: grant.path.clone(), reason };
        let path = PathFd::new(&grant.path).map_err(|e| failed(e.to_string()))?;
        let rights = rights(grant, &path, abi).map_err(|e| failed(e.to_string()))?;
        ruleset = ruleset.add_rule(PathBeneath::new(path, rights)).map_err(|e| failed(e.to_string()))?;
    }
    ruleset.restrict_self().map_err(refused)?;
    Ok(in_force)
}

/// The rights of a grant at an ABI. A file takes only the rights that a file can have.
fn rights(grant: &Grant, path: &PathFd, abi: ABI) -> std::io::Result<BitFlags<AccessFs>> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let write = AccessFs::WriteFile
        | AccessFs::RemoveDir
        | AccessFs::RemoveFile
        | AccessFs::MakeDir
        | AccessFs::MakeReg
        | AccessFs::MakeSym
        | AccessFs::Refer
        | AccessFs::Truncate;
    let wanted = match grant.access {
        Access::Read => read,
        Access::ReadExecute => read | AccessFs::Execute,
        Access::ReadWrite => read | write,
        Access::ReadWriteExecute => read | write | AccessFs::Execute,
        Access::Device => AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev,
    };
    let stat = rustix::fs::fstat(path.as_fd())?;
    let possible = match rustix::fs::FileType::from_raw_mode(stat.st_mode) {
        rustix::fs::FileType::Directory => AccessFs::from_all(abi),
        _ => AccessFs::from_file(abi),
    };
    Ok(wanted & possible)
}

/// Grants for those of the paths that exist.
pub fn existing<'a>(paths: impl IntoIterator<Item = &'a Path>, access: Access) -> Vec<Grant> {
    paths.into_iter().filter(|path| path.exists()).map(|path| Grant::new(path, access)).collect()
}
