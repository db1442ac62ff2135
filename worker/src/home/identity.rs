//! Acting on files as the agent they belong to.
//!
//! A worker that runs as root gives each agent slot a user of its own, and serves the agent's file calls with that
//! user's rights: what a path leads to by some mistake is then guarded by the kernel as well. Only the calling thread
//! changes, and only for files: it keeps its other rights and cannot be signalled by the agent.

use super::tree::Owner;
use std::marker::PhantomData;

/// Runs `work` with the file rights of `owner` (its user, its group, no further groups), on this thread and until it
/// returns or panics. Without an owner, or for one that this process already is, it just runs.
///
/// Nothing that `work` starts on another thread has those rights.
pub fn with_identity<T>(owner: Option<Owner>, work: impl FnOnce() -> T) -> std::io::Result<T> {
    match owner {
        Some(owner) if rustix::process::geteuid().is_root() && owner.uid != 0 => {
            let _assumed = Assumed::take(owner)?;
            Ok(work())
        }
        Some(owner) if rustix::process::geteuid().as_raw() != owner.uid => Err(std::io::Error::new(
            std::io::ErrorKind::PermissionDenied,
            format!("only root can act as user {}: run the worker as root, or give its agents no users", owner.uid),
        )),
        _ => Ok(work()),
    }
}

/// The identity that was taken on. It belongs to one thread, so it is not `Send`.
#[derive(Debug)]
struct Assumed {
    groups: Vec<libc::gid_t>,
    uid: libc::uid_t,
    gid: libc::gid_t,
    thread: PhantomData<*const ()>,
}

impl Assumed {
    fn take(owner: Owner) -> std::io::Result<Assumed> {
        let groups = rustix::process::getgroups()?.into_iter().map(|gid| gid.as_raw()).collect();
        // Before the guard exists: where this fails, nothing was changed and nothing is to be taken back.
        set_groups(&[])?;
        let assumed = Assumed {
            groups,
            uid: rustix::process::geteuid().as_raw(),
            gid: rustix::process::getegid().as_raw(),
            thread: PhantomData,
        };
        set_gid(owner.gid)?;
        set_uid(owner.uid)?;
        Ok(assumed)
    }
}

impl Drop for Assumed {
    fn drop(&mut self) {
        let restored = set_uid(self.uid).and_then(|()| set_gid(self.gid)).and_then(|()| set_groups(&self.groups));
        if restored.is_err() {
            // A thread of the pool that kept an agent's rights would serve others with them.
            std::process::abort();
        }
    }
}

/// This thread's further groups: the system call itself, because the C library changes those of all threads.
fn set_groups(groups: &[libc::gid_t]) -> std::io::Result<()> {
    // SAFETY: the pointer and the count are those of one slice, which the kernel only reads.
    let status = unsafe { libc::syscall(libc::SYS_setgroups, groups.len(), groups.as_ptr()) };
    if status == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

fn set_gid(gid: libc::gid_t) -> std::io::Result<()> {
    // SAFETY: it takes a number and changes only this thread's group for files.
    unsafe { libc::setfsgid(gid) };
    // SAFETY: as above; no group has this number, so it changes nothing and tells what is set.
    let now = unsafe { libc::setfsgid(libc::gid_t::MAX) };
    taken_on(i64::from(now), gid)
}

fn set_uid(uid: libc::uid_t) -> std::io::Result<()> {
    // SAFETY: it takes a number and changes only this thread's user for files.
    unsafe { libc::setfsuid(uid) };
    // SAFETY: as above; no user has this number, so it changes nothing and tells what is set.
    let now = unsafe { libc::setfsuid(libc::uid_t::MAX) };
    taken_on(i64::from(now), uid)
}

/// The calls report no error: they tell what was set before.
fn taken_on(now: i64, wanted: u32) -> std::io::Result<()> {
    if now == i64::from(wanted.cast_signed()) { Ok(()) } else { Err(std::io::ErrorKind::PermissionDenied.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    const AGENT: Owner = Owner { uid: 61_234, gid: 61_235 };

    #[test]
    fn files_belong_to_the_agent_and_those_of_root_are_out_of_reach_meanwhile() {
        let folder = tempfile::tempdir().expect("tempdir");
        let secret = folder.path().join("secret");
        fs::write(&secret, "s").expect("secret");
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).expect("mode");
        if !rustix::process::geteuid().is_root() {
            assert!(with_identity(Some(AGENT), || ()).is_err());
            assert_eq!(with_identity(None, || fs::read_to_string(&secret).expect("read")).expect("as we are"), "s");
            return;
        }
        let open = fs::Permissions::from_mode(0o777);
        fs::set_permissions(folder.path(), open).expect("mode");
        let made = folder.path().join("made");
        let denied = with_identity(Some(AGENT), || {
            fs::write(&made, "m").expect("made");
            assert_eq!(thread_groups(), "", "no further group");
            fs::read_to_string(&secret).expect_err("out of reach").kind()
        });
        assert_eq!(denied.expect("root can"), std::io::ErrorKind::PermissionDenied);
        let meta = fs::metadata(&made).expect("made");
        assert_eq!((meta.uid(), meta.gid()), (AGENT.uid, AGENT.gid));
        assert_eq!(fs::read_to_string(&secret).expect("back again"), "s");
    }

    #[test]
    fn a_panic_gives_the_identity_back() {
        let folder = tempfile::tempdir().expect("tempdir");
        let before = (fs_ids(), thread_groups());
        let panicked = std::panic::catch_unwind(|| {
            let _ = with_identity(rustix::process::geteuid().is_root().then_some(AGENT), || panic!("on purpose"));
        });
        assert!(panicked.is_err());
        assert_eq!((fs_ids(), thread_groups()), before);
        drop(folder);
    }

    #[test]
    fn other_threads_keep_theirs() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let (tell, told) = std::sync::mpsc::channel::<()>();
        let (report, reported) = std::sync::mpsc::channel();
        let other = std::thread::spawn(move || {
            told.recv().expect("told");
            report.send(fs_ids()).expect("reported");
        });
        let theirs = with_identity(Some(AGENT), || {
            tell.send(()).expect("told");
            reported.recv().expect("reported")
        });
        other.join().expect("joined");
        assert_eq!(theirs.expect("root can"), fs_ids());
    }

    fn status_line(key: &str) -> String {
        let status = fs::read_to_string("/proc/thread-self/status").expect("status");
        let line = status.lines().find_map(|line| line.strip_prefix(key)).expect("the line");
        line.trim().to_owned()
    }

    fn thread_groups() -> String {
        status_line("Groups:")
    }

    fn fs_ids() -> (String, String) {
        (status_line("Uid:"), status_line("Gid:"))
    }
}
