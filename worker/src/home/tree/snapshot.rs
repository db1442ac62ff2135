//! From a directory to the key of its tree.

use super::cache::{DirectoryNode, LinkNode, Node, ScanCache, is_unchanged};
use super::content;
use super::error::TreeError;
use super::limits::{TreeLimits, Usage};
use super::manifest::{Entry, EntryKind, Manifest, Time};
use super::place::Place;
use super::sys::{self, Directory, Stamp};
use gg_common::content::ContentKey;
use gg_common::objects::Objects;
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::FileType;
use rustix::io::Errno;
use std::ffi::CStr;
use std::path::{Path, PathBuf};

/// How often a name that stands for something else when it is opened than when it was looked at is looked at again. It is
/// there all the time, so it must not be left out because somebody exchanges it as fast as he can.
const LOOKS: usize = 100;

/// A tree that was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The tree.
    pub key: ContentKey,
    /// What it holds.
    pub usage: Usage,
    /// What is on disk and not in the tree.
    pub skipped: Vec<Skipped>,
    /// How many files were read, because they were new, had changed, or might have.
    pub files_read: u64,
    /// How many directories were stored.
    pub directories_stored: u64,
}

/// Something that a tree does not keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Where, relative to the root.
    pub path: PathBuf,
    /// What it is.
    pub kind: SkippedKind,
}

/// What a tree does not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkippedKind {
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A block or character device, or something unknown.
    Device,
}

/// Stores the tree under `root`. `cache` is what the last scan of this root found, and becomes what this one finds.
///
/// Where a limit is passed, nothing beyond it is read, and what earlier snapshots need stays as it is.
pub fn snapshot(
    root: &Path,
    objects: &Objects,
    limits: &TreeLimits,
    cache: &mut ScanCache,
) -> Result<Snapshot, TreeError> {
    let began = sys::now();
    let place = Place::new(root);
    let directory = sys::open_root(root).map_err(|e| place.io("opening the tree", e))?;
    let mut scan = Scan {
        objects,
        limits,
        scanned_at: cache.scanned_at,
        place,
        usage: Usage::default(),
        skipped: Vec::new(),
        files_read: 0,
        directories_stored: 0,
    };
    let key = scan.directory(&directory, &mut cache.root, 0)?;
    cache.scanned_at = Some(began);
    let Scan { usage, skipped, files_read, directories_stored, .. } = scan;
    Ok(Snapshot { key, usage, skipped, files_read, directories_stored })
}

struct Scan<'a> {
    objects: &'a Objects,
    limits: &'a TreeLimits,
    /// When the scan before this one began.
    scanned_at: Option<Time>,
    place: Place,
    usage: Usage,
    skipped: Vec<Skipped>,
    files_read: u64,
    directories_stored: u64,
}

/// Whether a directory's manifest says the same as before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Same,
    Other,
}

