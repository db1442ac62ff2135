//! Ending a child from another thread.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// Ends a child when it is told to, or dropped.
#[derive(Debug)]
pub struct CancelHandle(#[expect(dead_code, reason = "its end is the message")] OwnedFd);

impl CancelHandle {
    /// Ends the child that holds the token. The same as dropping the handle.
    pub fn cancel(self) {}
}

/// What a child is given to be told by.
#[derive(Debug)]
pub struct CancelToken(OwnedFd);

impl AsFd for CancelToken {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// A handle and its token.
pub fn cancellation() -> io::Result<(CancelHandle, CancelToken)> {
    let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    Ok((CancelHandle(write), CancelToken(read)))
}
