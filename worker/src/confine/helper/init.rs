//! The init of a job: makes its surroundings, starts it, reaps, and leaves nothing behind.

use super::pipes::{Ready, poll, tell};
use super::reaping::{adopt_orphans, has_children, kill_descendants, reap};
use super::{Message, Way, hide, into_fd, job};
use crate::confine::credentials::{
    CredentialsError, Keep, SlotIds, drop_bounding_set, drop_capabilities, no_new_privileges, take_ids,
};
use crate::confine::landlock::{self, Access, Grant, LandlockError};
use crate::confine::namespaces::{self, Kind, NamespaceError};
use crate::confine::protocol::{End, Held, Spec};
use crate::confine::root::{DEVICES, MountAccess, PrivateRoot, SYSTEM_FOLDERS, SYSTEM_SETTINGS, System, TEMP};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The init's whole life.
pub(super) fn run(
    spec: &Spec,
    way: Way,
    before: SlotIds,
    scratch: Option<&Path>,
    messages: OwnedFd,
    lifeline: OwnedFd,
) -> ! {
    let status = match start(spec, way, before, scratch, &messages) {
        Ok((job, children)) => {
            let status = wait(job, &children, &lifeline);
            end_all(way);
            tell(&messages, &Message::Ended { end: end_of(status), cpu_ms: cpu_of_children_ms() });
            0
        }
        Err(message) => {
            tell(&messages, &message);
            1
        }
    };
    // SAFETY: leaves at once; this process shares exit handlers with the supervisor that it was copied from.
    unsafe { libc::_exit(status) }
}

/// Surrounds and starts the job; gives its process and the descriptor that tells of ended children.
fn start(
    spec: &Spec,
    way: Way,
    before: SlotIds,
    scratch: Option<&Path>,
    messages: &OwnedFd,
) -> Result<(libc::pid_t, OwnedFd), Message> {
    die_with_supervisor(way);
    // Whatever the memory runs out for, the job goes first.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    adopt_orphans();
    let mut held = Held { namespaces: false, own_user: false, landlock_abi: 0, denials: false };
    if let Way::Namespaces(kind) = way {
        enter(spec, kind, before).map_err(|e| Message::Unavailable(e.to_string()))?;
        held.namespaces = true;
    }
    let credentials = |e: CredentialsError| Message::Refused(e.to_string());
    if way != Way::Off {
        drop_bounding_set();
        if way == Way::Namespaces(Kind::Privileged) {
            take_ids(spec.ids).map_err(credentials)?;
        }
        if let Way::Namespaces(_) = way {
            drop_capabilities(Keep::Nothing).map_err(credentials)?;
        }
        no_new_privileges().map_err(credentials)?;
        let grants = grants(spec, way, scratch);
        held.landlock_abi = landlock::restrict(&grants, spec.landlock_abi).map_err(|e| match e {
            LandlockError::Grant { .. } => Message::Failed(e.to_string()),
            _ => Message::Refused(e.to_string()),
        })?;
        if way == Way::Plain && before.uid == 0 {
            drop_capabilities(Keep::KillAndSetIds).map_err(credentials)?;
        }
        held.own_user = before.uid == 0;
        held.denials = true;
        held.verdict().map_err(Message::Refused)?;
    }
    hide();
    // A change of user clears this.
    die_with_supervisor(way);
    let children =
        children_descriptor().map_err(|e| Message::Failed(format!("cannot watch for ended processes: {e}")))?;
    tell(messages, &Message::Starting(held));
    // SAFETY: this process has one thread; the child goes on to execute the job or leaves.
    let pid = match unsafe { libc::fork() } {
        -1 => return Err(Message::Failed(format!("cannot start a process: {}", io::Error::last_os_error()))),
        0 => job::run(spec, way, before, scratch, messages),
        pid => pid,
    };
    // The pipes are the job's alone, so that its reader sees their end.
    // SAFETY: this process writes nothing there.
    unsafe {
        libc::close(1);
        libc::close(2);
    }
    if way == Way::Plain && before.uid == 0 {
        drop_capabilities(Keep::Kill).inspect_err(|_| end_all(way)).map_err(credentials)?;
    }
    Ok((pid, children))
}

fn enter(spec: &Spec, kind: Kind, before: SlotIds) -> Result<(), NamespaceError> {
    let owner = match kind {
        Kind::Privileged => spec.ids,
        Kind::User => {
            namespaces::map_to_itself(before)?;
            before
        }
    };
    let root = PrivateRoot {
        mounts: spec.mounts.clone(),
        system: System::Shown,
        temp_bytes: spec.bounds.temp_bytes,
        temp_entries: spec.bounds.temp_entries,
        owner,
        proc: spec.proc.clone(),
    };
    root.enter()
}

