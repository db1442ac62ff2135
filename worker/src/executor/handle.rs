//! The worker's side of an executor: starting it, assigning an agent, running programs, seeing how it died.

use crate::executor::allocator::OUT_OF_MEMORY_STATUS;
use crate::executor::engine::default_wasm_stack;
use crate::executor::frame::{Kind, Wire};
use crate::executor::process::ARGUMENT;
use crate::executor::protocol::{Assignment, Done, RunRequest, Runs, Start, TurnEngine};
use gg_common::arm::Arm;
use gg_common::operation::Operation;
use std::fs::File;
use std::io::{self, IoSlice, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The guest that an executor maps, and what its engine is made with.
#[derive(Debug, Clone)]
pub struct Guest {
    arm: Arm,
    /// The native form of a prebuilt one.
    file: Option<Arc<File>>,
    runs: Runs,
    wasm_stack_bytes: u64,
}

impl Guest {
    /// A guest whose native form is this verified descriptor, with the default stack.
    pub fn new(arm: Arm, file: File) -> Guest {
        Guest { arm, file: Some(Arc::new(file)), runs: Runs::Guest, wasm_stack_bytes: default_wasm_stack() }
    }

    /// No guest: components, each compiled by this engine as it comes.
    pub fn none(arm: Arm, compiler: TurnEngine) -> Guest {
        Guest { arm, file: None, runs: Runs::Components(compiler), wasm_stack_bytes: default_wasm_stack() }
    }

    /// The same guest with another stack.
    pub fn with_stack(&self, wasm_stack_bytes: u64) -> Guest {
        Guest { wasm_stack_bytes, ..self.clone() }
    }

    /// Its arm.
    pub fn arm(&self) -> Arm {
        self.arm
    }

    /// The stack of its programs, in bytes.
    pub fn wasm_stack_bytes(&self) -> u64 {
        self.wasm_stack_bytes
    }
}

/// Why an executor cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExecutorError {
    /// The process could not be started.
    #[error("starting an executor as {} failed: {source}", program.display())]
    Start {
        /// The binary.
        program: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// It said why it cannot go on.
    #[error("the executor refused: {0}")]
    Refused(String),
    /// It ended before it was ready.
    #[error("the executor ended before it was ready: {0}")]
    Died(Death),
}

/// How an executor ended.
#[derive(Debug, Clone)]
pub struct Death {
    /// As the kernel reports it; none if it could not be asked.
    pub status: Option<ExitStatus>,
    /// The end of what it wrote to standard error.
    pub stderr: String,
}

impl Death {
    /// Whether memory was refused to it.
    pub fn is_out_of_memory(&self) -> bool {
        self.status.is_some_and(|status| status.code() == Some(OUT_OF_MEMORY_STATUS))
    }
}

impl std::fmt::Display for Death {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.status {
            Some(status) => match status.signal() {
                Some(signal) => write!(f, "killed by signal {signal}")?,
                None => write!(f, "exit status {}", status.code().unwrap_or(-1))?,
            },
            None => f.write_str("its status is unknown")?,
        }
        let said = self.stderr.trim();
        if said.is_empty() { Ok(()) } else { write!(f, "; it said: {said}") }
    }
}

/// How a run ended, seen from the worker.
#[derive(Debug)]
pub enum RunEnd {
    /// The program ended; the executor is ready for the next.
    Done(Box<Done>),
    /// The wall bound passed, so the executor was killed.
    WallTime,
    /// The program's component was not compiled within its bound, so the executor was killed.
    CompileTime,
    /// The compile of the program's component was refused memory.
    CompileMemory,
    /// The executor died.
    Died(Death),
}

/// What the engine may take for the compile of one component.
pub const COMPILE_WITHIN: Duration = Duration::from_secs(60);

/// A running executor. Dropping it kills it.
#[derive(Debug)]
pub struct Executor {
    child: Child,
    wire: Wire,
    stderr: Option<ChildStderr>,
    runs: Runs,
}

