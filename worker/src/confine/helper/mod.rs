//! The helper: the program `gg-child`. It is small, single-threaded and started by `posix_spawn`, so that a worker which
//! holds gigabytes is never forked.
//!
//! Three processes, one role each:
//! - the **supervisor** (this file) stays outside: it watches the socket to the worker, the clock and the use of memory, and
//!   ends the job;
//! - the **init** ([`init`]) enters the namespaces (where it is process 1), makes the root, starts the job, reaps, and at the
//!   end kills everything that is left;
//! - the **job** ([`job`]) gives up its last rights and becomes the program.
//!
//! **The supervisor is never in the job's namespaces and runs nothing of it. Whichever of the three dies, the job's processes
//! die.** The worker's death closes the socket, the supervisor's death closes the pipe that the init watches (and signals
//! it), the init's death ends its process namespace.

mod init;
mod job;
mod pipes;
mod reaping;

use crate::confine::credentials::{Dumpable, SlotIds, set_dumpable};
use crate::confine::namespaces::{self, Kind};
use crate::confine::processes::usage_beneath;
use crate::confine::protocol::{self, Answer, Confinement, End, Held, Namespaces, Ran, Spec};
use pipes::{Lines, Ready, close_from, own_pipe, poll};
use serde::{Deserialize, Serialize};
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// How long the init may take to end the job before it is killed itself.
const END_GRACE: Duration = Duration::from_secs(5);

/// What the init and the job tell the supervisor, a line each.
#[derive(Debug, Serialize, Deserialize)]
enum Message {
    /// These namespaces cannot be had here; the next way may work.
    Unavailable(String),
    /// The job cannot be confined here.
    Refused(String),
    /// The job could not be started.
    Failed(String),
    /// What holds the job that now starts.
    Starting(Held),
    /// It ended and nothing of it is left.
    Ended { end: End, cpu_ms: u64 },
}

/// How a job is surrounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// In namespaces.
    Namespaces(Kind),
    /// By its own user, Landlock and denials alone.
    Plain,
    /// By nothing.
    Off,
}

/// The helper's whole life. Gives the exit status.
pub fn main() -> i32 {
    // What the worker held and did not close is not the job's.
    close_from(3);
    reaping::adopt_orphans();
    // SAFETY: a new session; it fails only for a process that leads one already.
    unsafe { libc::setsid() };
    let mut socket = match take_socket() {
        Ok(socket) => socket,
        Err(error) => {
            eprintln!("gg-child is started by a gg-farm worker, which talks to it on its standard input: {error}");
            return 2;
        }
    };
    let answer = match protocol::receive::<Spec>(&mut socket) {
        Ok(Some(spec)) if spec.version == protocol::VERSION => serve(&spec, &socket),
        Ok(Some(spec)) => Answer::Failed(format!(
            "the helper speaks version {}, the worker version {}: install both from one build",
            protocol::VERSION,
            spec.version
        )),
        Ok(None) => return 0,
        Err(error) => Answer::Failed(format!("the worker's specification cannot be read: {error}")),
    };
    // A worker that is gone reads nothing.
    let _ = protocol::send(&mut socket, &answer);
    0
}

/// Moves the socket away from standard input, which becomes empty.
fn take_socket() -> io::Result<UnixStream> {
    let socket = UnixStream::from(rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3)?);
    // Fails on anything but a socket.
    socket.peer_addr()?;
    let null = std::fs::File::open("/dev/null")?;
    // SAFETY: both descriptors are open; nothing reads standard input here.
    if unsafe { libc::dup2(null.as_raw_fd(), 0) } < 0 { Err(io::Error::last_os_error()) } else { Ok(socket) }
}

/// Runs the job in the first way that the system allows.
fn serve(spec: &Spec, socket: &UnixStream) -> Answer {
    let mut tried = Vec::new();
    for way in ways(spec) {
        match supervise(spec, socket, way) {
            Ok(Outcome::Answer(Answer::Refused(reason))) => tried.push(reason),
            Ok(Outcome::Answer(answer)) => return answer,
            Ok(Outcome::Unavailable(reason)) => tried.push(reason),
            Err(error) => return Answer::Failed(format!("cannot supervise the job: {error}")),
        }
    }
    Answer::Refused(tried.join("; "))
}

fn ways(spec: &Spec) -> Vec<Way> {
    let root = SlotIds::current().uid == 0;
    match (spec.confinement, spec.namespaces) {
        (Confinement::Off, _) => vec![Way::Off],
        (Confinement::Required, Namespaces::Never) => vec![Way::Plain],
        (Confinement::Required, Namespaces::WherePossible) => {
            vec![Way::Namespaces(if root { Kind::Privileged } else { Kind::User }), Way::Plain]
        }
    }
}

enum Outcome {
    Answer(Answer),
    Unavailable(String),
}

/// Starts the init and watches until nothing of the job is left.
fn supervise(spec: &Spec, socket: &UnixStream, way: Way) -> io::Result<Outcome> {
    let started = Instant::now();
    let (messages, init_messages) = own_pipe()?;
    let (init_lifeline, lifeline) = own_pipe()?;
    let scratch = Scratch::make(spec, way)?;
    let before = SlotIds::current();
    let pid = match start_process(way) {
        Err(error) => return Ok(Outcome::Unavailable(format!("namespaces cannot be made ({error})"))),
        Ok(0) => {
            // The ends that belong to the supervisor must close with it.
            drop((messages, lifeline));
            pipes::close(socket.as_fd());
            init::run(spec, way, before, scratch.path(), init_messages, init_lifeline)
        }
        Ok(pid) => pid,
    };
    drop((init_messages, init_lifeline));
    let result = watch(spec, socket, pid, messages, lifeline, started);
    // Whatever happened above, the init and all beneath it are gone before the answer.
    // SAFETY: `pid` is our child and not yet waited for.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    reaping::wait_for(pid);
    // What the init had beneath it without a namespace that dies with it.
    reaping::kill_and_reap_descendants();
    result
}

