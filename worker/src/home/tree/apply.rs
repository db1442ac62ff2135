//! Bringing a person's folder from one tree to another. Only what differs between the two is touched: what is not kept in
//! trees (FIFOs, sockets, set-user-id bits), and what somebody else did in the folder meanwhile, stays as it is. A file is
//! written beside the old one and takes its name, so that a full disk leaves the old one.

use super::error::{ManifestProblem, TreeError};
use super::manifest::{Entry, EntryKind, Manifest};
use super::place::Place;
use super::sys;
use gg_common::content::ContentKey;
use gg_common::objects::{Objects, StreamError};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, Mode, OFlags, Uid};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Changes in `folder` what differs between the tree that it was and the tree that it is to be.
pub fn apply(before: &ContentKey, after: &ContentKey, objects: &Objects, folder: &Path) -> Result<(), TreeError> {
    if before == after {
        return Ok(());
    }
    let mut applying = Applying { objects, place: Place::new(folder) };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let root = rustix::fs::open(folder, flags, Mode::empty()).map_err(|e| applying.place.io("opening", e))?;
    let (before, after) = (applying.manifest(before)?, applying.manifest(after)?);
    applying.directory(root.as_fd(), &before, &after)
}

struct Applying<'a> {
    objects: &'a Objects,
    place: Place,
}

fn c_name(entry: &Entry) -> CString {
    // A manifest's names were checked: they hold no NUL.
    CString::new(entry.name.as_slice()).unwrap_or_default()
}

