//! What hostile native code tries from where it is confined. One line an attempt: its name, and `got it` or what the
//! system answered.

use std::ffi::CString;
use std::io::{Read, Write};
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::os::unix::net::UnixStream;

/// What the attempts go for.
#[derive(Debug, Default)]
pub struct Target {
    /// Where the attacker may write: its tree.
    pub tree: String,
    /// A folder outside with `secret` and a socket `socket`.
    pub folder: String,
    /// A process outside with a secret in its environment.
    pub pid: i32,
    /// The process that started the attacker.
    pub worker: i32,
    /// An abstract socket that somebody listens on.
    pub abstract_name: String,
    /// A port of loopback that somebody listens on.
    pub port: u16,
    /// A program with a set-user-id bit, if there is one to try.
    pub set_id: String,
}

impl Target {
    /// The target that the test's variables name.
    pub fn from_environment() -> Target {
        let of = |name: &str| std::env::var(name).unwrap_or_default();
        Target {
            tree: ".".to_owned(),
            folder: of("VICTIM_FOLDER"),
            pid: of("VICTIM_PID").parse().unwrap_or(0),
            worker: of("WORKER_PID").parse().unwrap_or(0),
            abstract_name: of("ABSTRACT_NAME"),
            port: of("TCP_PORT").parse().unwrap_or(0),
            set_id: of("SET_ID_PROGRAM"),
        }
    }

    fn own(&self, name: &str) -> String {
        format!("{}/{name}", self.tree)
    }
}

/// Makes every attempt of the list that any process can make.
pub fn run(target: &Target) {
    files(target);
    proc_files(target);
    sockets(target);
    processes(target);
    privileges(target);
    kernel();
}

/// What the victims hold, and nobody else may read.
pub const SECRET: &str = "the-neighbours-secret";

/// Says how an attempt went.
pub fn tell(name: &str, result: std::io::Result<()>) {
    match result {
        Ok(()) => println!("{name}: got it"),
        Err(error) => println!("{name}: {error}"),
    }
    let _ = std::io::stdout().flush();
}

/// A system call that succeeds by anything but a negative answer.
pub fn call(name: &str, result: libc::c_long) {
    tell(name, if result < 0 { Err(std::io::Error::last_os_error()) } else { Ok(()) });
}

/// A string as the kernel takes it.
pub fn c(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}

fn reads_secret(name: &str, path: &str) {
    tell(
        name,
        std::fs::read(path).and_then(|bytes| {
            if bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()) {
                Ok(())
            } else {
                Err(std::io::Error::other("no secret in it"))
            }
        }),
    );
}

