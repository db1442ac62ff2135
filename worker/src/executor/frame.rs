//! Frames between worker and executor: a little-endian `u32` length of what follows, a kind byte, a payload.

use rustix::event::PollFlags;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Executor: guests are mapped, nothing is confined yet.
    Ready = 0,
    /// Worker: confine yourself to this agent.
    Assign = 1,
    /// Executor: confined.
    Confined = 2,
    /// Worker: run a program.
    Run = 3,
    /// Executor: a gg call; the first payload byte is the operation's number.
    Call = 4,
    /// Worker: the call's result.
    Reply = 5,
    /// Executor: the program ended.
    Done = 6,
    /// Executor: it cannot go on; the payload says why.
    Failed = 7,
    /// Executor: the program's component is compiled, and the program starts.
    Compiled = 8,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Kind> {
        use Kind::{Assign, Call, Compiled, Confined, Done, Failed, Ready, Reply, Run};
        [Ready, Assign, Confined, Run, Call, Reply, Done, Failed, Compiled].into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// The longest frame that either side accepts, in bytes: the largest call and a margin for its envelope.
pub const MAX_FRAME: usize = 80 << 20;

/// One end of the socket pair.
#[derive(Debug)]
pub struct Wire {
    socket: UnixStream,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl Wire {
    /// A wire over a connected stream socket.
    pub fn new(socket: UnixStream) -> Wire {
        Wire { socket, buffer: vec![0; 16 << 10], start: 0, end: 0 }
    }

    /// Sends one frame.
    pub fn send(&mut self, kind: Kind, payload: &[u8]) -> io::Result<()> {
        self.socket.write_all(&frame(kind, payload)?)
    }

    /// [`Wire::send`], up to a deadline: past it [`io::ErrorKind::TimedOut`]. The other end need not read: an executor
    /// may have been taken over by its program.
    pub fn send_until(&mut self, kind: Kind, payload: &[u8], deadline: Instant) -> io::Result<()> {
        let frame = frame(kind, payload)?;
        let mut left = frame.as_slice();
        while !left.is_empty() {
            let flags = rustix::net::SendFlags::DONTWAIT | rustix::net::SendFlags::NOSIGNAL;
            match rustix::net::send(&self.socket, left, flags) {
                Ok(count) => left = &left[count..],
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => {
                    let time = deadline.saturating_duration_since(Instant::now());
                    if time.is_zero() || !ready(self.socket.as_fd(), PollFlags::OUT, time)? {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Waits for the next frame. The end of the stream is [`io::ErrorKind::UnexpectedEof`].
    pub fn receive(&mut self) -> io::Result<(Kind, Vec<u8>)> {
        loop {
            if let Some(frame) = self.take()? {
                return Ok(frame);
            }
            self.fill()?;
        }
    }

    /// [`Wire::receive`], up to a deadline: past it [`io::ErrorKind::TimedOut`].
    pub fn receive_until(&mut self, deadline: Instant) -> io::Result<(Kind, Vec<u8>)> {
        loop {
            if let Some(frame) = self.take()? {
                return Ok(frame);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || !ready(self.socket.as_fd(), PollFlags::IN, left)? {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.fill()?;
        }
    }

    fn take(&mut self) -> io::Result<Option<(Kind, Vec<u8>)>> {
        let held = &self.buffer[self.start..self.end];
        let Some((head, rest)) = held.split_first_chunk::<4>() else { return Ok(None) };
        let length = u32::from_le_bytes(*head) as usize;
        if length == 0 || length > MAX_FRAME {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a frame states {length} bytes")));
        }
        if rest.len() < length {
            return Ok(None);
        }
        let kind = Kind::from_byte(rest[0])
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, format!("a frame is of kind {}", rest[0])))?;
        let payload = rest[1..length].to_vec();
        self.start += 4 + length;
        Ok(Some((kind, payload)))
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        // A frame once grew the buffer: give the memory back when it is read.
        if self.end == 0 && self.buffer.len() > 1 << 20 {
            self.buffer = vec![0; 16 << 10];
        }
        if self.buffer.len() - self.end < 8 << 10 {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let count = loop {
            match self.socket.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.end += count;
        Ok(())
    }

    /// Whether the other end is gone. Does not wait and takes nothing.
    pub fn is_closed(&self) -> bool {
        let mut byte = [0u8; 1];
        let flags = rustix::net::RecvFlags::PEEK | rustix::net::RecvFlags::DONTWAIT;
        matches!(rustix::net::recv(&self.socket, &mut byte, flags), Ok((0, _)))
    }

    /// The socket itself.
    pub fn socket(&self) -> &UnixStream {
        &self.socket
    }
}

fn frame(kind: Kind, payload: &[u8]) -> io::Result<Vec<u8>> {
    let length = payload.len() + 1;
    if length > MAX_FRAME {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("a frame of {length} bytes is too long")));
    }
    let mut frame = Vec::with_capacity(5 + payload.len());
    frame.extend_from_slice(&(length as u32).to_le_bytes());
    frame.push(kind as u8);
    frame.extend_from_slice(payload);
    Ok(frame)
}

fn ready(fd: BorrowedFd<'_>, what: PollFlags, within: Duration) -> io::Result<bool> {
    let mut fds = [rustix::event::PollFd::new(&fd, what)];
    let timeout = rustix::event::Timespec {
        tv_sec: i64::try_from(within.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(within.subsec_nanos()),
    };
    match rustix::event::poll(&mut fds, Some(&timeout)) {
        Ok(count) => Ok(count > 0),
        // Interrupted: the caller looks at its deadline and waits again.
        Err(rustix::io::Errno::INTR) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Wire, Wire) {
        let (a, b) = UnixStream::pair().expect("socket pair");
        (Wire::new(a), Wire::new(b))
    }

    #[test]
    fn frames_of_any_length_arrive_whole_and_in_order() {
        let (mut a, mut b) = pair();
        let sender = std::thread::spawn(move || {
            for length in [0usize, 1, 20_000, 3_000_000, 5] {
                a.send(Kind::Call, &vec![7; length]).expect("send");
            }
        });
        for length in [0usize, 1, 20_000, 3_000_000, 5] {
            assert_eq!(b.receive().expect("receive"), (Kind::Call, vec![7; length]));
        }
        sender.join().expect("sender");
        assert_eq!(b.receive().expect_err("closed").kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn who_does_not_read_holds_nobody_up() {
        let (mut a, mut b) = pair();
        let payload = vec![7; 4 << 20];
        let error = a.send_until(Kind::Run, &payload, Instant::now() + Duration::from_millis(5)).expect_err("not read");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let (mut c, mut d) = pair();
        let reader = std::thread::spawn(move || d.receive().expect("receive"));
        c.send_until(Kind::Run, &payload, Instant::now() + Duration::from_secs(60)).expect("sent");
        assert_eq!(reader.join().expect("reader"), (Kind::Run, payload));
        drop(a);
        assert_eq!(b.receive().expect_err("half a frame").kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_deadline_a_close_and_a_broken_frame_are_told_apart() {
        let (mut a, mut b) = pair();
        let error = b.receive_until(Instant::now() + Duration::from_millis(5)).expect_err("nothing came");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(!b.is_closed());
        a.socket.write_all(&[1, 0, 0, 0, 99]).expect("write");
        assert_eq!(b.receive().expect_err("unknown kind").kind(), io::ErrorKind::InvalidData);
        drop(a);
        let (c, d) = pair();
        drop(c);
        assert!(d.is_closed());
    }
}
