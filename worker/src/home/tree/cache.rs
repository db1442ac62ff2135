//! What the last scan of a home found.

use super::manifest::Time;
use super::sys::{Stamp, now};
use gg_common::content::ContentKey;
use std::ffi::CString;
use std::time::Duration;

/// What changed this long before a scan, or less, is read again by the next: kernels before 6.13 give times in ticks of
/// up to 10 ms, so a second change within a tick leaves the same times behind.
pub const SETTLED_AFTER: Duration = Duration::from_millis(20);

/// What the last scan of one home found, so that the next hashes only what changed.
///
/// It holds digests of what was stored in one object store: with another store, begin with an empty one. Where an object
/// turned out to be lost, begin with an empty one too, and everything is stored again.
#[derive(Debug, Default)]
pub struct ScanCache {
    pub(super) root: DirectoryNode,
    /// When the last complete scan began; nothing is believed before there was one.
    pub(super) scanned_at: Option<Time>,
}

impl ScanCache {
    /// A cache that knows nothing: the next scan hashes everything.
    pub fn new() -> ScanCache {
        ScanCache::default()
    }

    /// The key of the tree that was last scanned or restored, if that was completed.
    pub fn key(&self) -> Option<ContentKey> {
        self.scanned_at.and(self.root.key)
    }

    pub(super) fn of(root: DirectoryNode) -> ScanCache {
        ScanCache { root, scanned_at: Some(now()) }
    }
}

/// Whether what was found under `cached` is still so under `current`: nothing about it changed, and it had been settled
/// when the last scan began, so that a later change must show.
pub(super) fn is_unchanged(cached: &Stamp, current: &Stamp, scanned_at: Option<Time>) -> bool {
    scanned_at.is_some_and(|at| cached == current && is_settled(current, at))
}

/// Whether something with this stamp had been left alone for long enough before `at`.
pub(super) fn is_settled(stamp: &Stamp, at: Time) -> bool {
    let latest = stamp.mtime.max(stamp.ctime);
    let nanos = latest.nanos + SETTLED_AFTER.subsec_nanos();
    let settled =
        Time { secs: latest.secs.saturating_add(i64::from(nanos / 1_000_000_000)), nanos: nanos % 1_000_000_000 };
    settled <= at
}

/// A directory.
#[derive(Debug, Default)]
pub(super) struct DirectoryNode {
    /// As it was before it was listed; none where that is not to be believed.
    pub stamp: Option<Stamp>,
    /// The key of its manifest; none while something in it is not yet stored.
    pub key: Option<ContentKey>,
    /// What the manifest says of the directory itself.
    pub meta: Option<(u16, Time)>,
    /// By name.
    pub children: Vec<Child>,
}

#[derive(Debug)]
pub(super) struct Child {
    pub name: CString,
    pub node: Node,
}

#[derive(Debug)]
pub(super) enum Node {
    /// Seen in a listing, and nothing else is known.
    New,
    File(FileNode),
    Link(LinkNode),
    Directory(Box<DirectoryNode>),
    /// A FIFO, socket or device.
    Special,
}

#[derive(Debug)]
pub(super) struct FileNode {
    /// None where the file changed while it was read, or had to be made readable: it is read again next time.
    pub stamp: Option<Stamp>,
    pub mode: u16,
    pub mtime: Time,
    pub size: u64,
    pub digest: ContentKey,
}

#[derive(Debug)]
pub(super) struct LinkNode {
    pub stamp: Stamp,
    pub target: Vec<u8>,
}

impl DirectoryNode {
    /// Takes over a new listing (sorted), keeping what is known of names that stayed. Says whether any name came or went.
    pub fn relist(&mut self, names: Vec<CString>) -> bool {
        if names.len() == self.children.len() && names.iter().zip(&self.children).all(|(new, old)| *new == old.name) {
            return false;
        }
        let mut old = std::mem::take(&mut self.children).into_iter().peekable();
        self.children = names
            .into_iter()
            .map(|name| {
                while old.next_if(|child| child.name < name).is_some() {}
                old.next_if(|child| child.name == name).unwrap_or(Child { name, node: Node::New })
            })
            .collect();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(secs: i64, nanos: u32) -> Stamp {
        let time = Time { secs, nanos };
        Stamp { dev: 1, ino: 2, mode: 0o100_644, size: 3, mtime: time, ctime: time }
    }

    #[test]
    fn what_changed_within_the_last_ticks_before_a_scan_is_not_believed() {
        let at = Some(Time { secs: 100, nanos: 10_000_000 });
        assert!(is_unchanged(&stamp(99, 990_000_000), &stamp(99, 990_000_000), at), "20 ms before");
        assert!(!is_unchanged(&stamp(99, 990_000_001), &stamp(99, 990_000_001), at), "less than 20 ms before");
        assert!(!is_unchanged(&stamp(200, 0), &stamp(200, 0), at), "after");
        assert!(!is_unchanged(&stamp(99, 0), &stamp(99, 0), None), "no scan");
        assert!(!is_unchanged(&stamp(99, 0), &Stamp { ino: 3, ..stamp(99, 0) }, at), "another file");
        let touched = Stamp { mtime: Time { secs: 1, nanos: 0 }, ..stamp(100, 0) };
        assert!(!is_unchanged(&touched, &touched, at), "an mtime set back does not hide the ctime");
    }

    #[test]
    fn a_new_listing_keeps_what_is_known_of_names_that_stayed() {
        let names = |list: &[&str]| list.iter().map(|n| CString::new(*n).expect("name")).collect::<Vec<_>>();
        let mut node = DirectoryNode::default();
        assert!(node.relist(names(&["a", "c", "d"])));
        for child in &mut node.children {
            child.node = Node::Special;
        }
        assert!(!node.relist(names(&["a", "c", "d"])));
        assert!(node.relist(names(&["b", "c", "e"])));
        let known: Vec<_> = node.children.iter().map(|c| matches!(c.node, Node::Special)).collect();
        assert_eq!(known, [false, true, false]);
    }
}
