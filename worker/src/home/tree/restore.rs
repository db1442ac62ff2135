//! From the key of a tree to a directory that is exactly that tree.
//!
//! One walk serves an empty directory and one that differs: what the tree does not have is removed, what is there as it
//! must be stays, and only the rest is written. So a failed turn is undone at the cost of a scan and of what it changed,
//! and the root stays the same directory, which a running executor may hold open.

use super::cache::{Child, DirectoryNode, FileNode, LinkNode, Node, ScanCache, is_settled, is_unchanged};
use super::content::{self, WHOLE_BYTES};
use super::error::{ManifestProblem, TreeError};
use super::limits::{TreeLimits, Usage};
use super::manifest::{Entry, EntryKind, Manifest, Time};
use super::place::Place;
use super::remove::remove_entry;
use super::sys::{self, Stamp};
use gg_common::content::ContentKey;
use gg_common::objects::{Objects, StreamError};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Whose a restored tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// The user.
    pub uid: u32,
    /// The group.
    pub gid: u32,
}

/// Makes `root` exactly the tree of `key`: makes the directory where it is missing, and removes what it holds otherwise.
/// The root itself may be a symlink to a directory; nothing below it is followed. With an owner (only root can), all of
/// it becomes that owner's.
///
/// What the next snapshot of `root` needs comes back. Where it fails, `root` may be anything between: restore it again.
pub fn restore(
    key: &ContentKey,
    objects: &Objects,
    root: &Path,
    limits: &TreeLimits,
    owner: Option<Owner>,
) -> Result<ScanCache, TreeError> {
    restore_in_place(key, objects, root, limits, owner, ScanCache::new())
}

/// As [`restore`], and believes what the last scan of `root` found, so that unchanged files are not even read.
pub fn restore_in_place(
    key: &ContentKey,
    objects: &Objects,
    root: &Path,
    limits: &TreeLimits,
    owner: Option<Owner>,
    cache: ScanCache,
) -> Result<ScanCache, TreeError> {
    let place = Place::new(root);
    let began = sys::now();
    std::fs::create_dir_all(root).map_err(|e| place.io("making", e))?;
    let mut directory = sys::open_root(root).map_err(|e| place.io("opening", e))?;
    if let Some(loosened) = directory.loosened.take() {
        loosened.keep();
    }
    let mut walk =
        Restore { objects, limits, owner, scanned_at: cache.scanned_at, began, place, usage: Usage::default() };
    let root = walk.directory(directory.fd.as_fd(), key, cache.root, 0)?;
    Ok(ScanCache::of(root))
}

struct Restore<'a> {
    objects: &'a Objects,
    limits: &'a TreeLimits,
    owner: Option<Owner>,
    scanned_at: Option<Time>,
    began: Time,
    place: Place,
    usage: Usage,
}

