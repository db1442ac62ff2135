//! Running one job in a child, from the worker's side.

use crate::confine::cancel::CancelToken;
use crate::confine::capture::{Capture, Captured, Part};
use crate::confine::credentials::SlotIds;
use crate::confine::locate::{self, HelperMissing};
use crate::confine::protocol::{self, Answer, Bounds, Confinement, End, Held, Namespaces, Ran, Spec};
use crate::confine::root::{Mount, Proc, TEMP};
use rustix::event::{PollFd, PollFlags};
use std::ffi::{OsStr, OsString};
use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How children are started; one for a worker.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The helper `gg-child`. Default: the one beside the program that runs.
    pub helper: Option<PathBuf>,
    /// What must hold. Default: confined or refused.
    pub confinement: Confinement,
    /// Whether namespaces are entered. Default: where the system gives them.
    pub namespaces: Namespaces,
    /// The newest Landlock ABI whose rights are used, for tests of older kernels. Default: the kernel's own.
    pub landlock_abi: Option<u8>,
}

/// One job: a program, what it sees, and its bounds. It has no network, no standard input, and no environment but what is
/// given here.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program, as an absolute path that the job sees.
    pub program: PathBuf,
    /// Its arguments, without its name.
    pub args: Vec<OsString>,
    /// Its environment, whole. [`Job::new`] gives the fixed one.
    pub env: Vec<(OsString, OsString)>,
    /// The current folder, as the job sees it.
    pub cwd: PathBuf,
    /// What it sees beside the system's paths. Where there are no namespaces it sees the sources in their own places.
    pub mounts: Vec<Mount>,
    /// Whose the job is where the worker is root; an ordinary user's worker has no other user to give.
    pub ids: SlotIds,
    /// Wall time.
    pub timeout: Duration,
    /// The other bounds.
    pub bounds: Bounds,
    /// How much of each output is kept, in bytes.
    pub output_bytes: usize,
    /// Which part of each output is kept.
    pub output_part: Part,
    /// A folder of the worker that a temporary folder is made in where there are no namespaces. The job's user must be able
    /// to pass through the folders above it. Default: none, and without namespaces the job is not started.
    pub scratch: Option<PathBuf>,
    /// Whether it sees a `/proc`, of its own processes, where there are namespaces. Default: it does.
    pub proc: Proc,
}

impl Job {
    /// A job with the fixed environment: no variable of the worker, a private home that is the temporary folder.
    pub fn new(program: impl Into<PathBuf>, ids: SlotIds, bounds: Bounds) -> Job {
        let env = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"),
            ("HOME", TEMP),
            ("TMPDIR", TEMP),
            ("LANG", "C.UTF-8"),
            ("TERM", "dumb"),
            // The host's settings cannot be read, which git takes for an error.
            ("GIT_CONFIG_NOSYSTEM", "1"),
        ];
        Job {
            program: program.into(),
            args: Vec::new(),
            env: env.map(|(name, value)| (name.into(), value.into())).into(),
            cwd: PathBuf::from("/"),
            mounts: Vec::new(),
            ids,
            timeout: Duration::from_secs(60),
            bounds,
            output_bytes: 64 * 1024,
            output_part: Part::Tail,
            scratch: None,
            proc: Proc::Own,
        }
    }

    /// Adds arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Job {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }
}

/// A limit that was reached, as its owner names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitReached {
    /// The name, as a profile writes it.
    pub name: String,
    /// Its value.
    pub bound: u64,
}

/// Something that is watched while a job runs: the size of a tree, a reserve of disk.
pub trait Watch {
    /// Called every [`WATCH_INTERVAL`]; a limit that was reached ends the job. What takes longer delays the reading of
    /// outputs, nothing else.
    ///
    /// `processes` are those of the job.
    fn check(&mut self, processes: &[libc::pid_t]) -> Option<LimitReached>;
}

/// How often a [`Watch`] is asked.
pub const WATCH_INTERVAL: Duration = Duration::from_millis(100);

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// It left with this status.
    Exited(i32),
    /// It died by this signal.
    Signalled(i32),
    /// It was ended at its time-out.
    TimedOut,
    /// It was ended for the memory of its processes together.
    Memory,
    /// It was ended for the number of its processes.
    Processes,
    /// It was ended because the watch said so.
    Limit(LimitReached),
    /// It was ended by the [`crate::confine::cancel::CancelHandle`].
    Cancelled,
}

/// A job that ran; nothing of it is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub ended: Ended,
    /// Its standard output.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
    /// From the start of its surroundings to the end of the last process, in milliseconds.
    pub wall_ms: u64,
    /// CPU time of all its processes, in milliseconds; 0 where they had to be ended by force.
    pub cpu_ms: u64,
    /// The most memory that was seen, in bytes: a sample every 50 ms.
    pub peak_memory_bytes: u64,
    /// What held it.
    pub held: Held,
}

