//! What people read on standard error: lines and, on a terminal, a live line that stays below them.

use gg_common::plain::printable;
use indicatif::ProgressBar;
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

/// The live line of this process, while there is one. Whatever else is written to standard error goes above it, and log
/// lines come from anywhere: so it is known here, and not handed round.
static LIVE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Names the live line, or says that there is none any more.
#[cfg(feature = "embedded")]
pub(super) fn keep_below(live: Option<ProgressBar>) {
    *LIVE.lock().unwrap_or_else(PoisonError::into_inner) = live;
}

/// Takes the live line away while something is written, and puts it back below.
fn above<T>(write: impl FnOnce() -> T) -> T {
    let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match live {
        Some(live) => live.suspend(write),
        None => write(),
    }
}

/// Writes one line to standard error. Nobody is left to tell where it cannot be written.
pub(super) fn say(line: &str) {
    // What it quotes may be anybody's: a file's, a model's, a folder's name.
    let line = printable(line);
    let _ = above(|| writeln!(std::io::stderr().lock(), "{line}"));
}

/// Standard error above the live line, for log lines, of which each is written at once.
#[derive(Debug)]
pub(super) struct AboveLive;

impl Write for AboveLive {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        above(|| std::io::stderr().lock().write_all(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Whether lines on standard error may be coloured: on a terminal that can, for a person who did not say NO_COLOR.
pub(super) fn takes_colour() -> bool {
    let stderr = std::io::stderr();
    stderr.is_terminal() && anstream::AutoStream::choice(&stderr) != anstream::ColorChoice::Never
}
