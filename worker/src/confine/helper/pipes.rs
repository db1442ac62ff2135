//! Descriptors of the helper: pipes between its processes, waiting on them, closing what is not wanted.

use super::Message;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// Closes every descriptor from `first` on.
pub(super) fn close_from(first: u32) {
    // SAFETY: the helper has opened nothing yet; what lies there was inherited.
    unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0u32) };
}

/// Lets every descriptor from `first` on end with an execution.
pub(super) fn close_from_on_exec(first: u32) {
    // SAFETY: only sets a flag on descriptors.
    unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

/// Closes a descriptor whose owner lives on in another process.
pub(super) fn close(fd: BorrowedFd<'_>) {
    // SAFETY: called in a forked process that never returns to the owner of the descriptor.
    unsafe { libc::close(fd.as_raw_fd()) };
}

/// A pipe that ends with an execution: the end to read, the end to write.
pub(super) fn own_pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?)
}

/// Writes one message. There is nobody to tell of a failure.
pub(super) fn tell(to: &OwnedFd, message: &Message) {
    if let (Ok(mut line), Ok(fd)) = (serde_json::to_vec(message), to.try_clone()) {
        line.push(b'\n');
        let _ = std::fs::File::from(fd).write_all(&line);
    }
}

/// Messages as they arrive.
pub(super) struct Lines {
    from: std::fs::File,
    rest: Vec<u8>,
}

impl Lines {
    pub(super) fn new(from: OwnedFd) -> Lines {
        Lines { from: from.into(), rest: Vec::new() }
    }

    /// Reads what is there; false at the end.
    pub(super) fn read(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 4096];
        let count = self.from.read(&mut buffer)?;
        self.rest.extend(&buffer[..count]);
        Ok(count > 0)
    }

    /// The complete messages.
    pub(super) fn take(&mut self) -> Vec<Message> {
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
        let complete: Vec<u8> = self.rest.drain(..=end).collect();
        complete.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }
}

impl AsFd for Lines {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.from.as_fd()
    }
}

/// Whether a descriptor has something to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ready {
    /// Nothing.
    No,
    /// Something to read, or its end.
    Yes,
}

/// Waits for either descriptor at most so long. One that is absent is never ready.
pub(super) fn poll(fds: [Option<BorrowedFd<'_>>; 2], at_most: Duration) -> io::Result<[Ready; 2]> {
    let mut list = fds.map(|fd| libc::pollfd {
        // A negative descriptor is skipped.
        fd: fd.map_or(-1, |fd| fd.as_raw_fd()),
        events: libc::POLLIN,
        revents: 0,
    });
    let millis = libc::c_int::try_from(at_most.as_millis()).unwrap_or(libc::c_int::MAX);
    // SAFETY: the list is valid for the call, and its length is given.
    if unsafe { libc::poll(list.as_mut_ptr(), 2, millis) } < 0 {
        let error = io::Error::last_os_error();
        return if error.kind() == io::ErrorKind::Interrupted { Ok([Ready::No; 2]) } else { Err(error) };
    }
    Ok(list.map(|entry| if entry.revents == 0 { Ready::No } else { Ready::Yes }))
}
