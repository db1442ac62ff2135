//! What hostile native code tries in an executor, beside [`crate::attempts`]: what the filter of an executor could let
//! through because the engine needs a call of the same name.

use crate::attempts::{Target, c, call, tell};
use std::io::{Error, Result};
use std::os::fd::{AsRawFd, OwnedFd};

/// The C library's headers have it only for some programs.
const F_SETSIG: i32 = 10;

/// Makes every attempt. `socket` is the descriptor that leads to the worker, `guest` one that is mapped as native code,
/// `left_open` one that the worker should never have handed on.
pub fn run(target: &Target, socket: i32, guest: i32, left_open: i32) {
    descriptors(target, socket, guest, left_open);
    memory();
    signals(target, socket);
    names(target);
    calls();
}

fn descriptors(target: &Target, socket: i32, guest: i32, left_open: i32) {
    let mut buffer = [0u8; 16];
    // SAFETY: here and below, strings and buffers outlive the calls that take them, and every pointer that a call may
    // write through leads to a place that is large enough; the rest are plain numbers.
    unsafe {
        call(
            "read what the worker left open",
            libc::pread(left_open, buffer.as_mut_ptr().cast(), 1, 0) as libc::c_long,
        );
        call("write a guest", libc::pwrite(guest, buffer.as_ptr().cast(), 1, 0) as libc::c_long);
        call("truncate a guest", libc::ftruncate(guest, 0).into());
        call("change a guest's mode", libc::fchmod(guest, 0o666).into());
        call(
            "open a guest for writing",
            libc::open(c(&format!("/proc/self/fd/{guest}")).as_ptr(), libc::O_RDWR).into(),
        );
        call(
            "map a guest writable",
            mapped(libc::mmap(
                std::ptr::null_mut(),
                4096,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                guest,
                0,
            )),
        );
        call("link a guest into the tree", {
            let (empty, name) = (c(""), c(&format!("{}/guest", target.tree)));
            libc::linkat(guest, empty.as_ptr(), libc::AT_FDCWD, name.as_ptr(), libc::AT_EMPTY_PATH).into()
        });
        let mut message: libc::msghdr = std::mem::zeroed();
        call(
            "send a message with rights",
            libc::sendmsg(socket, &raw const message, libc::MSG_DONTWAIT) as libc::c_long,
        );
        call(
            "receive a message with rights",
            libc::recvmsg(socket, &raw mut message, libc::MSG_DONTWAIT) as libc::c_long,
        );
        let mut pair = [0i32; 2];
        call("make a socket pair", libc::socketpair(libc::AF_UNIX, libc::SOCK_STREAM, 0, pair.as_mut_ptr()).into());
        call("make a pipe", libc::pipe(pair.as_mut_ptr()).into());
        call("control a descriptor", libc::ioctl(socket, libc::FIONREAD, buffer.as_mut_ptr()).into());
        call("lock a guest", libc::flock(guest, libc::LOCK_EX | libc::LOCK_NB).into());
        let mut lock: libc::flock = std::mem::zeroed();
        lock.l_type = libc::F_RDLCK as i16;
        call("lock a guest by fcntl", libc::fcntl(guest, libc::F_SETLK, &raw const lock).into());
        call("duplicate above every number", libc::fcntl(socket, libc::F_DUPFD, 100_000).into());
        call("seal", libc::fcntl(guest, libc::F_ADD_SEALS, 1).into());
    }
}

fn mapped(at: *mut libc::c_void) -> libc::c_long {
    if at == libc::MAP_FAILED { -1 } else { 0 }
}