impl Scan<'_> {
    fn directory(
        &mut self,
        directory: &Directory,
        node: &mut DirectoryNode,
        depth: u64,
    ) -> Result<ContentKey, TreeError> {
        // Taken away for the time of the scan: a scan that fails half-way leaves no key above what it changed.
        let known = node.key.take();
        let meta = (directory.stamp.permissions(), directory.stamp.mtime);
        let mut found = if node.meta == Some(meta) { Found::Same } else { Found::Other };
        let listed = node.stamp.is_some_and(|stamp| is_unchanged(&stamp, &directory.stamp, self.scanned_at));
        if !listed {
            let names = sys::list(directory.fd.as_fd()).map_err(|e| self.place.io("listing", e))?;
            if node.relist(names) {
                found = Found::Other;
            }
        }
        node.meta = Some(meta);
        node.stamp = directory.loosened.is_none().then_some(directory.stamp);

        let mut gone = false;
        for child in &mut node.children {
            match self.child(directory.fd.as_fd(), &child.name, &mut child.node, depth)? {
                Some(Found::Same) => {}
                Some(Found::Other) => found = Found::Other,
                None => gone = true,
            }
        }
        if gone {
            node.children.retain(|child| !matches!(child.node, Node::New));
            node.stamp = None;
            found = Found::Other;
        }

        let key = match (found, known) {
            (Found::Same, Some(key)) => key,
            _ => {
                self.directories_stored += 1;
                content::store_manifest(self.objects, manifest(node, meta).encode(), &self.place)?
            }
        };
        node.key = Some(key);
        Ok(key)
    }

    /// Brings one child up to date. None where it is gone; its node is then [`Node::New`].
    fn child(
        &mut self,
        dir: BorrowedFd<'_>,
        name: &CStr,
        node: &mut Node,
        depth: u64,
    ) -> Result<Option<Found>, TreeError> {
        let before = self.usage;
        for _ in 0..LOOKS {
            let stat = match sys::stat_at(dir, name) {
                Ok(stat) => stat,
                Err(Errno::NOENT) => break,
                Err(e) => return Err(self.place.io_child("looking at", name, e)),
            };
            // Counted once, as what it is in the end.
            self.usage = before;
            self.usage.entries += 1;
            let stamp = Stamp::of(&stat);
            let looked = match stamp.kind() {
                FileType::RegularFile => self.file(dir, name, node, &stamp, sys::blocks(&stat))?,
                FileType::Directory => self.subdirectory(dir, name, node, depth + 1)?,
                FileType::Symlink => self.link(dir, name, node, &stamp)?,
                other => Some(self.special(name, node, other)?),
            };
            if looked.is_some() {
                return Ok(looked);
            }
        }
        self.usage = before;
        *node = Node::New;
        Ok(None)
    }

    fn file(
        &mut self,
        dir: BorrowedFd<'_>,
        name: &CStr,
        node: &mut Node,
        stamp: &Stamp,
        blocks: u64,
    ) -> Result<Option<Found>, TreeError> {
        self.usage.add_file(stamp.size, blocks);
        self.limits.check(&self.usage)?;
        let before = match node {
            Node::File(file) => {
                if file.stamp.is_some_and(|known| is_unchanged(&known, stamp, self.scanned_at)) {
                    return Ok(Some(Found::Same));
                }
                Some((file.digest, file.size, file.mode, file.mtime))
            }
            _ => None,
        };
        let Some(file) = content::store(self.objects, dir, name, &self.place)? else { return Ok(None) };
        self.files_read += 1;
        let same = before == Some((file.digest, file.size, file.mode, file.mtime));
        *node = Node::File(file);
        Ok(Some(if same { Found::Same } else { Found::Other }))
    }

    fn link(
        &mut self,
        dir: BorrowedFd<'_>,
        name: &CStr,
        node: &mut Node,
        stamp: &Stamp,
    ) -> Result<Option<Found>, TreeError> {
        self.limits.check(&self.usage)?;
        if let Node::Link(link) = node
            && is_unchanged(&link.stamp, stamp, self.scanned_at)
        {
            return Ok(Some(Found::Same));
        }
        let target = match rustix::fs::readlinkat(dir, name, Vec::new()) {
            Ok(target) => target.into_bytes(),
            Err(Errno::NOENT | Errno::INVAL) => return Ok(None),
            Err(e) => return Err(self.place.io_child("reading the link", name, e)),
        };
        let same = matches!(node, Node::Link(old) if old.target == target && old.stamp.mtime == stamp.mtime);
        *node = Node::Link(LinkNode { stamp: *stamp, target });
        Ok(Some(if same { Found::Same } else { Found::Other }))
    }

    fn subdirectory(
        &mut self,
        dir: BorrowedFd<'_>,
        name: &CStr,
        node: &mut Node,
        depth: u64,
    ) -> Result<Option<Found>, TreeError> {
        self.usage.depth = self.usage.depth.max(depth);
        self.limits.check(&self.usage)?;
        let directory = match sys::open_directory(dir, name) {
            Ok(directory) => directory,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
            Err(e) => return Err(self.place.io_child("opening", name, e)),
        };
        if !matches!(node, Node::Directory(_)) {
            *node = Node::Directory(Box::default());
        }
        let Node::Directory(inner) = node else { return Ok(None) };
        let before = inner.key;
        let mark = self.place.enter(name);
        let key = self.directory(&directory, inner, depth)?;
        self.place.leave(mark);
        Ok(Some(if before == Some(key) { Found::Same } else { Found::Other }))
    }

    fn special(&mut self, name: &CStr, node: &mut Node, kind: FileType) -> Result<Found, TreeError> {
        self.limits.check(&self.usage)?;
        let kind = match kind {
            FileType::Fifo => SkippedKind::Fifo,
            FileType::Socket => SkippedKind::Socket,
            _ => SkippedKind::Device,
        };
        self.skipped.push(Skipped { path: self.place.relative_child(name), kind });
        // It is not in the manifest, so that only what it was before makes a difference.
        let same = matches!(node, Node::Special | Node::New);
        *node = Node::Special;
        Ok(if same { Found::Same } else { Found::Other })
    }
}

fn manifest(node: &DirectoryNode, (mode, mtime): (u16, Time)) -> Manifest {
    let entries = node.children.iter().filter_map(|child| {
        let kind = match &child.node {
            Node::File(file) => {
                EntryKind::File { mode: file.mode, mtime: file.mtime, size: file.size, digest: *file.digest.as_bytes() }
            }
            Node::Link(link) => EntryKind::Link { mtime: link.stamp.mtime, target: link.target.clone() },
            Node::Directory(inner) => EntryKind::Directory { digest: *inner.key?.as_bytes() },
            Node::Special | Node::New => return None,
        };
        Some(Entry { name: child.name.to_bytes().to_vec(), kind })
    });
    Manifest { mode, mtime, entries: entries.collect() }
}