/// Forks the init into new namespaces. A plain `fork` would not do: the process namespace must be made with the process.
fn start_process(way: Way) -> io::Result<libc::pid_t> {
    let flags = match way {
        Way::Namespaces(kind) => namespaces::flags(kind) | libc::CLONE_NEWPID,
        Way::Plain | Way::Off => 0,
    };
    // SAFETY: without CLONE_VM the child has a copy of this single-threaded process and goes on from here, as after a fork.
    // The C library keeps the supervisor's thread id there, which matters to nothing that the init calls.
    let pid = unsafe {
        libc::syscall(libc::SYS_clone, (flags | libc::SIGCHLD) as libc::c_ulong, 0usize, 0usize, 0usize, 0usize)
    };
    if pid < 0 { Err(io::Error::last_os_error()) } else { Ok(pid as libc::pid_t) }
}

fn watch(
    spec: &Spec,
    socket: &UnixStream,
    init: libc::pid_t,
    messages: OwnedFd,
    lifeline: OwnedFd,
    started: Instant,
) -> io::Result<Outcome> {
    let deadline = started + Duration::from_millis(spec.timeout_ms);
    let interval = Duration::from_millis(spec.watch_ms.max(1));
    let mut lifeline = Some(lifeline);
    let mut messages = Lines::new(messages);
    let mut why = None;
    let mut kill_at = None;
    let (mut held, mut ended, mut peak) = (None, None, 0);
    let mut last_count = Instant::now();
    let mut socket_open = true;
    loop {
        let now = Instant::now();
        if why.is_none() && now >= deadline {
            why = Some(End::TimedOut);
        }
        if why.is_none() && now >= last_count + interval {
            let usage = usage_beneath(init);
            peak = peak.max(usage.memory_bytes);
            if usage.memory_bytes > spec.bounds.memory_bytes {
                why = Some(End::Memory);
            } else if usage.threads > spec.bounds.processes {
                why = Some(End::Processes);
            }
            last_count = now;
        }
        if why.is_some() && lifeline.take().is_some() {
            kill_at = Some(now + END_GRACE);
        }
        if kill_at.is_some_and(|at| now >= at) {
            // SAFETY: our child, not yet waited for.
            unsafe { libc::kill(init, libc::SIGKILL) };
            kill_at = None;
        }
        let pause = interval.min(deadline.saturating_duration_since(now).max(Duration::from_millis(1)));
        let [from_init, from_worker] = poll([Some(messages.as_fd()), socket_open.then(|| socket.as_fd())], pause)?;
        if from_worker != Ready::No {
            // The worker says nothing more: readable means that it is gone or wants the end.
            socket_open = false;
            why = why.or(Some(End::Stopped));
        }
        if from_init == Ready::No {
            continue;
        }
        let more = messages.read()?;
        for message in messages.take() {
            match message {
                Message::Unavailable(reason) => return Ok(Outcome::Unavailable(reason)),
                Message::Refused(reason) => return Ok(Outcome::Answer(Answer::Refused(reason))),
                Message::Failed(reason) => return Ok(Outcome::Answer(Answer::Failed(reason))),
                Message::Starting(what) => held = Some(what),
                Message::Ended { end, cpu_ms } => ended = Some((end, cpu_ms)),
            }
        }
        if !more {
            break;
        }
    }
    let Some(held) = held.or(why.map(|_| Held::default())) else {
        return Ok(Outcome::Answer(Answer::Failed("its init ended before the job started".into())));
    };
    let (end, cpu_ms) = match (why, ended) {
        (Some(why), ended) => (why, ended.map_or(0, |(_, cpu_ms)| cpu_ms)),
        (None, Some(ended)) => ended,
        // Only the kernel's own memory killer ends the init of a running job.
        (None, None) => (End::Memory, 0),
    };
    let wall_ms = started.elapsed().as_millis() as u64;
    Ok(Outcome::Answer(Answer::Ran(Ran { end, wall_ms, cpu_ms, peak_memory_bytes: peak, held })))
}

/// The temporary folder of a job without a root of its own; removed with the value.
struct Scratch(Option<std::path::PathBuf>);

impl Scratch {
    fn make(spec: &Spec, way: Way) -> io::Result<Scratch> {
        use std::os::unix::fs::DirBuilderExt;
        if matches!(way, Way::Namespaces(_)) {
            return Ok(Scratch(None));
        }
        let within = spec.scratch.as_ref().ok_or_else(|| {
            io::Error::other("there are no namespaces here, and the job was given no folder for its temporary files")
        })?;
        let folder = within.join(format!("job-{}", std::process::id()));
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(&folder)
            .map_err(|e| io::Error::new(e.kind(), format!("the temporary folder {}: {e}", folder.display())))?;
        let scratch = Scratch(Some(folder));
        if let (Way::Plain, 0, Some(folder)) = (way, SlotIds::current().uid, scratch.path()) {
            std::os::unix::fs::chown(folder, Some(spec.ids.uid), Some(spec.ids.gid))?;
        }
        Ok(scratch)
    }

    fn path(&self) -> Option<&std::path::Path> {
        self.0.as_deref()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(folder) = &self.0 {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// The supervisor and the init hold nothing secret, but nobody has any business in them.
fn hide() {
    let _ = set_dumpable(Dumpable::No);
}

fn into_fd(fd: libc::c_int) -> OwnedFd {
    // SAFETY: the caller has just got this descriptor from the kernel and owns it.
    unsafe { OwnedFd::from_raw_fd(fd) }
}
