//! Running one job in a child, from the worker's side.

use crate::confine::cancel::CancelToken;
use crate::confine::capture::{Capture, Captured, Part};
use crate::confine::credentials::SlotIds;
use crate::confine::locate::HelperMissing;
use crate::confine::protocol::{Bounds, Confinement, Held, Input, Namespaces, Ran};
use crate::confine::root::{Mount, Proc, TEMP};
use crate::confine::started::{Manner, STUCK_AFTER, Started, ended, output_pipe};
use rustix::event::{PollFd, PollFlags};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::ExitStatus;
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

pub(super) fn system(what: &'static str) -> impl Fn(io::Error) -> ConfineError {
    move |source| ConfineError::System { what, source }
}

/// How often the helper counts memory and processes of a job.
const COUNT_INTERVAL: Duration = Duration::from_millis(50);

/// Runs a job to its end. Blocks; call it from a thread of its own.
pub fn run(
    settings: &Settings,
    job: &Job,
    mut watch: Option<&mut dyn Watch>,
    cancel: Option<&CancelToken>,
) -> Result<Report, ConfineError> {
    let mut child = Running::start(settings, job)?;
    let started = Instant::now();
    let mut stop = None;
    let mut next_check = started + WATCH_INTERVAL;
    let mut cancel = cancel;
    loop {
        let now = Instant::now();
        if now >= next_check {
            if let (None, Some(reached)) =
                (&stop, watch.as_mut().and_then(|watch| watch.check(&child.helper.processes())))
            {
                stop = Some(Ended::Limit(reached));
                child.helper.stop();
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
                child.helper.stop();
            }
        }
        if said.answered {
            return child.finish(stop);
        }
    }
}

/// A job that runs, and the worker's ends of its outputs. Dropped, it ends the job.
struct Running {
    helper: Started,
    outputs: [Output; 2],
}

struct Said {
    cancelled: bool,
    answered: bool,
}

impl Running {
    fn start(settings: &Settings, job: &Job) -> Result<Running, ConfineError> {
        let (stdout, stdout_writer) = output_pipe()?;
        let (stderr, stderr_writer) = output_pipe()?;
        let manner = Manner { input: Input::Empty, watch: COUNT_INTERVAL };
        let helper = Started::start(settings, job, manner, stdout_writer, stderr_writer)?;
        let output = |reader| Output::new(reader, Capture::new(job.output_part, job.output_bytes));
        Ok(Running { helper, outputs: [output(stdout), output(stderr)] })
    }

    /// Waits for something to read, and reads the outputs.
    fn wait(&mut self, cancel: Option<&CancelToken>, at_most: Duration) -> io::Result<Said> {
        let mut fds = vec![PollFd::new(&self.helper, PollFlags::IN)];
        fds.extend(cancel.map(|token| PollFd::from_borrowed_fd(token.as_fd(), PollFlags::IN)));
        fds.extend(self.outputs.iter().filter_map(Output::awaited));
        match rustix::event::poll(&mut fds, Some(&timespec(at_most))) {
            Err(rustix::io::Errno::INTR) => return Ok(Said { cancelled: false, answered: false }),
            other => other?,
        };
        let answered = !fds[0].revents().is_empty();
        let cancelled = cancel.is_some() && !fds[1].revents().is_empty();
        drop(fds);
        for output in &mut self.outputs {
            output.drain()?;
        }
        Ok(Said { cancelled, answered })
    }

    /// Takes the answer. Whatever the job wrote lies in the pipes by now, as all its processes are gone.
    fn finish(mut self, stop: Option<Ended>) -> Result<Report, ConfineError> {
        let Ran { end, wall_ms, cpu_ms, peak_memory_bytes, held } = self.helper.answer()?;
        for output in &mut self.outputs {
            output.drain().map_err(system("read the job's output"))?;
        }
        let [stdout, stderr] = self.outputs.map(|output| output.capture.finish());
        Ok(Report { ended: ended(end, stop), stdout, stderr, wall_ms, cpu_ms, peak_memory_bytes, held })
    }
}

pub(super) fn timespec(time: Duration) -> rustix::event::Timespec {
    rustix::event::Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(time.subsec_nanos()),
    }
}

/// One output of a job: the worker's end of its pipe, and what is kept of it.
#[derive(Debug)]
pub(super) struct Output {
    reader: OwnedFd,
    pub(super) capture: Capture,
    open: Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Yes,
    No,
}

impl Output {
    pub(super) fn new(reader: OwnedFd, capture: Capture) -> Output {
        Output { reader, capture, open: Open::Yes }
    }

    /// What is waited for, where it may say more.
    pub(super) fn awaited(&self) -> Option<PollFd<'_>> {
        (self.open == Open::Yes).then(|| PollFd::new(&self.reader, PollFlags::IN))
    }

    /// Reads what lies in the pipe, at most what a pipe holds several times over: a job that writes without end must not
    /// keep the worker from its watch.
    pub(super) fn drain(&mut self) -> io::Result<()> {
        if self.open == Open::No {
            return Ok(());
        }
        let mut buffer = [0; 64 * 1024];
        for _ in 0..16 {
            match rustix::io::read(&self.reader, &mut buffer) {
                Ok(0) => {
                    self.open = Open::No;
                    return Ok(());
                }
                Ok(count) => self.capture.push(&buffer[..count]),
                Err(rustix::io::Errno::AGAIN) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}
