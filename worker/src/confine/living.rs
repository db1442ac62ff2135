//! A child that lives on: one job that is spoken to, a request and an answer at a time. It is started and held as any other
//! ([`crate::confine::run`]); it has no time-out of its own, since each request has one.
//!
//! Its standard input and its standard output are one socket. A message is a length of four bytes, a number of four bytes
//! (both with the highest byte first) and so many bytes; the length counts the bytes alone. An answer bears its request's
//! number, so that nothing that was said late is taken for the next answer. What the child says first, unasked, bears 0.

use crate::confine::capture::{Capture, Part};
use crate::confine::child::{ConfineError, Ended, Job, Output, Settings, Watch, system, timespec};
use crate::confine::processes::{cpu_beneath, usage_beneath};
use crate::confine::protocol::{Input, Ran};
use crate::confine::started::{Manner, STUCK_AFTER, Started, ended, output_pipe};
use rustix::event::{PollFd, PollFlags};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the helper counts memory and processes: beside it, whoever waits for an answer does.
const COUNT_INTERVAL: Duration = Duration::from_millis(500);

/// How often a request's watch is asked.
const WATCH_INTERVAL: Duration = Duration::from_millis(100);

/// Length and number.
const HEADER_BYTES: usize = 8;

/// What a request may take.
pub struct Exchange<'a> {
    /// Until when it is waited for.
    pub timeout: Duration,
    /// The longest answer, in bytes.
    pub answer_bytes: usize,
    /// Asked every 100 ms.
    pub watch: Option<&'a mut dyn Watch>,
    /// Ends it once it is set.
    pub ending: &'a AtomicBool,
}

/// Why there is no answer. The child is not to be asked again.
#[derive(Debug)]
pub enum Broken {
    /// It ended, or must be: not in time, past a bound.
    Ended(Ended),
    /// It said what is no message.
    Garbled(String),
    /// The helper or the system failed.
    Failed(ConfineError),
}

impl From<ConfineError> for Broken {
    fn from(error: ConfineError) -> Broken {
        Broken::Failed(error)
    }
}

/// What a child's processes use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// CPU time since it started.
    pub cpu: Duration,
    /// Resident memory that is theirs, in bytes.
    pub memory_bytes: u64,
}

/// A child that lives on. Dropped, it and everything that it started is ended.
#[derive(Debug)]
pub struct Living {
    helper: Started,
    channel: UnixStream,
    stderr: Output,
    stderr_bytes: usize,
    memory_bytes: u64,
    next: u32,
    /// The most CPU time that was seen.
    cpu: Duration,
    over: Over,
}

/// Whether it was ended, or found to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    No,
    Yes,
}

impl Living {
    /// Starts it. Its time-out and what is said of its outputs but for their bound are not used.
    pub fn start(settings: &Settings, job: &Job) -> Result<Living, ConfineError> {
        let (channel, theirs) = UnixStream::pair().map_err(system("make a socket pair"))?;
        channel.set_nonblocking(true).map_err(system("prepare a socket"))?;
        let (stderr, stderr_writer) = output_pipe()?;
        let job = Job { timeout: Duration::MAX, ..job.clone() };
        let manner = Manner { input: Input::Output, watch: COUNT_INTERVAL };
        let helper = Started::start(settings, &job, manner, OwnedFd::from(theirs), stderr_writer)?;
        Ok(Living {
            helper,
            channel,
            stderr: Output::new(stderr, Capture::new(Part::Tail, job.output_bytes)),
            stderr_bytes: job.output_bytes,
            memory_bytes: job.bounds.memory_bytes,
            next: 0,
            cpu: Duration::ZERO,
            over: Over::No,
        })
    }

    /// What it says first, unasked.
    pub fn greeting(&mut self, exchange: Exchange<'_>) -> Result<Vec<u8>, Broken> {
        self.speak(Vec::new(), 0, exchange)
    }

    /// Asks, and waits for the answer. What it wrote to its standard error before is forgotten.
    pub fn ask(&mut self, request: &[u8], exchange: Exchange<'_>) -> Result<Vec<u8>, Broken> {
        let length = u32::try_from(request.len())
            .map_err(|_| Broken::Garbled(format!("a request of {} bytes is longer than any", request.len())))?;
        self.stderr.drain().map_err(system("read a child's output"))?;
        self.stderr.capture = Capture::new(Part::Tail, self.stderr_bytes);
        self.next = self.next.wrapping_add(1).max(1);
        let mut message = Vec::with_capacity(HEADER_BYTES + request.len());
        message.extend(length.to_be_bytes());
        message.extend(self.next.to_be_bytes());
        message.extend(request);
        self.speak(message, self.next, exchange)
    }

