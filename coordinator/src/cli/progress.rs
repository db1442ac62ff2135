//! What people read on standard error.

use std::io::Write;

/// Writes one line to standard error. Nobody is left to tell where it cannot be written.
pub(super) fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
