//! Taking away what is in a directory, however deep it nests and whatever its modes are.

use super::error::TreeError;
use super::place::Place;
use super::sys;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::{Errno, Result};
use std::ffi::{CStr, CString};
use std::path::Path;

/// Deeper than this, a directory is first moved up: a chain of 10,000 takes neither as many descriptors nor as much stack.
const DEEP: usize = 64;

/// Removes everything in `root`, which stays. No symlink is followed.
pub fn remove_contents(root: &Path) -> std::result::Result<(), TreeError> {
    let place = Place::new(root);
    let directory = sys::open_root(root).map_err(|e| place.io("opening", e))?;
    sys::make_writable(directory.fd.as_fd()).map_err(|e| place.io("emptying", e))?;
    empty(directory.fd.as_fd()).map_err(|e| place.io("emptying", e))
}

/// Removes one entry, whatever it is. That it is gone already is no error.
pub(super) fn remove_entry(dir: BorrowedFd<'_>, name: &CStr) -> Result<()> {
    match rustix::fs::unlinkat(dir, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(e) => return Err(e),
    }
    empty(open_for_removal(dir, name)?.as_fd())?;
    rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR)
}

fn open_for_removal(dir: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd> {
    let mut directory = sys::open_directory(dir, name)?;
    // Its mode need not come back.
    if let Some(loosened) = directory.loosened.take() {
        loosened.keep();
    }
    sys::make_writable(directory.fd.as_fd())?;
    Ok(directory.fd)
}

/// Empties a directory. Each pass leaves in it only what was moved up from below [`DEEP`].
fn empty(top: BorrowedFd<'_>) -> Result<()> {
    loop {
        let names = sys::list(top)?;
        if names.is_empty() {
            return Ok(());
        }
        let mut moved = 0;
        empty_pass(top, top, names, 0, &mut moved)?;
        if moved == 0 {
            return Ok(());
        }
    }
}

fn empty_pass(
    dir: BorrowedFd<'_>,
    top: BorrowedFd<'_>,
    names: Vec<CString>,
    depth: usize,
    moved: &mut u64,
) -> Result<()> {
    for name in names {
        match rustix::fs::unlinkat(dir, &name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => continue,
            Err(Errno::ISDIR | Errno::PERM) => {}
            Err(e) => return Err(e),
        }
        let inner = open_for_removal(dir, &name)?;
        if depth >= DEEP {
            move_up(dir, &name, top, moved)?;
        } else {
            let names = sys::list(inner.as_fd())?;
            empty_pass(inner.as_fd(), top, names, depth + 1, moved)?;
            rustix::fs::unlinkat(dir, &name, AtFlags::REMOVEDIR)?;
        }
    }
    Ok(())
}

fn move_up(dir: BorrowedFd<'_>, name: &CStr, top: BorrowedFd<'_>, moved: &mut u64) -> Result<()> {
    loop {
        *moved += 1;
        match rustix::fs::renameat_with(dir, name, top, format!(".gg-removed-{moved}"), RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => {}
            done => return done,
        }
    }
}
