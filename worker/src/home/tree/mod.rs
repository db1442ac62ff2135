//! Trees: an agent's work files, kept as objects.
//!
//! After every turn the tree is *snapshotted*: each directory becomes one object (a [`Manifest`]: names, kinds, modes,
//! times, and the keys of what is inside), each file's contents another, and the key of the root's manifest is the tree.
//! Restoring a key gives exactly the same tree, on this worker or on another; two equal trees have the same key.
//!
//! # What is hashed
//!
//! Only what changed. A [`ScanCache`] remembers, for one home, what the last scan found: a file whose device, inode,
//! mode, size, mtime and ctime are the same has the same contents, so its digest is taken from there. Times are coarse
//! (up to 10 ms before kernel 6.13, one tick), so that a file written twice within a tick may look the same after the second
//! write. **What had changed less than [`SETTLED_AFTER`] before the last scan, or after it, is hashed again.** A directory
//! is listed again by the same rule, and its manifest is stored again only where something in it differs.
//!
//! # What is not in a tree
//!
//! FIFOs, sockets and devices are never opened. They stay where they are, are reported in [`Snapshot::skipped`], and are
//! missing where the tree is restored. Owners are not kept (a tree has one owner, the agent), nor are the setuid, setgid
//! and sticky bits, hard links (they become files of their own) and access times.
//!
//! # Safety
//!
//! Everything below the root is reached by names relative to an open directory, and no symlink is ever followed: a
//! program that swaps a directory for a link while the tree is read reaches nothing. A manifest that is read back is
//! checked before a name in it is used. Recursion is bounded by [`TreeLimits::depth`].
//!
//! All of it blocks: call it from a thread that may.

mod cache;
mod content;
mod error;
mod limits;
mod manifest;
mod place;
mod reach;
mod remove;
mod restore;
mod snapshot;
mod sys;
#[cfg(test)]
mod tests;
mod usage;

pub use cache::{SETTLED_AFTER, ScanCache};
pub use error::{ManifestProblem, TreeError};
pub use limits::{DISK_RESERVE, TreeLimits, Usage};
pub use manifest::{Entry, EntryKind, MANIFEST_VERSION, Manifest, Time};
pub use reach::reach;
pub use remove::remove_contents;
pub use restore::{Owner, restore, restore_in_place};
pub use snapshot::{Skipped, SkippedKind, Snapshot, snapshot};
pub use usage::usage;