/// A job that did not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfineError {
    /// There is no helper.
    #[error(transparent)]
    Missing(#[from] HelperMissing),
    /// The helper could not be started.
    #[error("cannot start the helper {helper}: {source} (build it with `cargo build --workspace --bins`)")]
    Helper {
        /// The helper's path.
        helper: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A path that the job was to see is not there.
    #[error("a confined job cannot be shown {path}: {source}")]
    Mount {
        /// The path on the host.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It cannot be confined on this machine.
    #[error(
        "this machine cannot confine the job, so it is refused: {0}. Allow user namespaces, run the worker as root, or set \
         `unconfined` where everything that runs is trusted"
    )]
    Refused(String),
    /// The job could not be started.
    #[error("the job could not be started: {0}")]
    Failed(String),
    /// The helper ended without an answer.
    #[error("the helper of a job ended without an answer ({0})")]
    Died(ExitStatus),
    /// The helper did not answer in time: something of the job cannot be killed, such as a process that waits for a disk.
    #[error("the job could not be ended {0} s after its time-out")]
    Stuck(u64),
    /// A system call of the worker failed.
    #[error("cannot {what}: {source}")]
    System {
        /// What was tried.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

fn system(what: &'static str) -> impl Fn(io::Error) -> ConfineError {
    move |source| ConfineError::System { what, source }
}

/// The helper ends everything within its own grace of 5 s.
const STUCK_AFTER: Duration = Duration::from_secs(20);

/// Runs a job to its end. Blocks; call it from a thread of its own.
pub fn run(
    settings: &Settings,
    job: &Job,
    mut watch: Option<&mut dyn Watch>,
    cancel: Option<&CancelToken>,
) -> Result<Report, ConfineError> {
    let spec = spec(settings, job)?;
    let mut child = Running::start(settings, job)?;
    protocol::send(&mut child.socket, &spec).map_err(system("write to the helper"))?;
    let started = Instant::now();
    let mut stop = None;
    let mut next_check = started + WATCH_INTERVAL;
    let mut cancel = cancel;
    loop {
        let now = Instant::now();
        if now >= next_check {
            if let (None, Some(reached)) = (&stop, watch.as_mut().and_then(|watch| watch.check(&child.processes()))) {
                stop = Some(Ended::Limit(reached));
                child.stop();
            }
            next_check = Instant::now() + WATCH_INTERVAL;
        }
        if now >= started + job.timeout + STUCK_AFTER {
            return Err(ConfineError::Stuck(STUCK_AFTER.as_secs()));
        }
        let said =
            child.wait(cancel, next_check.saturating_duration_since(now)).map_err(system("wait for the helper"))?;
        if said.cancelled {
            cancel = None;
            if stop.is_none() {
                stop = Some(Ended::Cancelled);
                child.stop();
            }
        }
        if said.answered {
            return child.finish(stop);
        }
    }
}

fn spec(settings: &Settings, job: &Job) -> Result<Spec, ConfineError> {
    let mounts = job.mounts.iter().map(|mount| {
        // Links are followed here: in the private root an absolute one would lead elsewhere.
        let found = mount.source.canonicalize();
        let source = found.map_err(|source| ConfineError::Mount { path: mount.source.clone(), source })?;
        Ok(Mount { source, ..mount.clone() })
    });
    Ok(Spec {
        version: protocol::VERSION,
        program: job.program.clone(),
        args: job.args.clone(),
        env: job.env.clone(),
        cwd: job.cwd.clone(),
        mounts: mounts.collect::<Result<_, ConfineError>>()?,
        ids: job.ids,
        timeout_ms: u64::try_from(job.timeout.as_millis()).unwrap_or(u64::MAX >> 1),
        bounds: job.bounds.clone(),
        confinement: settings.confinement,
        namespaces: settings.namespaces,
        landlock_abi: settings.landlock_abi,
        scratch: job.scratch.clone(),
        proc: job.proc.clone(),
    })
}

/// The helper's process and the worker's ends of what leads to it. Dropped, it ends the job.
struct Running {
    process: std::process::Child,
    socket: UnixStream,
    outputs: [(OwnedFd, Capture, Open); 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Yes,
    No,
}

struct Said {
    cancelled: bool,
    answered: bool,
}

impl Running {
    /// The processes of the job, the helper's own apart.
    fn processes(&self) -> Vec<libc::pid_t> {
        libc::pid_t::try_from(self.process.id()).map(super::processes::beneath).unwrap_or_default()
    }

    fn start(settings: &Settings, job: &Job) -> Result<Running, ConfineError> {
        let helper = settings.helper.clone().map_or_else(locate::helper, Ok)?;
        let (socket, theirs) = UnixStream::pair().map_err(system("make a socket pair"))?;
        let pipe = || rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).map_err(io::Error::from);
        let (stdout, stdout_writer) = pipe().map_err(system("make a pipe"))?;
        let (stderr, stderr_writer) = pipe().map_err(system("make a pipe"))?;
        for output in [&stdout, &stderr] {
            // The reader must never wait for one output while the other is full. The job's own end is not touched.
            rustix::io::ioctl_fionbio(output, true).map_err(|e| system("prepare a pipe")(e.into()))?;
        }
        #[expect(clippy::disallowed_methods, reason = "the one place where children start: they confine themselves")]
        let process = std::process::Command::new(&helper)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(stdout_writer))
            .stderr(Stdio::from(stderr_writer))
            .spawn()
            .map_err(|source| ConfineError::Helper { helper, source })?;
        let capture = || Capture::new(job.output_part, job.output_bytes);
        Ok(Running { process, socket, outputs: [(stdout, capture(), Open::Yes), (stderr, capture(), Open::Yes)] })
    }

    /// Tells the helper to end everything and to answer.
    fn stop(&self) {
        let _ = self.socket.shutdown(Shutdown::Write);
    }

    /// Waits for something to read, and reads the outputs.
    fn wait(&mut self, cancel: Option<&CancelToken>, at_most: Duration) -> io::Result<Said> {
        let mut fds = vec![PollFd::new(&self.socket, PollFlags::IN)];
        fds.extend(cancel.map(|token| PollFd::from_borrowed_fd(token.as_fd(), PollFlags::IN)));
        let open = self.outputs.iter().filter(|(.., open)| *open == Open::Yes);
        fds.extend(open.map(|(output, ..)| PollFd::new(output, PollFlags::IN)));
        let at_most =
            rustix::event::Timespec { tv_sec: at_most.as_secs() as i64, tv_nsec: i64::from(at_most.subsec_nanos()) };
        match rustix::event::poll(&mut fds, Some(&at_most)) {
            Err(rustix::io::Errno::INTR) => return Ok(Said { cancelled: false, answered: false }),
            other => other?,
        };
        let answered = !fds[0].revents().is_empty();
        let cancelled = cancel.is_some() && !fds[1].revents().is_empty();
        drop(fds);
        for output in &mut self.outputs {
            drain(output)?;
        }
        Ok(Said { cancelled, answered })
    }

    /// Takes the answer. Whatever the job wrote lies in the pipes by now, as all its processes are gone.
    fn finish(mut self, stop: Option<Ended>) -> Result<Report, ConfineError> {
        let answer: Option<Answer> = match protocol::receive(&mut self.socket) {
            // A helper that died while the worker's last words were unread resets the socket.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => None,
            other => other.map_err(system("read the helper's answer"))?,
        };
        let status = self.process.wait().map_err(system("wait for the helper"))?;
        let Some(answer) = answer else { return Err(ConfineError::Died(status)) };
        for output in &mut self.outputs {
            drain(output).map_err(system("read the job's output"))?;
        }
        let Ran { end, wall_ms, cpu_ms, peak_memory_bytes, held } = match answer {
            Answer::Ran(ran) => ran,
            Answer::Refused(reason) => return Err(ConfineError::Refused(reason)),
            Answer::Failed(reason) => return Err(ConfineError::Failed(reason)),
        };
        let ended = match (end, stop) {
            (End::Exited(status), _) => Ended::Exited(status),
            (End::Signalled(signal), _) => Ended::Signalled(signal),
            (End::TimedOut, _) => Ended::TimedOut,
            (End::Memory, _) => Ended::Memory,
            (End::Processes, _) => Ended::Processes,
            (End::Stopped, stop) => stop.unwrap_or(Ended::Cancelled),
        };
        let [stdout, stderr] = &mut self.outputs;
        let take = |output: &mut (OwnedFd, Capture, Open)| {
            std::mem::replace(&mut output.1, Capture::new(Part::Head, 0)).finish()
        };
        let (stdout, stderr) = (take(stdout), take(stderr));
        Ok(Report { ended, stdout, stderr, wall_ms, cpu_ms, peak_memory_bytes, held })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The socket closes after this, but the helper must be gone before its caller goes on.
        let _ = self.socket.shutdown(Shutdown::Both);
        if !matches!(self.process.try_wait(), Ok(Some(_))) {
            // The init ends with the supervisor, and the job with its init.
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

/// Reads what lies in a pipe, at most what a pipe holds several times over: a job that writes without end must not keep the
/// worker from its watch.
fn drain((output, capture, open): &mut (OwnedFd, Capture, Open)) -> io::Result<()> {
    if *open == Open::No {
        return Ok(());
    }
    let mut buffer = [0; 64 * 1024];
    for _ in 0..16 {
        match rustix::io::read(&mut *output, &mut buffer) {
            Ok(0) => {
                *open = Open::No;
                return Ok(());
            }
            Ok(count) => capture.push(&buffer[..count]),
            Err(rustix::io::Errno::AGAIN) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