    fn speak(&mut self, message: Vec<u8>, number: u32, exchange: Exchange<'_>) -> Result<Vec<u8>, Broken> {
        let Exchange { timeout, answer_bytes, mut watch, ending } = exchange;
        let deadline = Instant::now() + timeout;
        let mut next_check = Instant::now() + WATCH_INTERVAL;
        let mut unsent = &message[..];
        let mut incoming = Incoming { number, bytes: Vec::new(), most: answer_bytes };
        loop {
            let now = Instant::now();
            if ending.load(Ordering::Relaxed) {
                return Err(Broken::Ended(Ended::Cancelled));
            }
            if now >= deadline {
                return Err(Broken::Ended(Ended::TimedOut));
            }
            if now >= next_check {
                if let Some(ended) = self.over_bounds(&mut watch) {
                    return Err(Broken::Ended(ended));
                }
                next_check = Instant::now() + WATCH_INTERVAL;
            }
            let pause = next_check.min(deadline).saturating_duration_since(now);
            let ready = self.wait(unsent.is_empty(), pause).map_err(system("wait for a child"))?;
            if ready.writable {
                unsent = &unsent[self.send(unsent)?..];
            }
            if ready.readable
                && let Some(answer) = self.receive(&mut incoming)?
            {
                return Ok(answer);
            }
            if ready.ended {
                // What it said before it ended is an answer still.
                return match self.receive(&mut incoming)? {
                    Some(answer) => Ok(answer),
                    None => Err(self.found_ended()),
                };
            }
        }
    }

    fn over_bounds(&mut self, watch: &mut Option<&mut dyn Watch>) -> Option<Ended> {
        self.cpu = self.cpu.max(cpu_beneath(self.helper.pid()));
        if usage_beneath(self.helper.pid()).memory_bytes > self.memory_bytes {
            return Some(Ended::Memory);
        }
        watch.as_mut().and_then(|watch| watch.check(&self.helper.processes())).map(Ended::Limit)
    }

    fn wait(&mut self, sent: bool, at_most: Duration) -> io::Result<Ready> {
        let wanted = if sent { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
        let mut fds = vec![PollFd::new(&self.helper, PollFlags::IN), PollFd::new(&self.channel, wanted)];
        fds.extend(self.stderr.awaited());
        match rustix::event::poll(&mut fds, Some(&timespec(at_most))) {
            Err(rustix::io::Errno::INTR) => return Ok(Ready::default()),
            other => other?,
        };
        let (helper, channel) = (fds[0].revents(), fds[1].revents());
        drop(fds);
        self.stderr.drain()?;
        let readable = channel.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR);
        Ok(Ready { writable: channel.contains(PollFlags::OUT), readable, ended: !helper.is_empty() })
    }

    /// Sends what goes now.
    fn send(&mut self, bytes: &[u8]) -> Result<usize, Broken> {
        // A child that is gone must not raise a signal here.
        match rustix::net::send(&self.channel, bytes, rustix::net::SendFlags::NOSIGNAL) {
            Ok(count) => Ok(count),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(0),
            Err(rustix::io::Errno::PIPE | rustix::io::Errno::CONNRESET) => Err(self.hung_up()),
            Err(error) => Err(system("write to a child")(error.into()).into()),
        }
    }

    /// Reads what is there; an answer, once it is whole.
    fn receive(&mut self, incoming: &mut Incoming) -> Result<Option<Vec<u8>>, Broken> {
        let mut buffer = [0; 64 * 1024];
        loop {
            match rustix::io::read(&self.channel, &mut buffer) {
                Ok(0) | Err(rustix::io::Errno::CONNRESET) => return Err(self.hung_up()),
                Ok(count) => {
                    if let Some(answer) = incoming.take(&buffer[..count]).map_err(Broken::Garbled)? {
                        return Ok(Some(answer));
                    }
                }
                Err(rustix::io::Errno::AGAIN) => return Ok(None),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(system("read from a child")(error.into()).into()),
            }
        }
    }

    /// It closed its side: by its end, whose kind is worth a short wait, or while it lives on.
    fn hung_up(&mut self) -> Broken {
        let mut fds = [PollFd::new(&self.helper, PollFlags::IN)];
        match rustix::event::poll(&mut fds, Some(&timespec(Duration::from_secs(5)))) {
            Ok(0) | Err(_) => Broken::Garbled("it closed its output and lives on".to_owned()),
            Ok(_) => self.found_ended(),
        }
    }

    fn found_ended(&mut self) -> Broken {
        self.finish().map_or_else(Broken::Failed, Broken::Ended)
    }