fn files(target: &Target) {
    let folder = &target.folder;
    let own = |name: &str| target.own(name);
    let secret = format!("{folder}/secret");
    reads_secret("read a file outside", &secret);
    reads_secret("read through dots", &format!("../../../../../../..{secret}"));
    reads_secret("read through /proc/self/root", &format!("/proc/self/root{secret}"));
    reads_secret("read through /proc/1/root", &format!("/proc/1/root{secret}"));
    reads_secret("read through the worker's root", &format!("/proc/{}/root{secret}", target.worker));
    let _ = symlink(&secret, own("link"));
    reads_secret("read through a symlink", &own("link"));
    let _ = symlink("/", own("up"));
    reads_secret("read through a symlink to the root", &format!("{}{secret}", own("up")));
    tell("list a folder outside", std::fs::read_dir(folder).map(drop));
    tell("list root's home", std::fs::read_dir("/root").map(drop));
    tell("read /etc/shadow", std::fs::read("/etc/shadow").map(drop));
    let open = |options: &mut std::fs::OpenOptions, path: &str| options.open(path).map(drop);
    tell("write a file outside", open(std::fs::OpenOptions::new().append(true), &secret));
    tell("write through a symlink", open(std::fs::OpenOptions::new().append(true), &own("link")));
    tell(
        "create a file outside",
        open(std::fs::OpenOptions::new().write(true).create_new(true), &format!("{folder}/new")),
    );
    tell("create a file among the system's", std::fs::write("/usr/gg-attack", "x"));
    tell("create a file at the root", std::fs::write("/gg-attack", "x"));
    let (path, moved) = (c(&secret), c(&own("moved")));
    // SAFETY: in this function and those below, strings and buffers outlive the calls that take them, and every pointer
    // that a call may write through leads to a place that is large enough; the rest are plain numbers.
    unsafe {
        call("link a file into the tree", libc::link(path.as_ptr(), moved.as_ptr()).into());
        call("change a mode outside", libc::chmod(path.as_ptr(), 0o666).into());
        call("change a mode through a symlink", libc::chmod(c(&own("link")).as_ptr(), 0o666).into());
        call("change times outside", libc::utimensat(libc::AT_FDCWD, path.as_ptr(), std::ptr::null(), 0).into());
        call("set an attribute outside", {
            libc::setxattr(path.as_ptr(), c("user.gg").as_ptr(), b"x".as_ptr().cast(), 1, 0).into()
        });
        call("truncate outside", libc::truncate(path.as_ptr(), 25).into());
        call("open to read and truncate", libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_TRUNC).into());
        call("rename into the tree", libc::rename(c(&format!("{folder}/movable")).as_ptr(), moved.as_ptr()).into());
        call("remove outside", libc::unlink(c(&format!("{folder}/removable")).as_ptr()).into());
        call("make a FIFO", libc::mkfifo(c(&own("fifo")).as_ptr(), 0o600).into());
        call("make a FIFO in /tmp", libc::mkfifo(c("/tmp/fifo").as_ptr(), 0o600).into());
        call(
            "make a device",
            libc::mknod(c(&own("device")).as_ptr(), libc::S_IFCHR | 0o666, libc::makedev(1, 1)).into(),
        );
        call("make a socket node", libc::mknod(c(&own("node")).as_ptr(), libc::S_IFSOCK | 0o666, 0).into());
        let _ = std::fs::write(own("program"), "x");
        call("set a set-user-id bit", libc::chmod(c(&own("program")).as_ptr(), 0o4755).into());
        call("set a set-group-id bit", {
            libc::syscall(libc::SYS_fchmodat, libc::AT_FDCWD, c(&own("program")).as_ptr(), 0o2755)
        });
        call("set it by fchmodat2", libc::syscall(452, libc::AT_FDCWD, c(&own("program")).as_ptr(), 0o4755, 0));
        let _ = std::fs::remove_file(own("born"));
        let born = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o4755).open(own("born"));
        tell("create a file with a set-user-id bit", born.map(drop));
        let file = std::fs::File::create(own("sparse"));
        tell("stretch a file to 4 TiB", file.and_then(|file| file.set_len(4 << 40)));
        call("change the root", libc::chroot(c("/work").as_ptr()).into());
        let mut handle = [0u32; 34];
        call("open by handle", libc::syscall(libc::SYS_open_by_handle_at, libc::AT_FDCWD, handle.as_mut_ptr(), 0));
    }
    for device in ["/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/tty", "/dev/fuse", "/dev/kvm", "/dev/net/tun"]
    {
        tell(&format!("open {device}"), open(std::fs::OpenOptions::new().read(true), device));
    }
}

fn proc_files(target: &Target) {
    for pid in [target.pid, target.worker] {
        let who = if pid == target.pid { "victim" } else { "worker" };
        reads_secret(&format!("read the {who}'s environment"), &format!("/proc/{pid}/environ"));
        for file in ["maps", "mem", "cmdline", "stat"] {
            tell(&format!("open the {who}'s {file}"), std::fs::File::open(format!("/proc/{pid}/{file}")).map(drop));
        }
        tell(&format!("list the {who}'s descriptors"), std::fs::read_dir(format!("/proc/{pid}/fd")).map(drop));
        tell(&format!("enter the {who}'s folder"), std::fs::read_dir(format!("/proc/{pid}/cwd/")).map(drop));
    }
    let write = |path: &str, text: &str| {
        std::fs::OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()))
    };
    tell("write a kernel setting", write("/proc/sys/kernel/core_pattern", "|/bin/false"));
    tell("write a network setting", write("/proc/sys/net/ipv4/ip_forward", "1"));
    tell("press the system's keys", write("/proc/sysrq-trigger", "h"));
    tell("protect itself from the memory killer", write("/proc/self/oom_score_adj", "-1000"));
    tell("read the kernel's log", std::fs::File::open("/proc/kmsg").map(drop));
    tell("write a cgroup", std::fs::create_dir("/sys/fs/cgroup/gg-attack"));
    let mut count = 0;
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let is_process = entry.file_name().to_string_lossy().parse::<u32>().is_ok();
        count += u32::from(is_process);
    }
    // Its init, the shell perhaps, itself.
    tell("see processes of others", if count > 4 { Ok(()) } else { Err(std::io::Error::other("none")) });
}

