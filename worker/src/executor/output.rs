//! Where a program's standard streams go: bounded, never blocking the program.

use bytes::Bytes;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

/// Keeps the first bytes up to a bound and counts the rest, or keeps the head and the tail.
#[derive(Debug)]
pub enum Keep {
    /// The first `bound` bytes.
    Head {
        /// What is kept, in bytes.
        bound: usize,
    },
    /// The first and the last half of `bound` bytes.
    HeadAndTail {
        /// What is kept, in bytes.
        bound: usize,
    },
}

#[derive(Debug)]
struct Inner {
    keep: Keep,
    head: Vec<u8>,
    tail: std::collections::VecDeque<u8>,
    total: u64,
}

/// A sink for one standard stream. Clones share it.
#[derive(Debug, Clone)]
pub struct Sink(Arc<Mutex<Inner>>);

impl Sink {
    /// An empty sink.
    pub fn new(keep: Keep) -> Sink {
        Sink(Arc::new(Mutex::new(Inner { keep, head: Vec::new(), tail: Default::default(), total: 0 })))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes bytes; what exceeds the bound is counted and dropped.
    pub fn push(&self, bytes: &[u8]) {
        let mut inner = self.lock();
        inner.total += bytes.len() as u64;
        let (head_bound, tail_bound) = match inner.keep {
            Keep::Head { bound } => (bound, 0),
            Keep::HeadAndTail { bound } => (bound - bound / 2, bound / 2),
        };
        let to_head = bytes.len().min(head_bound - inner.head.len().min(head_bound));
        inner.head.extend_from_slice(&bytes[..to_head]);
        let rest = &bytes[to_head..];
        let rest = &rest[rest.len() - rest.len().min(tail_bound)..];
        let overflow = (inner.tail.len() + rest.len()).saturating_sub(tail_bound);
        inner.tail.drain(..overflow);
        inner.tail.extend(rest);
    }

    /// What was kept, with a line between head and tail that counts what was dropped; and the count.
    pub fn finish(&self) -> (Vec<u8>, u64) {
        let inner = self.lock();
        let kept = (inner.head.len() + inner.tail.len()) as u64;
        let dropped = inner.total - kept;
        let mut out = inner.head.clone();
        if dropped > 0 && matches!(inner.keep, Keep::HeadAndTail { .. }) {
            out.extend_from_slice(format!("\n… {dropped} bytes dropped …\n").as_bytes());
        }
        out.extend(inner.tail.iter());
        (out, dropped)
    }
}

impl IsTerminal for Sink {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Sink {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for Sink {
    async fn ready(&mut self) {}
}

/// What one write may carry: the guests' own buffers are smaller.
const PERMIT: usize = 1 << 20;

impl OutputStream for Sink {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.push(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(PERMIT)
    }
}

impl AsyncWrite for Sink {
    fn poll_write(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        bytes: &[u8],
    ) -> std::task::Poll<std::io::Result<usize>> {
        self.push(bytes);
        std::task::Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn poll_shutdown(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_keeps_its_head_and_counts_the_rest() {
        let sink = Sink::new(Keep::Head { bound: 5 });
        sink.push(b"abc");
        sink.push(b"defg");
        assert_eq!(sink.finish(), (b"abcde".to_vec(), 2));
    }

    #[test]
    fn standard_error_keeps_its_head_and_its_tail() {
        let sink = Sink::new(Keep::HeadAndTail { bound: 8 });
        sink.push(b"abcdefgh");
        assert_eq!(sink.finish(), (b"abcdefgh".to_vec(), 0));
        sink.push(b"ij");
        sink.push(b"0123456789xyz!");
        let (kept, dropped) = sink.finish();
        assert_eq!(String::from_utf8(kept).expect("utf-8"), "abcd\n… 16 bytes dropped …\nxyz!"[..].to_owned());
        assert_eq!(dropped, 16);
    }
}
