//! Children of the helper's processes: adopting, reaping and killing them.

use crate::confine::processes::beneath;
use std::time::Duration;

/// Orphans beneath this process become its children, not the machine's.
pub(super) fn adopt_orphans() {
    // SAFETY: takes plain numbers.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
}

/// Takes one ended child, if there is one.
pub(super) fn reap() -> Option<(libc::pid_t, libc::c_int)> {
    let mut status = 0;
    // SAFETY: `status` is a valid place for the answer.
    match unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) } {
        pid if pid > 0 => Some((pid, status)),
        _ => None,
    }
}

/// Waits for a child to end.
pub(super) fn wait_for(pid: libc::pid_t) {
    // SAFETY: waits for our child; the status is not wanted.
    while unsafe { libc::waitpid(pid, std::ptr::null_mut(), 0) } < 0
        && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
    {}
}

/// Whether there is a child, ended or not.
pub(super) fn has_children() -> bool {
    // SAFETY: an all-zero answer is valid, and the call fills it or fails.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        libc::waitid(libc::P_ALL, 0, &raw mut info, libc::WEXITED | libc::WNOHANG | libc::WNOWAIT) == 0
    }
}

/// Sends everything beneath this process its end. What forks meanwhile may be missed: repeat.
pub(super) fn kill_descendants() {
    // SAFETY: cannot fail.
    for pid in beneath(unsafe { libc::getpid() }) {
        // SAFETY: a descendant; its number is not reused while its parents are not reaped.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
}

/// Kills and reaps until nothing is beneath this process.
pub(super) fn kill_and_reap_descendants() {
    loop {
        while reap().is_some() {}
        if !has_children() {
            return;
        }
        kill_descendants();
        std::thread::sleep(Duration::from_millis(1));
    }
}