/// What Landlock grants: the whole private root, which shows nothing else, or the same paths on the host.
fn grants(spec: &Spec, way: Way, scratch: Option<&Path>) -> Vec<Grant> {
    let private = matches!(way, Way::Namespaces(_));
    let mut grants = if private {
        vec![Grant::new("/", Access::ReadExecute), Grant::new(TEMP, Access::ReadWriteExecute)]
    } else {
        let settings: Vec<PathBuf> = SYSTEM_SETTINGS.iter().map(|name| Path::new("/etc").join(name)).collect();
        let mut system = landlock::existing(SYSTEM_FOLDERS.iter().map(Path::new), Access::ReadExecute);
        system.extend(landlock::existing(settings.iter().map(PathBuf::as_path), Access::Read));
        system.extend(scratch.map(|folder| Grant::new(folder, Access::ReadWriteExecute)));
        system
    };
    let devices: Vec<PathBuf> = DEVICES.iter().map(|name| Path::new("/dev").join(name)).collect();
    grants.extend(landlock::existing(devices.iter().map(PathBuf::as_path), Access::Device));
    grants.extend(spec.mounts.iter().map(|mount| {
        let access = match mount.access {
            MountAccess::ReadOnly => Access::ReadExecute,
            MountAccess::ReadWrite => Access::ReadWriteExecute,
        };
        Grant::new(if private { &mount.target } else { &mount.source }, access)
    }));
    grants
}

/// The kernel kills this process with the supervisor, where that ends the job too. Elsewhere the end of the lifeline tells
/// it, and it must live to kill what is left.
fn die_with_supervisor(way: Way) {
    if let Way::Namespaces(_) = way {
        // SAFETY: takes plain numbers. The supervisor has one thread, so its end is the process's.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) };
    }
}

/// Blocks SIGCHLD and gives a descriptor that is readable when a child has ended.
fn children_descriptor() -> io::Result<OwnedFd> {
    // SAFETY: the set is initialised before it is used, and all three calls only read it.
    let fd = unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
        libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
    };
    if fd < 0 { Err(io::Error::last_os_error()) } else { Ok(into_fd(fd)) }
}

/// Reaps until the job itself ends, or the supervisor wants the end. Gives the job's status, where it ended by itself.
fn wait(job: libc::pid_t, children: &OwnedFd, lifeline: &OwnedFd) -> Option<libc::c_int> {
    loop {
        while let Some((pid, status)) = reap() {
            if pid == job {
                return Some(status);
            }
        }
        match poll([Some(children.as_fd()), Some(lifeline.as_fd())], Duration::from_secs(60)) {
            Ok([_, Ready::Yes]) | Err(_) => return None,
            Ok([Ready::Yes, _]) => {
                // Several ends may lie behind one signal, so its contents tell nothing.
                let _ = rustix::io::read(children, &mut [0u8; 1024]);
            }
            Ok(_) => {}
        }
    }
}

/// Kills until nothing is left: every process that the job started is a child of this one by the end.
fn end_all(way: Way) {
    while has_children() {
        if sweep_is_safe(way) {
            // Every process that this one may signal, in one pass that no fork escapes.
            // SAFETY: see `sweep_is_safe`.
            unsafe { libc::kill(-1, libc::SIGKILL) };
        } else {
            kill_descendants();
        }
        while reap().is_some() {}
        if has_children() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Whether "every process that this one may signal" is the job's alone: within an own process namespace, or a Landlock
/// domain that keeps signals inside. Asked of the system, not remembered: a mistake would end the machine's processes.
fn sweep_is_safe(way: Way) -> bool {
    // SAFETY: signal 0 only asks for permission.
    unsafe {
        match way {
            // The first process of a namespace sees no parent.
            Way::Namespaces(_) => libc::getpid() == 1 && libc::getppid() == 0,
            Way::Plain => libc::kill(libc::getppid(), 0) != 0 && libc::kill(1, 0) != 0,
            Way::Off => false,
        }
    }
}

fn end_of(status: Option<libc::c_int>) -> End {
    match status {
        Some(status) if libc::WIFEXITED(status) => End::Exited(libc::WEXITSTATUS(status)),
        Some(status) => End::Signalled(libc::WTERMSIG(status)),
        None => End::Stopped,
    }
}

fn cpu_of_children_ms() -> u64 {
    // SAFETY: an all-zero answer is valid, and the call fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let millis = |time: libc::timeval| time.tv_sec * 1000 + time.tv_usec / 1000;
    u64::try_from(millis(usage.ru_utime) + millis(usage.ru_stime)).unwrap_or(0)
}