fn memory() {
    // SAFETY: see `descriptors`; new mappings replace nothing.
    unsafe {
        let anonymous = |flags| {
            let at = libc::mmap(
                std::ptr::null_mut(),
                1 << 20,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_ANONYMOUS | flags,
                -1,
                0,
            );
            mapped(at)
        };
        call("map shared memory", anonymous(libc::MAP_SHARED));
        call("map memory that grows downwards", anonymous(libc::MAP_PRIVATE | libc::MAP_GROWSDOWN));
        call("map huge pages", anonymous(libc::MAP_PRIVATE | libc::MAP_HUGETLB));
        // Each counts; the sum is what must not be had.
        let mut held = 0u64;
        for _ in 0..64 {
            if anonymous(libc::MAP_PRIVATE) != 0 {
                break;
            }
            let at = libc::mmap(
                std::ptr::null_mut(),
                256 << 20,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            if mapped(at) != 0 {
                break;
            }
            held += 256 << 20;
        }
        tell("hold 4 GiB of memory", if held >= 4 << 30 { Ok(()) } else { Err(Error::other(format!("{held} bytes"))) });
        let mut reserved = 0u64;
        for _ in 0..256 {
            let at = libc::mmap(
                std::ptr::null_mut(),
                1 << 40,
                libc::PROT_READ,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            );
            if mapped(at) != 0 {
                break;
            }
            reserved += 1 << 40;
        }
        tell("reserve addresses without end", if reserved > 0 { Ok(()) } else { Err(Error::last_os_error()) });
        call("lock memory", libc::mlockall(libc::MCL_CURRENT).into());
        let page = libc::mmap(
            std::ptr::null_mut(),
            4096,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        call("lock a mebibyte of memory", {
            let at = libc::mmap(
                std::ptr::null_mut(),
                1 << 20,
                libc::PROT_READ,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            libc::mlock(at, 1 << 20).into()
        });
        call("make memory secret", libc::syscall(libc::SYS_memfd_secret, 0));
        call("poison a page", libc::madvise(page, 4096, libc::MADV_HWPOISON).into());
        call("move pages", libc::syscall(libc::SYS_move_pages, 0, 0, 0, 0, 0, 0));
    }
}

fn signals(target: &Target, socket: i32) {
    // SAFETY: see `descriptors`.
    unsafe {
        for (who, pid) in [("victim", target.pid), ("worker", target.worker)] {
            // The kernel signals the owner of a descriptor in its name. Had it been set, the descriptor's next event would
            // be the end of the other.
            call(&format!("have the kernel signal the {who}"), {
                let owned = libc::fcntl(socket, libc::F_SETOWN, pid);
                let back = libc::fcntl(socket, libc::F_SETOWN, 0);
                let _ = back;
                owned.into()
            });
        }
        call("choose the signal", libc::fcntl(socket, F_SETSIG, libc::SIGKILL).into());
        call("ask for signals", libc::fcntl(socket, libc::F_SETFL, libc::O_ASYNC).into());
        libc::fcntl(socket, libc::F_SETFL, 0);
        call("signal its group", libc::kill(0, 0).into());
        call("signal everybody", libc::kill(-1, 0).into());
        let me = libc::getpid();
        call("stop itself", libc::syscall(libc::SYS_tgkill, me, libc::syscall(libc::SYS_gettid), libc::SIGCONT));
        let mut timers = 0;
        for _ in 0..100 {
            let mut timer: libc::timer_t = std::ptr::null_mut();
            let mut event: libc::sigevent = std::mem::zeroed();
            event.sigev_notify = libc::SIGEV_NONE;
            timers += i32::from(libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer) == 0);
        }
        tell("make a hundred timers", if timers == 100 { Ok(()) } else { Err(Error::other(format!("{timers}"))) });
        call("outlive its parent", libc::prctl(libc::PR_SET_PDEATHSIG, 0, 0, 0, 0).into());
        call("be dumped", libc::prctl(libc::PR_SET_DUMPABLE, 1, 0, 0, 0).into());
        call("change its name", libc::prctl(libc::PR_SET_NAME, c("worker").as_ptr(), 0, 0, 0).into());
        call("make a session", libc::setsid().into());
        call("execute a program", libc::execv(c("/bin/true").as_ptr(), [std::ptr::null()].as_ptr()).into());
        let child = libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0);
        if child == 0 {
            libc::_exit(0);
        }
        call("fork", child);
        let handle = std::thread::Builder::new().spawn(|| ());
        tell("start a thread", handle.map(drop));
    }
}

fn names(target: &Target) {
    let path = |name: &str| c(&format!("{}/{name}", target.tree));
    let secret = c(&format!("{}/secret", target.folder));
    // SAFETY: see `descriptors`.
    unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        call("look at a file outside", libc::stat(secret.as_ptr(), &raw mut stat).into());
        call("open a name outside", libc::open(secret.as_ptr(), libc::O_PATH).into());
        let mut buffer = [0 as libc::c_char; 256];
        let exe = c("/proc/self/exe");
        call("read its program's name", libc::readlink(exe.as_ptr(), buffer.as_mut_ptr(), 256) as libc::c_long);
        let times = [libc::timespec { tv_sec: 1, tv_nsec: 0 }; 2];
        call("set times outside", libc::utimensat(libc::AT_FDCWD, secret.as_ptr(), times.as_ptr(), 0).into());
        drop(std::fs::write(format!("{}/one", target.tree), "1"));
        drop(std::fs::write(format!("{}/two", target.tree), "2"));
        let (one, two) = (path("one"), path("two"));
        let at = libc::AT_FDCWD;
        call("exchange names", libc::renameat2(at, one.as_ptr(), at, two.as_ptr(), libc::RENAME_EXCHANGE).into());
        call(
            "leave a white-out",
            libc::renameat2(at, one.as_ptr(), at, path("three").as_ptr(), libc::RENAME_WHITEOUT).into(),
        );
        call("set an attribute in the tree", {
            libc::setxattr(two.as_ptr(), c("user.gg").as_ptr(), b"x".as_ptr().cast(), 1, 0).into()
        });
        call("give a file away", libc::chown(two.as_ptr(), 12_345, 12_345).into());
        call("watch the tree", libc::inotify_init1(0).into());
        call("change the folder", libc::chdir(c("/").as_ptr()).into());
        call("change the mask", libc::syscall(libc::SYS_umask, 0));
        call("allocate", libc::fallocate(1, 0, 0, 1).into());
        let mut handle = [0u32; 34];
        let mut mount = 0;
        handle[0] = 128;
        call(
            "name by handle",
            libc::syscall(libc::SYS_name_to_handle_at, at, two.as_ptr(), handle.as_mut_ptr(), &raw mut mount, 0),
        );
    }
    tell("write the tree", std::fs::write(format!("{}/written", target.tree), "x"));
    tell("read the tree", std::fs::read(format!("{}/written", target.tree)).map(drop));
    tell("open a device by name", opened("/dev/null"));
}