/// An executor's last words, no longer than a record needs: it may have been taken over by its program.
fn in_bounds(reason: &[u8]) -> String {
    String::from_utf8_lossy(&reason[..reason.len().min(2_000)]).into_owned()
}

/// Longer than any honest start: engine, guest and confinement take milliseconds.
const START_WITHIN: Duration = Duration::from_secs(30);

impl Executor {
    /// Starts an executor that maps the guest and waits for its agent. `program` is a binary that calls
    /// [`super::run_if_asked`] first. Once it is confined it ends with the thread that started it.
    pub fn start(program: &Path, guest: &Guest) -> Result<Executor, ExecutorError> {
        let mut executor = Executor::spawn(program, guest)?;
        executor.wait_ready()?;
        Ok(executor)
    }

    /// The half of [`Executor::start`] that the thread matters to. [`Executor::wait_ready`] is the other.
    pub(super) fn spawn(program: &Path, guest: &Guest) -> Result<Executor, ExecutorError> {
        let failed = |source| ExecutorError::Start { program: program.to_owned(), source };
        let (ours, theirs) = UnixStream::pair().map_err(failed)?;
        #[expect(
            clippy::disallowed_methods,
            reason = "an executor confines itself when its agent is assigned; nothing hostile runs before that"
        )]
        let mut command = std::process::Command::new(program);
        let mut child = command
            .arg(ARGUMENT)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        drop(command);
        let stderr = child.stderr.take();
        let executor = Executor { child, wire: Wire::new(ours), stderr, runs: guest.runs };
        executor.send_guest(guest).map_err(failed)?;
        Ok(executor)
    }

    /// Waits until the guest is mapped.
    pub(super) fn wait_ready(&mut self) -> Result<(), ExecutorError> {
        self.expect(Kind::Ready)
    }

    fn send_guest(&self, guest: &Guest) -> io::Result<()> {
        let start = Start { arm: guest.arm, wasm_stack_bytes: guest.wasm_stack_bytes, runs: guest.runs };
        let payload = postcard::to_stdvec(&start).map_err(io::Error::other)?;
        let descriptors: Vec<_> = guest.file.iter().map(|file| file.as_fd()).collect();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = rustix::net::SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() && !control.push(rustix::net::SendAncillaryMessage::ScmRights(&descriptors)) {
            return Err(io::Error::other("there is no room for the guest's descriptor in a message"));
        }
        let flags = rustix::net::SendFlags::empty();
        rustix::net::sendmsg(self.wire.socket(), &[IoSlice::new(&payload)], &mut control, flags)?;
        Ok(())
    }

    /// Confines the executor to an agent. It cannot be undone.
    pub fn assign(&mut self, assignment: &Assignment) -> Result<(), ExecutorError> {
        let payload = postcard::to_stdvec(assignment).unwrap_or_default();
        if self.wire.send_until(Kind::Assign, &payload, Instant::now() + START_WITHIN).is_err() {
            return Err(ExecutorError::Died(self.death()));
        }
        self.expect(Kind::Confined)
    }

    fn expect(&mut self, kind: Kind) -> Result<(), ExecutorError> {
        match self.wire.receive_until(Instant::now() + START_WITHIN) {
            Ok((received, _)) if received == kind => Ok(()),
            Ok((Kind::Failed, reason)) => Err(ExecutorError::Refused(in_bounds(&reason))),
            Ok((received, _)) => {
                Err(ExecutorError::Refused(format!("a {received:?} frame came where {kind:?} was due")))
            }
            Err(_) => Err(ExecutorError::Died(self.death())),
        }
    }

    /// Runs a program to its end. `serve` answers its calls with encoded results. Past the deadline the executor is
    /// killed; after anything but [`RunEnd::Done`] it is of no more use.
    pub fn run(
        &mut self,
        request: &RunRequest,
        deadline: Instant,
        serve: &mut dyn FnMut(Operation, &[u8]) -> Vec<u8>,
    ) -> RunEnd {
        let payload = postcard::to_stdvec(request).unwrap_or_default();
        if let Some(end) = self.send(Kind::Run, &payload, deadline) {
            return end;
        }
        let mut compiling = (self.runs != Runs::Guest).then(|| Instant::now() + COMPILE_WITHIN);
        loop {
            let until = compiling.map_or(deadline, |by| by.min(deadline));
            match self.wire.receive_until(until) {
                Ok((Kind::Compiled, _)) if compiling.is_some() => compiling = None,
                Ok((Kind::Call, payload)) => {
                    let Some((operation, args)) =
                        payload.split_first().and_then(|(number, args)| Some((Operation::from_number(*number)?, args)))
                    else {
                        return RunEnd::Died(self.death_saying("it sent a call that is in no table"));
                    };
                    let reply = serve(operation, args);
                    if let Some(end) = self.send(Kind::Reply, &reply, deadline) {
                        return end;
                    }
                }
                Ok((Kind::Done, payload)) => match postcard::from_bytes::<Done>(&payload) {
                    Ok(done) if done.fits(request) => return RunEnd::Done(Box::new(done)),
                    Ok(_) => return RunEnd::Died(self.death_saying("its last word is longer than its bounds")),
                    Err(error) => {
                        return RunEnd::Died(self.death_saying(&format!("its last word does not read: {error}")));
                    }
                },
                Ok((Kind::Failed, reason)) => {
                    return RunEnd::Died(self.death_saying(&in_bounds(&reason)));
                }
                Ok((kind, _)) => return RunEnd::Died(self.death_saying(&format!("it sent a {kind:?} frame"))),
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    self.death();
                    return if until < deadline { RunEnd::CompileTime } else { RunEnd::WallTime };
                }
                Err(_) => {
                    let death = self.death();
                    let memory = compiling.is_some() && death.is_out_of_memory();
                    return if memory { RunEnd::CompileMemory } else { RunEnd::Died(death) };
                }
            }
        }
    }

    /// Sends a frame; how the run ends if it cannot be sent.
    fn send(&mut self, kind: Kind, payload: &[u8], deadline: Instant) -> Option<RunEnd> {
        match self.wire.send_until(kind, payload, deadline) {
            Ok(()) => None,
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                self.death();
                Some(RunEnd::WallTime)
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                Some(RunEnd::Died(self.death_saying(&error.to_string())))
            }
            Err(_) => Some(RunEnd::Died(self.death())),
        }
    }

    /// Whether its end of the socket is open still. One that died while it was idle died of no program.
    pub fn is_alive(&self) -> bool {
        !self.wire.is_closed()
    }

    /// The process's identifier.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn death_saying(&mut self, said: &str) -> Death {
        let mut death = self.death();
        death.stderr = format!("{said} {}", death.stderr);
        death
    }

    /// Ends the process, if it has not ended by itself, and says how it ended.
    fn death(&mut self) -> Death {
        // It may be on its way out by itself: its own status says more than our signal would.
        let grace = Instant::now() + Duration::from_millis(200);
        let mut status = None;
        while status.is_none() && self.wire.is_closed() && Instant::now() < grace {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Ok(ended) => status = ended,
                Err(_) => break,
            }
        }
        if status.is_none() {
            drop(self.child.kill());
            status = self.child.wait().ok();
        }
        let mut stderr = Vec::new();
        if let Some(pipe) = self.stderr.take() {
            // The process is gone, so the pipe ends.
            drop(pipe.take(64 << 10).read_to_end(&mut stderr));
        }
        let text = String::from_utf8_lossy(&stderr);
        let tail = text.ceil_char_boundary(text.len().saturating_sub(2000));
        Death { status, stderr: text[tail..].to_owned() }
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
