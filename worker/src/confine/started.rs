//! The helper's process, from the worker's side: started, told of its job, and heard.

use crate::confine::child::{ConfineError, Ended, Job, Settings, system};
use crate::confine::locate;
use crate::confine::protocol::{self, Answer, End, Input, Ran, Spec};
use crate::confine::root::Mount;
use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

/// How long after its grace of 5 s the helper may take to have ended everything.
pub(super) const STUCK_AFTER: Duration = Duration::from_secs(20);

/// The helper's process and the socket to it. Dropped, it ends the job.
#[derive(Debug)]
pub(super) struct Started {
    process: std::process::Child,
    socket: UnixStream,
}

/// What a job's standard input is, and how often the helper looks at what it uses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub input: Input,
    pub watch: Duration,
}

impl Started {
    /// Starts a helper with these outputs, which are the job's, and tells it the job.
    pub(super) fn start(
        settings: &Settings,
        job: &Job,
        manner: Manner,
        stdout: OwnedFd,
        stderr: OwnedFd,
    ) -> Result<Started, ConfineError> {
        let spec = spec(settings, job, manner)?;
        let helper = settings.helper.clone().map_or_else(locate::helper, Ok)?;
        let (socket, theirs) = UnixStream::pair().map_err(system("make a socket pair"))?;
        #[expect(clippy::disallowed_methods, reason = "the one place where children start: they confine themselves")]
        let process = std::process::Command::new(&helper)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(stdout))
            .stderr(Stdio::from(stderr))
            .spawn()
            .map_err(|source| ConfineError::Helper { helper, source })?;
        let mut started = Started { process, socket };
        protocol::send(&mut started.socket, &spec).map_err(system("write to the helper"))?;
        Ok(started)
    }

    /// The helper's process.
    pub(super) fn pid(&self) -> libc::pid_t {
        // A process's number fits.
        libc::pid_t::try_from(self.process.id()).unwrap_or(libc::pid_t::MAX)
    }

    /// The processes of the job, the helper's own apart.
    pub(super) fn processes(&self) -> Vec<libc::pid_t> {
        super::processes::beneath(self.pid())
    }

    /// Tells the helper to end everything and to answer.
    pub(super) fn stop(&self) {
        let _ = self.socket.shutdown(Shutdown::Write);
    }

    /// Waits for the answer, at most so long.
    pub(super) fn wait(&self, at_most: Duration) -> io::Result<()> {
        self.socket.set_read_timeout(Some(at_most))
    }

    /// The answer, and the helper's own end. All processes of the job are gone by then.
    pub(super) fn answer(&mut self) -> Result<Ran, ConfineError> {
        let answer: Option<Answer> = match protocol::receive(&mut self.socket) {
            // A helper that died while the worker's last words were unread resets the socket.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => None,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                return Err(ConfineError::Stuck(STUCK_AFTER.as_secs()));
            }
            other => other.map_err(system("read the helper's answer"))?,
        };
        let status: ExitStatus = self.process.wait().map_err(system("wait for the helper"))?;
        match answer {
            None => Err(ConfineError::Died(status)),
            Some(Answer::Ran(ran)) => Ok(ran),
            Some(Answer::Refused(reason)) => Err(ConfineError::Refused(reason)),
            Some(Answer::Failed(reason)) => Err(ConfineError::Failed(reason)),
        }
    }
}

impl AsFd for Started {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Drop for Started {
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

/// What the helper says of the end, with why the worker wanted it.
pub(super) fn ended(end: End, stop: Option<Ended>) -> Ended {
    match end {
        End::Exited(status) => Ended::Exited(status),
        End::Signalled(signal) => Ended::Signalled(signal),
        End::TimedOut => Ended::TimedOut,
        End::Memory => Ended::Memory,
        End::Processes => Ended::Processes,
        End::Stopped => stop.unwrap_or(Ended::Cancelled),
    }
}

/// A pipe whose reading end never blocks. The job's own end is not touched.
pub(super) fn output_pipe() -> Result<(OwnedFd, OwnedFd), ConfineError> {
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)
        .map_err(|error| system("make a pipe")(error.into()))?;
    rustix::io::ioctl_fionbio(&reader, true).map_err(|error| system("prepare a pipe")(error.into()))?;
    Ok((reader, writer))
}

fn spec(settings: &Settings, job: &Job, manner: Manner) -> Result<Spec, ConfineError> {
    let mounts = job.mounts.iter().map(|mount| {
        // Links are followed here: in the private root an absolute one would lead elsewhere.
        let found = mount.source.canonicalize();
        let source = found.map_err(|source| ConfineError::Mount { path: mount.source.clone(), source })?;
        Ok(Mount { source, ..mount.clone() })
    });
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX >> 1).min(u64::MAX >> 1);
    Ok(Spec {
        version: protocol::VERSION,
        program: job.program.clone(),
        args: job.args.clone(),
        env: job.env.clone(),
        cwd: job.cwd.clone(),
        mounts: mounts.collect::<Result<_, ConfineError>>()?,
        ids: job.ids,
        timeout_ms: millis(job.timeout),
        bounds: job.bounds.clone(),
        confinement: settings.confinement,
        namespaces: settings.namespaces,
        landlock_abi: settings.landlock_abi,
        scratch: job.scratch.clone(),
        proc: job.proc.clone(),
        input: manner.input,
        watch_ms: millis(manner.watch),
    })
}