fn sockets(target: &Target) {
    use std::os::linux::net::SocketAddrExt;
    tell("connect to loopback", std::net::TcpStream::connect(("127.0.0.1", target.port)).map(drop));
    tell("listen on loopback", std::net::TcpListener::bind("127.0.0.1:0").map(drop));
    tell("send a datagram", std::net::UdpSocket::bind("127.0.0.1:0").map(drop));
    tell("connect to a socket by path", UnixStream::connect(format!("{}/socket", target.folder)).map(drop));
    tell("connect to a socket in the tree", UnixStream::connect(target.own("socket")).map(drop));
    let name = std::os::unix::net::SocketAddr::from_abstract_name(&target.abstract_name);
    tell("connect to an abstract socket", name.and_then(|name| UnixStream::connect_addr(&name)).map(drop));
    tell("listen on a socket in the tree", std::os::unix::net::UnixListener::bind(target.own("own-socket")).map(drop));
    // SAFETY: plain numbers.
    unsafe {
        for (name, family, kind) in [
            ("netlink", libc::AF_NETLINK, libc::SOCK_RAW),
            ("packet", libc::AF_PACKET, libc::SOCK_RAW),
            ("vsock", libc::AF_VSOCK, libc::SOCK_STREAM),
            ("alg", libc::AF_ALG, libc::SOCK_SEQPACKET),
            ("inet6", libc::AF_INET6, libc::SOCK_DGRAM),
        ] {
            call(&format!("make a socket of {name}"), libc::socket(family, kind, 0).into());
        }
    }
}

fn processes(target: &Target) {
    for (who, pid) in [("victim", target.pid), ("worker", target.worker)] {
        // SAFETY: see `files`.
        unsafe {
            call(&format!("signal the {who}"), libc::kill(pid, 0).into());
            call(&format!("continue the {who}"), libc::kill(pid, libc::SIGCONT).into());
            call(&format!("signal the {who}'s thread"), libc::syscall(libc::SYS_tgkill, pid, pid, 0));
            let pidfd = libc::syscall(libc::SYS_pidfd_open, pid, 0);
            call(&format!("signal the {who} by descriptor"), {
                libc::syscall(libc::SYS_pidfd_send_signal, pidfd, 0, std::ptr::null::<u8>(), 0)
            });
            call(&format!("take a descriptor of the {who}"), libc::syscall(libc::SYS_pidfd_getfd, pidfd, 0, 0));
            call(&format!("trace the {who}"), libc::ptrace(libc::PTRACE_SEIZE, pid, 0, 0));
            let mut buffer = [0u8; 8];
            let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: 8 };
            call(&format!("read the {who}'s memory"), {
                libc::process_vm_readv(pid, &raw const local, 1, &raw const local, 0, 0) as libc::c_long
            });
            call(&format!("slow the {who}"), libc::setpriority(libc::PRIO_PROCESS, pid as u32, 19).into());
            let mut limit: libc::rlimit = std::mem::zeroed();
            call(&format!("read the {who}'s limits"), {
                libc::prlimit(pid, libc::RLIMIT_NOFILE, std::ptr::null(), &raw mut limit).into()
            });
            let cpus = [1u8; 8];
            call(&format!("move the {who} to a core"), libc::sched_setaffinity(pid, 8, cpus.as_ptr().cast()).into());
        }
    }
}

fn privileges(target: &Target) {
    // SAFETY: see `files`.
    unsafe {
        call("become root", libc::syscall(libc::SYS_setuid, 0));
        call("become root's group", libc::syscall(libc::SYS_setgid, 0));
        call("become the other user", libc::syscall(libc::SYS_setuid, 12345));
        call("join groups", libc::syscall(libc::SYS_setgroups, 1, [0u32].as_ptr()));
        let header: [u32; 2] = [0x2008_0522, 0];
        let all = [u32::MAX, u32::MAX, 0, 0xff, 0xff, 0];
        call("take capabilities", libc::syscall(libc::SYS_capset, header.as_ptr(), all.as_ptr()));
        for (name, flag) in [
            ("user", libc::CLONE_NEWUSER),
            ("mount", libc::CLONE_NEWNS),
            ("network", libc::CLONE_NEWNET),
            ("process", libc::CLONE_NEWPID),
        ] {
            call(&format!("make a {name} namespace"), forked(|| libc::unshare(flag).into()));
        }
        let child = libc::syscall(libc::SYS_clone, libc::CLONE_NEWUSER | libc::SIGCHLD, 0, 0, 0, 0);
        if child == 0 {
            libc::_exit(0);
        }
        call("clone into a user namespace", child);
        let own = std::fs::File::open("/proc/1/ns/mnt");
        use std::os::fd::AsRawFd;
        call("enter a namespace", libc::setns(own.map_or(-1, |file| file.as_raw_fd()), 0).into());
        let (none, tmpfs, place) = (c("none"), c("tmpfs"), c("/tmp"));
        call("mount", libc::mount(none.as_ptr(), place.as_ptr(), tmpfs.as_ptr(), 0, std::ptr::null()).into());
        let remount = libc::MS_REMOUNT | libc::MS_BIND;
        call("remount the root writable", {
            libc::mount(none.as_ptr(), c("/").as_ptr(), tmpfs.as_ptr(), remount, std::ptr::null()).into()
        });
        call("unmount", libc::umount2(c("/usr").as_ptr(), libc::MNT_DETACH).into());
        call("open a file system", libc::syscall(libc::SYS_fsopen, tmpfs.as_ptr(), 0));
        call("clone a mount", libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, c("/").as_ptr(), 1));
        call("move into another root", libc::syscall(libc::SYS_pivot_root, place.as_ptr(), place.as_ptr()));
    }
    if !target.set_id.is_empty() {
        let mut child = CString::new(target.set_id.clone()).map(|program| {
            // SAFETY: the child executes or leaves; the arguments outlive the call.
            unsafe {
                let pid = libc::fork();
                if pid == 0 {
                    let word = c("whoami");
                    let args = [program.as_ptr(), word.as_ptr(), std::ptr::null()];
                    libc::execv(program.as_ptr(), args.as_ptr());
                    libc::_exit(1);
                }
                let mut status = 0;
                libc::waitpid(pid, &raw mut status, 0);
                libc::WEXITSTATUS(status)
            }
        });
        let became = child.as_mut().is_ok_and(|status| *status == 42);
        tell("become root by a set-user-id program", if became { Ok(()) } else { Err(std::io::Error::other("no")) });
    }
}