fn opened(path: &str) -> Result<()> {
    std::fs::File::open(path).map(drop)
}

fn calls() {
    let none = std::ptr::null::<u8>();
    // SAFETY: see `descriptors`; these are answered before a pointer is used, or fail on null.
    unsafe {
        for (name, number) in [
            ("quota", libc::SYS_quotactl),
            ("swap", libc::SYS_swapon),
            ("reboot", libc::SYS_reboot),
            ("wait", libc::SYS_wait4),
            ("kcmp", libc::SYS_kcmp),
            ("memory policy", libc::SYS_mbind),
            ("rseq", libc::SYS_rseq),
            ("landlock", libc::SYS_landlock_create_ruleset),
            ("seccomp", libc::SYS_seccomp),
            ("fsconfig", libc::SYS_fsconfig),
            ("move a mount", libc::SYS_move_mount),
            ("chroot", libc::SYS_chroot),
            ("acct", libc::SYS_acct),
            ("kexec", libc::SYS_kexec_load),
            ("process control", libc::SYS_prctl),
            ("add to a schedule", libc::SYS_sched_setattr),
            ("message queue", libc::SYS_mq_open),
            ("signal descriptor", libc::SYS_signalfd4),
            ("event descriptor", libc::SYS_eventfd2),
            ("timer descriptor", libc::SYS_timerfd_create),
            ("splice", libc::SYS_splice),
            ("copy a range", libc::SYS_copy_file_range),
            ("send a file", libc::SYS_sendfile),
        ] {
            // What is not in the filter is told by its error; a call that came through fails otherwise, on null.
            let result = libc::syscall(number, none, none, none, none, none, none);
            let error = Error::last_os_error();
            let refused = result < 0 && matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOSYS));
            tell(&format!("reach the kernel's {name}"), if refused { Err(error) } else { Ok(()) });
        }
    }
}

/// A descriptor that stays open for as long as the process.
pub fn keep_open(fd: OwnedFd) -> i32 {
    let number = fd.as_raw_fd();
    std::mem::forget(fd);
    number
}