impl Restore<'_> {
    fn directory(
        &mut self,
        dir: BorrowedFd<'_>,
        key: &ContentKey,
        known: DirectoryNode,
        depth: u64,
    ) -> Result<DirectoryNode, TreeError> {
        let manifest = self.manifest(key)?;
        sys::make_writable(dir).map_err(|e| self.place.io("opening", e))?;
        self.remove_strangers(dir, &manifest)?;

        let mut known = known.children.into_iter().peekable();
        let mut children = Vec::with_capacity(manifest.entries.len());
        for entry in manifest.entries {
            let Entry { name, kind } = entry;
            let name = CString::new(name).expect("checked when the manifest was decoded");
            while known.next_if(|child| child.name < name).is_some() {}
            let old = known.next_if(|child| child.name == name).map_or(Node::New, |child| child.node);
            let node = self.entry(dir, &name, kind, old, key, depth + 1)?;
            children.push(Child { name, node });
        }

        // Last, because every change inside moves the time.
        self.own(dir).map_err(|e| self.place.io("giving to its owner", e))?;
        set_meta(dir, manifest.mode, manifest.mtime).map_err(|e| self.place.io("setting mode and time of", e))?;
        let stamp = Stamp::of(&rustix::fs::fstat(dir).map_err(|e| self.place.io("looking at", e))?);
        Ok(DirectoryNode { stamp: Some(stamp), key: Some(*key), meta: Some((manifest.mode, manifest.mtime)), children })
    }

    fn manifest(&self, key: &ContentKey) -> Result<Manifest, TreeError> {
        let bytes = self.objects.get_blocking(key).map_err(|source| self.object(source))?;
        Manifest::decode(&bytes).map_err(|problem| TreeError::Manifest { key: *key, path: self.place.full(), problem })
    }

    fn object(&self, source: gg_common::objects::ObjectError) -> TreeError {
        TreeError::Object { action: "restored", path: self.place.full(), source }
    }

    fn remove_strangers(&self, dir: BorrowedFd<'_>, manifest: &Manifest) -> Result<(), TreeError> {
        for name in sys::list(dir).map_err(|e| self.place.io("listing", e))? {
            let wanted = manifest.entries.binary_search_by(|entry| entry.name.as_slice().cmp(name.to_bytes()));
            if wanted.is_err() {
                self.remove(dir, &name)?;
            }
        }
        Ok(())
    }

    fn remove(&self, dir: BorrowedFd<'_>, name: &CStr) -> Result<(), TreeError> {
        remove_entry(dir, name).map_err(|e| self.place.io_child("removing", name, e))
    }

    fn entry(
        &mut self,
        dir: BorrowedFd<'_>,
        name: &CStr,
        kind: EntryKind,
        old: Node,
        parent: &ContentKey,
        depth: u64,
    ) -> Result<Node, TreeError> {
        self.usage.entries += 1;
        match &kind {
            EntryKind::File { size, .. } => self.usage.add_file(*size, 0),
            EntryKind::Directory { .. } => self.usage.depth = self.usage.depth.max(depth),
            EntryKind::Link { .. } => {}
        }
        self.limits.check(&self.usage)?;
        let stat = match sys::stat_at(dir, name) {
            Ok(stat) => Some(stat),
            Err(Errno::NOENT) => None,
            Err(e) => return Err(self.place.io_child("looking at", name, e)),
        };
        let mark = self.place.enter(name);
        let node = match kind {
            EntryKind::Directory { digest } => {
                let key = ContentKey::from_bytes(digest);
                self.subdirectory(dir, name, stat, &key, old, depth).map(|node| Node::Directory(Box::new(node)))
            }
            EntryKind::Link { mtime, target } => self.link(dir, name, stat, mtime, target).map(Node::Link),
            EntryKind::File { mode, mtime, size, digest } => {
                let digest = ContentKey::from_bytes(digest);
                let wanted = FileNode { stamp: None, mode, mtime, size, digest };
                self.file(dir, name, stat, wanted, old, parent).map(Node::File)
            }
        };
        self.place.leave(mark);
        node
    }

    fn subdirectory(
        &mut self,
        dir: BorrowedFd<'_>,
        name: &CStr,
        stat: Option<Stat>,
        key: &ContentKey,
        old: Node,
        depth: u64,
    ) -> Result<DirectoryNode, TreeError> {
        if stat.is_none_or(|stat| Stamp::of(&stat).kind() != FileType::Directory) {
            if stat.is_some() {
                remove_entry(dir, name).map_err(|e| self.place.io("removing", e))?;
            }
            rustix::fs::mkdirat(dir, name, Mode::RWXU).map_err(|e| self.place.io("making", e))?;
        }
        let mut directory = sys::open_directory(dir, name).map_err(|e| self.place.io("opening", e))?;
        if let Some(loosened) = directory.loosened.take() {
            loosened.keep();
        }
        let known = match old {
            Node::Directory(known) => *known,
            _ => DirectoryNode::default(),
        };
        self.directory(directory.fd.as_fd(), key, known, depth)
    }

    fn link(
        &self,
        dir: BorrowedFd<'_>,
        name: &CStr,
        stat: Option<Stat>,
        mtime: Time,
        target: Vec<u8>,
    ) -> Result<LinkNode, TreeError> {
        let io = |action| move |e: Errno| self.place.io(action, e);
        let same = rustix::fs::readlinkat(dir, name, Vec::new()).is_ok_and(|now| now.to_bytes() == target);
        if !same {
            if stat.is_some() {
                remove_entry(dir, name).map_err(io("removing"))?;
            }
            rustix::fs::symlinkat(target.as_slice(), dir, name).map_err(io("making the link"))?;
        }
        if let Some(Owner { uid, gid }) = self.owner {
            let (uid, gid) = (Some(Uid::from_raw(uid)), Some(Gid::from_raw(gid)));
            rustix::fs::chownat(dir, name, uid, gid, AtFlags::SYMLINK_NOFOLLOW).map_err(io("giving to its owner"))?;
        }
        rustix::fs::utimensat(dir, name, &sys::timestamps(mtime), AtFlags::SYMLINK_NOFOLLOW)
            .map_err(io("setting the time of"))?;
        let stamp = Stamp::of(&sys::stat_at(dir, name).map_err(io("looking at"))?);
        Ok(LinkNode { stamp, target })
    }

    fn file(
        &self,
        dir: BorrowedFd<'_>,
        name: &CStr,
        stat: Option<Stat>,
        wanted: FileNode,
        old: Node,
        parent: &ContentKey,
    ) -> Result<FileNode, TreeError> {
        if let Some(stat) = stat {
            if let Some(kept) = self.keep(dir, name, &stat, &wanted, old)? {
                return Ok(kept);
            }
            remove_entry(dir, name).map_err(|e| self.place.io("removing", e))?;
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd =
            rustix::fs::openat(dir, name, flags, Mode::RUSR | Mode::WUSR).map_err(|e| self.place.io("making", e))?;
        let mut file = File::from(fd);
        if let Err(error) = self.fill(&mut file, &wanted, parent) {
            // Nothing half-written or unverified stays under the name.
            let _ = rustix::fs::unlinkat(dir, name, AtFlags::empty());
            return Err(error);
        }
        let stamp = self.finish(file.as_fd(), &wanted)?;
        Ok(FileNode { stamp: Some(stamp), ..wanted })
    }

    /// Leaves a file that has the right contents where it is, and sets the rest right. None where it must be written.
    fn keep(
        &self,
        dir: BorrowedFd<'_>,
        name: &CStr,
        stat: &Stat,
        wanted: &FileNode,
        old: Node,
    ) -> Result<Option<FileNode>, TreeError> {
        let stamp = Stamp::of(stat);
        // A file with a second name would change with it.
        if stamp.kind() != FileType::RegularFile || stamp.size != wanted.size || stat.st_nlink != 1 {
            return Ok(None);
        }
        let known = match old {
            Node::File(file) if file.stamp.is_some_and(|known| is_unchanged(&known, &stamp, self.scanned_at)) => {
                Some(file.digest)
            }
            _ => None,
        };
        let owned = self.owner.is_none_or(|owner| (stat.st_uid, stat.st_gid) == (owner.uid, owner.gid));
        let right = stamp.mode & 0o7777 == u32::from(wanted.mode) && stamp.mtime == wanted.mtime && owned;
        if known == Some(wanted.digest) && right {
            return Ok(Some(FileNode { stamp: Some(stamp), ..*wanted }));
        }
        let (fd, opened, loosened) = sys::open_file(dir, name).map_err(|e| self.place.io("opening", e))?;
        let mut file = File::from(fd);
        let digest = match known {
            Some(digest) if opened == stamp => digest,
            _ => content::digest(&mut file).map_err(|e| self.place.io("reading", e))?,
        };
        if digest != wanted.digest {
            return Ok(None);
        }
        let untouched = right && opened == stamp && loosened.is_none();
        if let Some(loosened) = loosened {
            loosened.keep();
        }
        let after = if untouched { opened } else { self.finish(file.as_fd(), wanted)? };
        // It was read while it might still have changed within the tick: believed only if it had been left alone.
        let sure = known.is_some() || is_settled(&stamp, self.began);
        Ok(Some(FileNode { stamp: sure.then_some(after), ..*wanted }))
    }

    fn fill(&self, file: &mut File, wanted: &FileNode, parent: &ContentKey) -> Result<(), TreeError> {
        let found = if wanted.size <= WHOLE_BYTES {
            let bytes = self.objects.get_blocking(&wanted.digest).map_err(|source| self.object(source))?;
            file.write_all(&bytes).map_err(|e| self.place.io("writing", e))?;
            bytes.len() as u64
        } else {
            self.objects.get_stream_blocking(&wanted.digest, file).map_err(|e| match e {
                StreamError::Object(source) => self.object(source),
                StreamError::Write(e) | StreamError::Read(e) => self.place.io("writing", e),
                e => self.place.io("writing", std::io::Error::other(e)),
            })?
        };
        if found == wanted.size {
            return Ok(());
        }
        let name = self.place.relative().to_string_lossy().into_owned();
        let problem = ManifestProblem::Length { name, expected: wanted.size, found };
        Err(TreeError::Manifest { key: *parent, path: self.place.full(), problem })
    }

    fn finish(&self, file: BorrowedFd<'_>, wanted: &FileNode) -> Result<Stamp, TreeError> {
        self.own(file).map_err(|e| self.place.io("giving to its owner", e))?;
        set_meta(file, wanted.mode, wanted.mtime).map_err(|e| self.place.io("setting mode and time of", e))?;
        Ok(Stamp::of(&rustix::fs::fstat(file).map_err(|e| self.place.io("looking at", e))?))
    }

    fn own(&self, fd: BorrowedFd<'_>) -> rustix::io::Result<()> {
        let Some(Owner { uid, gid }) = self.owner else { return Ok(()) };
        rustix::fs::fchown(fd, Some(Uid::from_raw(uid)), Some(Gid::from_raw(gid)))
    }
}

/// The mode after the owner, because giving a file away clears bits of it; the time last.
fn set_meta(fd: BorrowedFd<'_>, mode: u16, mtime: Time) -> rustix::io::Result<()> {
    rustix::fs::fchmod(fd, Mode::from_raw_mode(u32::from(mode)))?;
    rustix::fs::futimens(fd, &sys::timestamps(mtime))
}