fn temporary() -> CString {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = format!(".gg-apply-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    CString::new(name).unwrap_or_default()
}

impl Applying<'_> {
    fn manifest(&self, key: &ContentKey) -> Result<Manifest, TreeError> {
        let path = || self.place.full();
        let bytes = self.objects.get_blocking(key).map_err(|source| TreeError::Object {
            action: "restored",
            path: path(),
            source,
        })?;
        Manifest::decode(&bytes).map_err(|problem| TreeError::Manifest { key: *key, path: path(), problem })
    }

    fn directory(&mut self, dir: BorrowedFd<'_>, before: &Manifest, after: &Manifest) -> Result<(), TreeError> {
        let mut old: BTreeMap<&[u8], &Entry> = before.entries.iter().map(|e| (e.name.as_slice(), e)).collect();
        for entry in &after.entries {
            let old = old.remove(entry.name.as_slice());
            if old.is_some_and(|old| old.kind == entry.kind) {
                continue;
            }
            self.entry(dir, old, entry)?;
        }
        for gone in old.into_values() {
            self.remove(dir, gone)?;
        }
        if before.mode != after.mode {
            let mode = Mode::from_raw_mode(u32::from(after.mode));
            rustix::fs::fchmod(dir, mode).map_err(|e| self.place.io("setting the mode of", e))?;
        }
        Ok(())
    }

    fn entry(&mut self, dir: BorrowedFd<'_>, old: Option<&Entry>, new: &Entry) -> Result<(), TreeError> {
        let name = c_name(new);
        let was_directory = |entry: &Entry| matches!(entry.kind, EntryKind::Directory { .. });
        if let Some(old) = old
            && was_directory(old) != was_directory(new)
        {
            self.remove(dir, old)?;
        }
        match &new.kind {
            EntryKind::Directory { digest } => {
                let after = self.manifest(&ContentKey::from_bytes(*digest))?;
                let before = match old.map(|old| &old.kind) {
                    Some(EntryKind::Directory { digest }) => self.manifest(&ContentKey::from_bytes(*digest))?,
                    _ => self.make(dir, &name, &after)?,
                };
                let inner = self.open(dir, &name)?;
                let mark = self.place.enter(&name);
                self.directory(inner.as_fd(), &before, &after)?;
                self.place.leave(mark);
                Ok(())
            }
            EntryKind::Link { target, .. } => {
                let beside = temporary();
                rustix::fs::symlinkat(target.as_slice(), dir, &beside)
                    .and_then(|()| rustix::fs::renameat(dir, &beside, dir, &name))
                    .map_err(|e| self.place.io_child("making the link", &name, e))
            }
            EntryKind::File { .. } => self.file(dir, &name, new),
        }
    }

    /// Makes a directory, and gives it as it is: empty.
    fn make(&self, dir: BorrowedFd<'_>, name: &CStr, after: &Manifest) -> Result<Manifest, TreeError> {
        match rustix::fs::mkdirat(dir, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => Ok(Manifest { mode: 0o700, mtime: after.mtime, entries: Vec::new() }),
            Err(e) => Err(self.place.io_child("making", name, e)),
        }
    }

    fn open(&self, dir: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, TreeError> {
        sys::open_directory_as_it_is(dir, name).map_err(|e| self.place.io_child("opening", name, e))
    }

    fn file(&self, dir: BorrowedFd<'_>, name: &CStr, new: &Entry) -> Result<(), TreeError> {
        let EntryKind::File { mode, mtime, size, digest } = &new.kind else { return Ok(()) };
        let beside = temporary();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let written = (|| {
            let io = |e: Errno| self.place.io_child("writing", name, e);
            let fd = rustix::fs::openat(dir, &beside, flags, Mode::RUSR | Mode::WUSR).map_err(io)?;
            let mut file = File::from(fd);
            self.fill(&mut file, name, &ContentKey::from_bytes(*digest), *size)?;
            if let Ok(old) = sys::stat_at(dir, name) {
                // Whose it was it stays, where this user may give files away.
                let (uid, gid) = (Uid::from_raw(old.st_uid), rustix::fs::Gid::from_raw(old.st_gid));
                let _ = rustix::fs::fchown(&file, Some(uid), Some(gid));
            }
            rustix::fs::fchmod(&file, Mode::from_raw_mode(u32::from(*mode))).map_err(io)?;
            rustix::fs::futimens(&file, &sys::timestamps(*mtime)).map_err(io)?;
            rustix::fs::renameat(dir, &beside, dir, name).map_err(io)
        })();
        if written.is_err() {
            // The first error is the one to report.
            let _ = rustix::fs::unlinkat(dir, &beside, AtFlags::empty());
        }
        written
    }

    fn fill(&self, file: &mut File, name: &CStr, digest: &ContentKey, size: u64) -> Result<(), TreeError> {
        let path = || self.place.child(name);
        let found = self.objects.get_stream_blocking(digest, file).map_err(|e| match e {
            StreamError::Object(source) => TreeError::Object { action: "restored", path: path(), source },
            StreamError::Write(e) | StreamError::Read(e) => self.place.io_child("writing", name, e),
            e => self.place.io_child("writing", name, std::io::Error::other(e)),
        })?;
        if found == size {
            return Ok(());
        }
        let problem = ManifestProblem::Length { name: name.to_string_lossy().into_owned(), expected: size, found };
        Err(TreeError::Manifest { key: *digest, path: path(), problem })
    }

    /// Removes what a tree knew by this name. A directory in which somebody else's files are stays with them.
    fn remove(&mut self, dir: BorrowedFd<'_>, old: &Entry) -> Result<(), TreeError> {
        let name = c_name(old);
        let EntryKind::Directory { digest } = &old.kind else {
            return match rustix::fs::unlinkat(dir, &name, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => Ok(()),
                Err(e) => Err(self.place.io_child("removing", &name, e)),
            };
        };
        let known = self.manifest(&ContentKey::from_bytes(*digest))?;
        let inner = match sys::open_directory_as_it_is(dir, name.as_c_str()) {
            Ok(inner) => inner,
            Err(Errno::NOENT) => return Ok(()),
            Err(e) => return Err(self.place.io_child("opening", &name, e)),
        };
        let mark = self.place.enter(&name);
        for entry in &known.entries {
            self.remove(inner.as_fd(), entry)?;
        }
        self.place.leave(mark);
        match rustix::fs::unlinkat(dir, &name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY) => Ok(()),
            Err(e) => Err(self.place.io_child("removing", &name, e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ScanCache, TreeLimits, snapshot};
    use super::*;
    use gg_common::objects::Durability;
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::path::PathBuf;

    struct Bench {
        folder: tempfile::TempDir,
        objects: Objects,
    }

    impl Bench {
        fn new() -> Bench {
            let folder = tempfile::tempdir().expect("tempdir");
            let objects = Objects::in_folder(&folder.path().join("objects"), Durability::Cached).expect("objects");
            Bench { folder, objects }
        }

        fn dir(&self, name: &str) -> PathBuf {
            let path = self.folder.path().join(name);
            fs::create_dir_all(&path).expect("dir");
            path
        }

        fn key(&self, root: &Path) -> ContentKey {
            snapshot(root, &self.objects, &TreeLimits::UNBOUNDED, &mut ScanCache::new()).expect("snapshot").key
        }
    }

    fn fill(root: &Path) {
        for (path, text) in
            [("a", "a"), ("b", "b"), ("dir/c", "c"), ("dir/deep/d", "d"), ("gone/e", "e"), ("turns", "f")]
        {
            fs::create_dir_all(root.join(path).parent().expect("parent")).expect("dirs");
            fs::write(root.join(path), text).expect("file");
        }
        symlink("a", root.join("link")).expect("link");
    }

    #[test]
    fn what_differs_is_changed_and_all_else_is_left() {
        let bench = Bench::new();
        let (folder, copy) = (bench.dir("folder"), bench.dir("copy"));
        fill(&folder);
        fill(&copy);
        let before = bench.key(&folder);
        // What the program did, on its copy.
        fs::write(copy.join("a"), "changed").expect("file");
        fs::set_permissions(copy.join("a"), PermissionsExt::from_mode(0o640)).expect("mode");
        fs::remove_dir_all(copy.join("gone")).expect("removed");
        fs::remove_file(copy.join("turns")).expect("removed");
        fs::create_dir(copy.join("turns")).expect("dir");
        fs::write(copy.join("turns/new"), "new").expect("file");
        fs::remove_file(copy.join("link")).expect("removed");
        symlink("/nowhere", copy.join("link")).expect("link");
        fs::write(copy.join("dir/deep/d"), "deep").expect("file");
        // The copy's other entries have times of their own, as an import's do not.
        for path in ["b", "dir/c"] {
            let times = fs::metadata(folder.join(path)).expect("metadata").modified().expect("time");
            fs::File::options().write(true).open(copy.join(path)).and_then(|f| f.set_modified(times)).expect("times");
        }
        let after = bench.key(&copy);
        // What somebody did in the folder meanwhile, and what no tree keeps.
        fs::write(folder.join("b"), "edited meanwhile").expect("file");
        fs::write(folder.join("mine"), "made meanwhile").expect("file");
        fs::write(folder.join("gone/kept"), "made meanwhile").expect("file");
        fs::set_permissions(folder.join("dir/c"), PermissionsExt::from_mode(0o4755)).expect("mode");
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, folder.join("fifo"), fifo, Mode::RWXU, 0).expect("fifo");
        let inode = fs::metadata(folder.join("dir/c")).expect("metadata").ino();

        apply(&before, &after, &bench.objects, &folder).expect("applied");
        let read = |path: &str| fs::read_to_string(folder.join(path)).expect("read");
        assert_eq!(
            (read("a").as_str(), read("turns/new").as_str(), read("dir/deep/d").as_str()),
            ("changed", "new", "deep")
        );
        assert_eq!(fs::metadata(folder.join("a")).expect("metadata").mode() & 0o777, 0o640);
        assert_eq!(fs::read_link(folder.join("link")).expect("link"), Path::new("/nowhere"));
        assert_eq!((read("b").as_str(), read("mine").as_str()), ("edited meanwhile", "made meanwhile"));
        assert!(!folder.join("gone/e").exists() && folder.join("gone/kept").exists());
        let untouched = fs::metadata(folder.join("dir/c")).expect("metadata");
        assert_eq!((untouched.ino(), untouched.mode() & 0o7777), (inode, 0o4755));
        assert!(fs::symlink_metadata(folder.join("fifo")).is_ok());
        let left: Vec<_> = fs::read_dir(&folder).expect("list").flatten().map(|e| e.file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".gg-apply")), "{left:?}");
        apply(&after, &after, &bench.objects, &folder).expect("nothing to do");
    }

    #[test]
    fn nothing_is_written_through_a_link_that_took_a_folders_place() {
        let bench = Bench::new();
        let (folder, copy, outside) = (bench.dir("folder"), bench.dir("copy"), bench.dir("outside"));
        fill(&folder);
        fill(&copy);
        let before = bench.key(&folder);
        fs::write(copy.join("dir/c"), "changed").expect("file");
        let after = bench.key(&copy);
        fs::rename(folder.join("dir"), folder.join("moved")).expect("moved");
        symlink(&outside, folder.join("dir")).expect("link");
        let error = apply(&before, &after, &bench.objects, &folder).expect_err("refused").to_string();
        assert!(error.contains("opening") && error.contains("dir"), "{error}");
        assert_eq!(fs::read_dir(&outside).expect("list").count(), 0);
    }
}