/// Tries something in a child, so that it does not change this process.
fn forked(act: impl FnOnce() -> libc::c_long) -> libc::c_long {
    // SAFETY: this process has one thread; the child only makes the call and leaves with its error number.
    unsafe {
        let pid = libc::fork();
        if pid == 0 {
            let error = if act() < 0 { std::io::Error::last_os_error().raw_os_error().unwrap_or(1) } else { 0 };
            libc::_exit(error);
        }
        if pid < 0 {
            return -1;
        }
        let mut status = 0;
        libc::waitpid(pid, &raw mut status, 0);
        match libc::WEXITSTATUS(status) {
            0 => 0,
            error => {
                *libc::__errno_location() = error;
                -1
            }
        }
    }
}

fn kernel() {
    // SAFETY: see `files`.
    unsafe {
        let mut zeros = [0u8; 256];
        let null = std::ptr::null::<u8>();
        call("set up io_uring", libc::syscall(libc::SYS_io_uring_setup, 1, zeros.as_mut_ptr()));
        call("load a BPF program", libc::syscall(libc::SYS_bpf, 0, null, 0));
        call("take page faults", libc::syscall(libc::SYS_userfaultfd, 1));
        call("count events", libc::syscall(libc::SYS_perf_event_open, zeros.as_ptr(), 0, -1, -1, 0));
        call("reach the keyring", libc::syscall(libc::SYS_keyctl, 0, -3, 1));
        call("add a key", {
            libc::syscall(libc::SYS_add_key, c("user").as_ptr(), c("gg").as_ptr(), b"x".as_ptr(), 1, -3)
        });
        call("make memory that nobody counts", libc::syscall(libc::SYS_memfd_create, c("gg").as_ptr(), 0));
        call("make shared memory", libc::shmget(libc::IPC_PRIVATE, 4096, 0o600 | libc::IPC_CREAT).into());
        call("make a message queue", libc::msgget(libc::IPC_PRIVATE, 0o600 | libc::IPC_CREAT).into());
        call("make a semaphore", libc::semget(libc::IPC_PRIVATE, 1, 0o600 | libc::IPC_CREAT).into());
        call("read the kernel's messages", libc::syscall(libc::SYS_syslog, 3, zeros.as_mut_ptr(), 256));
        call("change the personality", libc::syscall(libc::SYS_personality, 0x0040_0000));
        call("name the host", libc::sethostname(c("gg").as_ptr(), 2).into());
        call(
            "set the clock",
            libc::clock_settime(libc::CLOCK_REALTIME, &libc::timespec { tv_sec: 0, tv_nsec: -1 }).into(),
        );
        call("load a module", libc::syscall(libc::SYS_init_module, null, 0, c("").as_ptr()));
        call("watch all files", libc::syscall(libc::SYS_fanotify_init, 0, 0));
        #[cfg(target_arch = "x86_64")]
        call("call by the second numbering", libc::syscall(0x4000_0000 + 39));
        call("call clone3", libc::syscall(libc::SYS_clone3, null, 0));
        call("write to somebody's terminal", libc::ioctl(0, libc::TIOCSTI, b"x".as_ptr()).into());
        call("own a real-time priority", {
            let parameter = libc::sched_param { sched_priority: 10 };
            libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const parameter).into()
        });
        let limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
        call("raise a limit", libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit).into());
    }
    let mut byte = [0];
    let read = std::io::stdin().read(&mut byte);
    tell("read standard input", read.and_then(|n| if n > 0 { Ok(()) } else { Err(std::io::Error::other("empty")) }));
}
