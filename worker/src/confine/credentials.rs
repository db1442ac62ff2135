//! Who a process is: its user and group, its capabilities, and what an execution may add to them.

use serde::{Deserialize, Serialize};
use std::io;

/// The user and group that belong to one slot of a worker. Trees of the slot are theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotIds {
    /// The user.
    pub uid: u32,
    /// The group.
    pub gid: u32,
}

/// The first of the users that a root worker gives to its slots, where the settings name no other. Slot `n` is user and
/// group `base + n`; keep the range free of accounts.
pub const DEFAULT_BASE_UID: u32 = 40_000;

impl SlotIds {
    /// The user and group of a slot.
    pub fn of(base_uid: u32, slot: u32) -> SlotIds {
        let id = base_uid.saturating_add(slot);
        SlotIds { uid: id, gid: id }
    }

    /// Those of the calling process: an ordinary user's worker has no others to give.
    pub fn current() -> SlotIds {
        // SAFETY: these calls cannot fail and touch no memory.
        unsafe { SlotIds { uid: libc::geteuid(), gid: libc::getegid() } }
    }
}

/// A change of credentials that the system refused.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what}: {source}")]
pub struct CredentialsError {
    what: &'static str,
    source: io::Error,
}

fn check(what: &'static str, result: libc::c_long) -> Result<(), CredentialsError> {
    if result == 0 { Ok(()) } else { Err(CredentialsError { what, source: io::Error::last_os_error() }) }
}

/// Becomes another user for good: no supplementary groups, real, effective and saved ids alike. Needs root. Clears the
/// dumpable attribute; [`set_dumpable`] before writing to this process's own `/proc`.
pub fn take_ids(ids: SlotIds) -> Result<(), CredentialsError> {
    // SAFETY: an empty list of groups is read from no memory; the others take plain numbers. The raw calls change the
    // calling thread alone, which is all there is in a single-threaded process.
    unsafe {
        check("leave the supplementary groups", libc::syscall(libc::SYS_setgroups, 0usize, std::ptr::null::<u32>()))?;
        check("take the slot's group", libc::syscall(libc::SYS_setresgid, ids.gid, ids.gid, ids.gid))?;
        check("take the slot's user", libc::syscall(libc::SYS_setresuid, ids.uid, ids.uid, ids.uid))
    }
}

/// What capabilities a process keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// None.
    Nothing,
    /// Only the right to signal any process: what the init of a job needs to end it. The job itself never has it.
    Kill,
    /// The rights to signal and to become another user: the init of a job until the job is started.
    KillAndSetIds,
}

/// Empties the bounding set, so that no execution brings a capability back. Needs CAP_SETPCAP; without it nothing
/// happens, which is sound where `no_new_privs` holds.
pub fn drop_bounding_set() {
    for capability in 0..64u64 {
        // SAFETY: takes plain numbers; a capability that this kernel does not know is refused.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

/// Drops every capability but those kept, ambient ones too.
pub fn drop_capabilities(keep: Keep) -> Result<(), CredentialsError> {
    const CAP_KILL: u32 = 5;
    const CAP_SETGID: u32 = 6;
    const CAP_SETUID: u32 = 7;
    let kept = match keep {
        Keep::Nothing => 0,
        Keep::Kill => 1 << CAP_KILL,
        Keep::KillAndSetIds => 1 << CAP_KILL | 1 << CAP_SETGID | 1 << CAP_SETUID,
    };
    // SAFETY: takes plain numbers.
    unsafe { libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) };
    // Version 3 of the interface, this thread; then effective, permitted and inheritable, low and high words.
    let header: [u32; 2] = [0x2008_0522, 0];
    let data: [u32; 6] = [kept, kept, 0, 0, 0, 0];
    // SAFETY: both arrays have the layout that version 3 prescribes and outlive the call.
    check("drop capabilities", unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), data.as_ptr()) })
}

/// No execution gives this process more rights than it has: setuid bits and file capabilities are ignored.
pub fn no_new_privileges() -> Result<(), CredentialsError> {
    // SAFETY: takes plain numbers.
    check("set no_new_privs", unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into())
}

/// Whether others of the same user may trace this process and read its memory and environment.
pub fn set_dumpable(dumpable: Dumpable) -> Result<(), CredentialsError> {
    let value = match dumpable {
        Dumpable::No => 0,
        Dumpable::Yes => 1,
    };
    // SAFETY: takes plain numbers.
    check("set the dumpable attribute", unsafe { libc::prctl(libc::PR_SET_DUMPABLE, value, 0, 0, 0) }.into())
}

/// See [`set_dumpable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dumpable {
    /// Its `/proc` belongs to root, nothing of it can be read.
    No,
    /// As usual. A change of user clears it, and then the maps of a user namespace cannot be written.
    Yes,
}