    /// Whether it lives, owes nothing and said nothing that it was not asked for.
    pub fn is_quiet(&mut self) -> bool {
        if self.over == Over::Yes {
            return false;
        }
        let mut fds = [PollFd::new(&self.helper, PollFlags::IN), PollFd::new(&self.channel, PollFlags::IN)];
        matches!(rustix::event::poll(&mut fds, Some(&timespec(Duration::ZERO))), Ok(0))
    }

    /// What its processes use now; of one that ended, what it had used.
    pub fn usage(&mut self) -> Use {
        if self.over == Over::Yes {
            return Use { cpu: self.cpu, memory_bytes: 0 };
        }
        self.cpu = self.cpu.max(cpu_beneath(self.helper.pid()));
        Use { cpu: self.cpu, memory_bytes: usage_beneath(self.helper.pid()).memory_bytes }
    }

    /// Its processes.
    pub fn processes(&self) -> Vec<libc::pid_t> {
        if self.over == Over::Yes { Vec::new() } else { self.helper.processes() }
    }

    /// The end of what it wrote to its standard error since it was last asked.
    pub fn said(&mut self) -> Vec<u8> {
        // Nothing is lost where the pipe does not read: there is nobody to tell.
        let _ = self.stderr.drain();
        std::mem::replace(&mut self.stderr.capture, Capture::new(Part::Tail, self.stderr_bytes)).finish().bytes
    }

    /// Ends it and everything that it started.
    pub fn end(&mut self) {
        if let Err(error) = self.finish() {
            tracing::warn!(%error, "a child that lived on did not end as it should; its helper is killed");
        }
    }

    /// Ends it, and says how it ended where it had done so by itself. What follows the first time says nothing.
    fn finish(&mut self) -> Result<Ended, ConfineError> {
        if std::mem::replace(&mut self.over, Over::Yes) == Over::Yes {
            return Ok(Ended::Cancelled);
        }
        self.helper.stop();
        self.helper.wait(STUCK_AFTER).map_err(system("wait for the helper"))?;
        let Ran { end, cpu_ms, .. } = self.helper.answer()?;
        self.cpu = self.cpu.max(Duration::from_millis(cpu_ms));
        Ok(ended(end, None))
    }
}

impl Drop for Living {
    fn drop(&mut self) {
        self.end();
    }
}

/// What [`Living::wait`] found.
#[derive(Debug, Clone, Copy, Default)]
struct Ready {
    writable: bool,
    readable: bool,
    ended: bool,
}

/// An answer as it arrives.
struct Incoming {
    number: u32,
    bytes: Vec<u8>,
    most: usize,
}

impl Incoming {
    /// Adds what was read; the answer, once it is whole.
    fn take(&mut self, bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
        self.bytes.extend_from_slice(bytes);
        let Some((header, body)) = self.bytes.split_first_chunk::<HEADER_BYTES>() else { return Ok(None) };
        let [a, b, c, d, e, f, g, h] = *header;
        let (length, number) = (u32::from_be_bytes([a, b, c, d]) as usize, u32::from_be_bytes([e, f, g, h]));
        if number != self.number {
            return Err(format!("it said message {number}, and {} was due", self.number));
        }
        if length > self.most {
            return Err(format!("it states a message of {length} bytes, and at most {} are read", self.most));
        }
        match body.len() {
            read if read < length => Ok(None),
            read if read > length => Err("it said more than it was asked".to_owned()),
            _ => Ok(Some(self.bytes.split_off(HEADER_BYTES))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn incoming(most: usize) -> Incoming {
        Incoming { number: 7, bytes: Vec::new(), most }
    }

    #[test]
    fn an_answer_is_taken_in_pieces_and_nothing_else_is() {
        let message = [0, 0, 0, 2, 0, 0, 0, 7, b'h', b'i'];
        let mut pieces = incoming(2);
        for byte in &message[..9] {
            assert_eq!(pieces.take(&[*byte]), Ok(None));
        }
        assert_eq!(pieces.take(b"i"), Ok(Some(b"hi".to_vec())));
        assert!(incoming(1).take(&message).expect_err("too long").contains("a message of 2 bytes"));
        assert!(incoming(2).take(&[0, 0, 0, 0, 0, 0, 0, 6]).expect_err("stale").contains("message 6, and 7 was due"));
        assert!(incoming(2).take(b"Picked up JAVA_TOOL_OPTIONS").is_err());
        let mut more = message.to_vec();
        more.push(b'!');
        assert!(incoming(2).take(&more).expect_err("more").contains("more than it was asked"));
        assert_eq!(incoming(0).take(&[0, 0, 0, 0, 0, 0, 0, 7]), Ok(Some(Vec::new())));
    }
}
