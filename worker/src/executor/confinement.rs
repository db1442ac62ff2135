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
use crate::confine::seccomp::{self, Otherwise, SeccompError};
use crate::executor::folders::Folders;
use crate::executor::protocol::{Assignment, Isolation};
use gg_common::limits::TREE_DEPTH;
use gg_common::profile::TreeAccess;
use std::io;
use std::path::{Path, PathBuf};

/// Where the private root shows the tree.
const WORK: &str = "/work";

/// Open descriptors: a program's files, the executor's few, and those that are kept for looking at the tree.
pub const OPEN_FILES: u64 = 256 + RESERVED_FILES as u64;

/// Descriptors that a program can never take: one for each level of the deepest tree that is looked at, and a few more.
pub const RESERVED_FILES: usize = TREE_DEPTH as usize + 8;

/// Address space. It bounds no memory (reservations for linear memories are larger than what is used), but the tables of
/// pages that native code could fill by reading all over an endless mapping: 128 MiB here.
const ADDRESS_BYTES: u64 = 64 << 30;

/// The system calls of an executor: one thread, files on that thread, a blocking socket, a timer over its CPU clock.
const ALLOWED: &[libc::c_long] = &[
    // Memory. No `memfd_create`: what is written there is in no limit.
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    // The socket to the worker, and descriptors.
    libc::SYS_recvfrom,
    libc::SYS_sendto,
    libc::SYS_poll,
    libc::SYS_close,
    libc::SYS_dup,
    // Files beneath the tree and the temporary folder.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_pwritev2,
    libc::SYS_lseek,
    libc::SYS_statx,
    libc::SYS_fstatfs,
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
    // The timer is made before: timers are counted by user, so that one executor could take all of a user's.
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
    let ids = assignment.identity.map(|(uid, gid)| SlotIds { uid, gid });
    if assignment.isolation == Isolation::LandlockOnly && ids.is_none() {
        return Err(io::Error::other(
            "without namespaces an executor must be a user of its own, and only root can give it one: Landlock does not \
             stop it from changing the modes and times of its user's files; allow user namespaces, or run the worker as root",
        ));
    }
    ResourceLimits {
        address_bytes: Some(ADDRESS_BYTES),
        data_bytes: Some(assignment.data_bytes),
        file_bytes: Some(assignment.file_bytes),
        open_files: Some(OPEN_FILES),
        processes: None,
    }
    .apply()
    .map_err(explained)?;
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
    // After the change of user, which clears it. The worker starts executors on a thread that lives as long as it does.
    end_with_parent()?;

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
    let filter = filter(otherwise).map_err(explained)?;
    seccomp::apply(&filter).map_err(explained)?;
    Ok(folders)
}

/// The calls of [`ALLOWED`], and those that are allowed with some arguments only.
fn filter(otherwise: Otherwise) -> Result<seccomp::Program, SeccompError> {
    let mut rules = seccomp::always(ALLOWED);
    let with = |conditions| seccomp::all(conditions).map(|rule| vec![rule]);
    // `abort` signals its own thread; nothing else may be signalled, and a process must not stop itself for ever.
    let own = seccomp::equals(0, std::process::id())?;
    rules.insert(libc::SYS_tgkill, with(vec![own, seccomp::equals(2, libc::SIGABRT as u32)?])?);
    // Private memory alone is in RLIMIT_DATA: shared memory is not, nor are mappings that grow downwards.
    let uncounted = libc::MAP_SHARED | libc::MAP_GROWSDOWN | libc::MAP_HUGETLB;
    rules.insert(libc::SYS_mmap, with(vec![seccomp::lacks_bits(3, uncounted as u64)?])?);
    // Emptying a deep folder moves what is in it; no exchange, and no white-out, which is a device.
    rules.insert(libc::SYS_renameat2, with(vec![seccomp::equals(4, libc::RENAME_NOREPLACE)?])?);
    // With F_SETOWN, F_SETSIG and O_ASYNC the kernel would signal any process of the same user in one's name.
    let mut fcntl = vec![seccomp::all(vec![
        seccomp::equals(1, libc::F_SETFL as u32)?,
        seccomp::lacks_bits(2, libc::O_ASYNC as u64)?,
    ])?];
    for command in [libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, libc::F_DUPFD_CLOEXEC] {
        fcntl.push(seccomp::all(vec![seccomp::equals(1, command as u32)?])?);
    }
    rules.insert(libc::SYS_fcntl, fcntl);
    seccomp::allow_list(rules, otherwise)
}

/// Has the kernel end this process with the thread that started it.
fn end_with_parent() -> io::Result<()> {
    // SAFETY: takes plain numbers.
    if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
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

/// Keeps the host's root, where Landlock alone closes it; where the worker may (CAP_SYS_CHROOT, which containers have
/// more often than namespaces), the home becomes the root, so that not even names outside are seen. The current folder
/// becomes the home's, so that the slot's user reaches the tree by a relative path even where a folder above is closed to
/// it.
fn stay_on_the_hosts_root(assignment: &Assignment) -> io::Result<Folders> {
    let home = assignment.tree.parent().unwrap_or(Path::new("/"));
    std::env::set_current_dir(home)?;
    if std::os::unix::fs::chroot(".").is_ok() {
        std::env::set_current_dir("/")?;
    }
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
