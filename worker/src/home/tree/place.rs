//! Where in a tree a walk is, for its errors.

use super::error::TreeError;
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The path from a root down to where a walk is.
#[derive(Debug)]
pub(super) struct Place {
    root: PathBuf,
    below: Vec<u8>,
}

impl Place {
    pub fn new(root: &Path) -> Place {
        Place { root: root.to_owned(), below: Vec::new() }
    }

    /// Steps into `name`; give the result to [`Place::leave`].
    pub fn enter(&mut self, name: &CStr) -> usize {
        let mark = self.below.len();
        if mark > 0 {
            self.below.push(b'/');
        }
        self.below.extend_from_slice(name.to_bytes());
        mark
    }

    pub fn leave(&mut self, mark: usize) {
        self.below.truncate(mark);
    }

    /// Relative to the root.
    pub fn relative(&self) -> PathBuf {
        PathBuf::from(OsStr::from_bytes(&self.below))
    }

    /// Relative to the root, one name further.
    pub fn relative_child(&self, name: &CStr) -> PathBuf {
        self.relative().join(OsStr::from_bytes(name.to_bytes()))
    }

    pub fn full(&self) -> PathBuf {
        if self.below.is_empty() { self.root.clone() } else { self.root.join(OsStr::from_bytes(&self.below)) }
    }

    pub fn child(&self, name: &CStr) -> PathBuf {
        self.full().join(OsStr::from_bytes(name.to_bytes()))
    }

    /// An error about the place itself.
    pub fn io(&self, action: &'static str, source: impl Into<std::io::Error>) -> TreeError {
        TreeError::Io { action, path: self.full(), source: source.into() }
    }

    /// An error about something in the place.
    pub fn io_child(&self, action: &'static str, name: &CStr, source: impl Into<std::io::Error>) -> TreeError {
        TreeError::Io { action, path: self.child(name), source: source.into() }
    }
}
