//! How an executor confines itself, for good, when its agent is assigned: limits, a private root that shows the tree and a
//! bounded temporary folder, the slot's user, no capabilities, Landlock, and an allow-list of system calls. It has one
//! thread by then, has mapped its guests, and has met nothing hostile.

use crate::confine::credentials::{
    Dumpable, Keep, SlotIds, drop_bounding_set, drop_capabilities, no_new_privileges, set_dumpable, take_ids,
};
use crate::confine::landlock::{self, Access, Grant};
use crate::confine::limits::ResourceLimits;
use crate::confine::namespaces::map_to_itself;
use crate::confine::root::{Mount, MountAccess, PrivateRoot, Proc, System, TEMP};
use crate::confine::seccomp::{self, Otherwise};
use crate::executor::protocol::{Assignment, Isolation};
use crate::executor::run::Folders;
use gg_common::profile::TreeAccess;
use std::io;
use std::path::{Path, PathBuf};

/// Where the private root shows the tree.
const WORK: &str = "/work";

/// Open descriptors: a program's files, and the executor's few.
const OPEN_FILES: u64 = 256;

/// The system calls of an executor: one thread, files on that thread, a blocking socket, a timer over its CPU clock.
const ALLOWED: &[libc::c_long] = &[
    // Memory. `memfd_create` backs the copy-on-write image of a component that is compiled here.
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_memfd_create,
    // The socket to the worker, and descriptors.
    libc::SYS_recvfrom,
    libc::SYS_sendto,
    libc::SYS_poll,
    libc::SYS_close,
    libc::SYS_fcntl,
    libc::SYS_dup,
    // Files beneath the tree and the temporary folder.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_pwritev2,
    libc::SYS_lseek,
    libc::SYS_statx,
    libc::SYS_newfstatat,
    libc::SYS_fstat,
    libc::SYS_ftruncate,
    libc::SYS_fadvise64,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_getdents64,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_readlinkat,
    libc::SYS_utimensat,
    libc::SYS_getcwd,
    // Time, waiting, randomness.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_futex,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_getrusage,
    libc::SYS_getrandom,
    // tokio's timer parks on epoll; descriptors are made before the filter.
    libc::SYS_epoll_wait,
    libc::SYS_epoll_pwait,
    // Signals and the end.
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_exit_group,
];

fn explained(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}

/// Confines this process to its agent, and says where the agent's folders are from now on.
pub fn confine(assignment: &Assignment) -> io::Result<Folders> {
    ResourceLimits {
        data_bytes: Some(assignment.data_bytes),
        file_bytes: Some(assignment.file_bytes),
        open_files: Some(OPEN_FILES),
        processes: None,
    }
    .apply()
    .map_err(explained)?;
    let ids = assignment.identity.map(|(uid, gid)| SlotIds { uid, gid });
    let folders = match assignment.isolation {
        Isolation::Namespaces => enter_private_root(assignment, ids)?,
        Isolation::LandlockOnly => stay_on_the_hosts_root(assignment)?,
    };
    drop_bounding_set();
    if let Some(ids) = ids {
        take_ids(ids).map_err(explained)?;
    }
    drop_capabilities(Keep::Nothing).map_err(explained)?;
    no_new_privileges().map_err(explained)?;
    set_dumpable(Dumpable::No).map_err(explained)?;

    let mut grants = vec![Grant::new(&folders.temp, Access::ReadWrite)];
    match folders.access {
        TreeAccess::None => {}
        TreeAccess::ReadOnly => grants.push(Grant::new(&folders.work, Access::Read)),
        TreeAccess::ReadWrite => grants.push(Grant::new(&folders.work, Access::ReadWrite)),
    }
    let abi = assignment.landlock_abi.map(|abi| u8::try_from(abi).unwrap_or(u8::MAX));
    let in_force = landlock::restrict(&grants, abi).map_err(explained)?;
    if assignment.isolation == Isolation::LandlockOnly && in_force < landlock::FULL_ABI {
        return Err(io::Error::other(format!(
            "this kernel has Landlock ABI {in_force} and namespaces cannot be had: without namespaces ABI {} is needed; \
             run the worker where it may make namespaces, or on Linux 6.12 or later",
            landlock::FULL_ABI
        )));
    }
    let otherwise = if assignment.kill_on_violation { Otherwise::Kill } else { Otherwise::Refuse };
    let mut rules = seccomp::always(ALLOWED);
    // `abort` signals its own thread; nothing else may be signalled.
    let own = seccomp::equals(0, std::process::id()).map_err(explained)?;
    rules.insert(libc::SYS_tgkill, vec![seccomp::all(vec![own]).map_err(explained)?]);
    let filter = seccomp::allow_list(rules, otherwise).map_err(explained)?;
    seccomp::apply(&filter).map_err(explained)?;
    Ok(folders)
}

/// Moves into a root that holds the tree and a bounded temporary folder, and nothing else.
fn enter_private_root(assignment: &Assignment, ids: Option<SlotIds>) -> io::Result<Folders> {
    let me = SlotIds::current();
    // As root the slot's user is taken later; an ordinary user needs a user namespace to be allowed a mount namespace.
    // No other namespace adds anything: the filter leaves no socket, signal or process to reach.
    let flags = if ids.is_some() { libc::CLONE_NEWNS } else { libc::CLONE_NEWNS | libc::CLONE_NEWUSER };
    // SAFETY: takes plain numbers; this process has one thread.
    if unsafe { libc::unshare(flags) } != 0 {
        return Err(io::Error::other(format!("cannot make a mount namespace: {}", io::Error::last_os_error())));
    }
    if ids.is_none() {
        map_to_itself(me).map_err(explained)?;
    }
    let mut mounts = Vec::new();
    let access = match assignment.access {
        TreeAccess::None => None,
        TreeAccess::ReadOnly => Some(MountAccess::ReadOnly),
        TreeAccess::ReadWrite => Some(MountAccess::ReadWrite),
    };
    if let Some(access) = access {
        mounts.push(Mount { source: assignment.tree.clone(), target: PathBuf::from(WORK), access });
    }
    let root = PrivateRoot {
        mounts,
        system: System::Hidden,
        temp_bytes: assignment.temp_bytes,
        temp_entries: assignment.temp_entries,
        owner: ids.unwrap_or(me),
        proc: Proc::None,
    };
    root.enter().map_err(explained)?;
    Ok(Folders {
        work: PathBuf::from(WORK),
        access: assignment.access,
        temp: PathBuf::from(TEMP),
        temp_is_bounded: true,
    })
}

/// Keeps the host's root, where Landlock alone closes it. The current folder becomes the home's, so that the slot's user
/// reaches the tree by a relative path even where a folder above is closed to it.
fn stay_on_the_hosts_root(assignment: &Assignment) -> io::Result<Folders> {
    let home = assignment.tree.parent().unwrap_or(Path::new("/"));
    std::env::set_current_dir(home)?;
    let name = |path: &Path| path.file_name().map(PathBuf::from).unwrap_or_default();
    Ok(Folders {
        work: name(&assignment.tree),
        access: assignment.access,
        temp: name(&assignment.scratch),
        temp_is_bounded: false,
    })
}

/// Empties the temporary folder: a program finds nothing of the one before it.
pub fn clear_temp(folders: &Folders) -> io::Result<()> {
    crate::home::tree::remove_contents(&folders.temp).map_err(explained)
}
