//! What a toolchain shares between all preparations: inputs too big to unpack for each. The one exception to the private
//! tree, under one discipline: the key folds in everything that could change the bytes, everything is placed by a rename,
//! and what was placed is read-only from then on.
//!
//! Whoever places something holds the key's lock, so that of two processes one places and the other finds it placed. A
//! maker that died left a folder under a name of its own, which the next one clears.

use gg_common::content::ContentKey;
use rustix::fs::{FlockOperation, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

/// Where what is not placed yet lies, within the key's folder.
const STAGED: &str = ".staged";
/// Who places something holds this.
const LOCK: &str = ".lock";

/// The directory of one key.
#[derive(Debug, Clone)]
pub struct SharedDir {
    folder: PathBuf,
}

impl SharedDir {
    pub(super) fn open(shared: &Path, key: &ContentKey) -> io::Result<SharedDir> {
        let folder = shared.join(key.to_string());
        DirBuilder::new().recursive(true).mode(0o755).create(&folder)?;
        Ok(SharedDir { folder })
    }

    /// All of it, for a compiler to read.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Something that was placed, where it was.
    pub fn placed(&self, name: &str) -> io::Result<Option<PathBuf>> {
        let path = self.named(name)?;
        Ok(path.symlink_metadata().is_ok().then_some(path))
    }

    /// Places a file and gives its path. One that is there must have these bytes.
    pub fn place(&self, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        self.put(name, |staged| {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o644).open(staged)?;
            file.write_all(bytes)
        })
    }

    /// Places a folder that `make` fills, and gives its path. One that is there must hold the same: ask [`Self::placed`]
    /// first where making it takes long.
    pub fn place_tree(&self, name: &str, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<PathBuf> {
        self.put(name, |staged| {
            DirBuilder::new().mode(0o755).create(staged)?;
            make(staged)
        })
    }

    fn put(&self, name: &str, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<PathBuf> {
        let place = self.named(name)?;
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(self.folder.join(LOCK))?;
        rustix::fs::flock(&lock, FlockOperation::LockExclusive)?;
        // Within the same folder: what is read-only can be renamed there, and nowhere else.
        let staged = self.folder.join(STAGED);
        remove(&staged)?;
        let done = make(&staged).and_then(|()| seal(&staged)).and_then(|()| self.settle(&staged, &place));
        if done.is_err() {
            let _ = remove(&staged);
        }
        drop(lock);
        done.map(|()| place)
    }

    fn settle(&self, staged: &Path, place: &Path) -> io::Result<()> {
        // Nothing of it may be missing once its name is there.
        sync(&self.folder)?;
        match rustix::fs::renameat_with(rustix::fs::CWD, staged, rustix::fs::CWD, place, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(()),
            Err(Errno::EXIST) if digest(staged)? == digest(place)? => remove(staged),
            Err(Errno::EXIST) => Err(io::Error::other(format!(
                "{} holds other bytes than those to be placed there: its key leaves out something that changes them, or \
                 it was damaged; remove {} where no worker runs, and mend the key",
                place.display(),
                self.folder.display()
            ))),
            Err(error) => Err(error.into()),
        }
    }

    fn named(&self, name: &str) -> io::Result<PathBuf> {
        let mut components = Path::new(name).components();
        match (components.next(), components.next()) {
            (Some(Component::Normal(only)), None) if !only.as_bytes().starts_with(b".") => Ok(self.folder.join(only)),
            _ => Err(io::Error::other(format!("{name:?} is no name for a shared file"))),
        }
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::open(folder, flags, Mode::empty())?;
    Ok(rustix::fs::syncfs(folder)?)
}

/// Each entry of a tree, the tree itself first, in an order of its own.
fn walk(path: &Path, visit: &mut impl FnMut(&Path, &std::fs::Metadata) -> io::Result<()>) -> io::Result<()> {
    let metadata = path.symlink_metadata()?;
    visit(path, &metadata)?;
    if metadata.is_dir() {
        let mut entries = std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        for entry in entries {
            walk(&entry, visit)?;
        }
    }
    Ok(())
}

/// Takes every right to write. Links stay within the tree, and nothing else than those, folders and files is placed.
fn seal(path: &Path) -> io::Result<()> {
    walk(path, &mut |entry, metadata| {
        if metadata.is_symlink() {
            let target = std::fs::read_link(entry)?;
            let depth = entry.strip_prefix(path).map_or(0, |inside| inside.components().count());
            return if stays(&target, depth) { Ok(()) } else { Err(misplaced(entry, "a link that leads out")) };
        }
        if !metadata.is_dir() && !metadata.is_file() {
            return Err(misplaced(entry, "neither file, folder nor link"));
        }
        let runs = metadata.is_dir() || metadata.permissions().mode() & 0o111 != 0;
        std::fs::set_permissions(entry, Permissions::from_mode(if runs { 0o555 } else { 0o444 }))
    })
}

fn misplaced(path: &Path, what: &str) -> io::Error {
    io::Error::other(format!("{} cannot be shared: it is {what}", path.display()))
}

/// Whether a link's target, from an entry so deep in the tree, stays in it.
fn stays(target: &Path, depth: usize) -> bool {
    let mut at = depth.saturating_sub(1);
    target.components().all(|component| match component {
        Component::Normal(_) => {
            at += 1;
            true
        }
        Component::CurDir => true,
        Component::ParentDir if at > 0 => {
            at -= 1;
            true
        }
        _ => false,
    })
}

/// A digest of names, kinds, rights to run, and bytes.
fn digest(path: &Path) -> io::Result<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    walk(path, &mut |entry, metadata| {
        let name = entry.strip_prefix(path).unwrap_or(entry).as_os_str().as_bytes();
        let mut part = |kind: u8, length: u64| {
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name);
            hasher.update(&[kind]);
            hasher.update(&length.to_le_bytes());
        };
        if metadata.is_dir() {
            part(b'd', 0);
        } else if metadata.is_symlink() {
            let target = std::fs::read_link(entry)?;
            part(b'l', target.as_os_str().len() as u64);
            hasher.update(target.as_os_str().as_bytes());
        } else {
            part(if metadata.permissions().mode() & 0o111 == 0 { b'f' } else { b'x' }, metadata.len());
            let mut file = File::open(entry)?;
            let mut buffer = [0; 64 * 1024];
            loop {
                match file.read(&mut buffer)? {
                    0 => break,
                    count => hasher.update(&buffer[..count]),
                };
            }
        }
        Ok(())
    })?;
    Ok(*hasher.finalize().as_bytes())
}

fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(metadata) if !metadata.is_dir() => return std::fs::remove_file(path),
        Ok(_) => {}
    }
    crate::home::tree::remove_contents(path).map_err(io::Error::other)?;
    std::fs::remove_dir(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn shared() -> (tempfile::TempDir, SharedDir) {
        let top = tempfile::tempdir().expect("tempdir");
        let dir = SharedDir::open(top.path(), &ContentKey::of(b"key")).expect("open");
        (top, dir)
    }

    fn mode(path: &Path) -> u32 {
        std::fs::symlink_metadata(path).expect("there").permissions().mode() & 0o777
    }

    #[test]
    fn what_is_placed_is_sealed_and_placing_the_same_again_is_nothing() {
        let (_top, dir) = shared();
        assert_eq!(dir.placed("driver.jar").expect("look"), None);
        let file = dir.place("driver.jar", b"jar").expect("placed");
        assert_eq!((std::fs::read(&file).expect("read"), mode(&file)), (b"jar".to_vec(), 0o444));
        assert_eq!(dir.place("driver.jar", b"jar").expect("the same"), file);
        assert_eq!(dir.placed("driver.jar").expect("look"), Some(file));
        let make = |at: &Path| {
            std::fs::create_dir(at.join("bin"))?;
            std::fs::write(at.join("bin/run"), "#!")?;
            std::fs::set_permissions(at.join("bin/run"), Permissions::from_mode(0o700))?;
            std::os::unix::fs::symlink("bin/run", at.join("run"))
        };
        let tree = dir.place_tree("tree", make).expect("placed");
        assert_eq!([mode(&tree), mode(&tree.join("bin")), mode(&tree.join("bin/run"))], [0o555; 3]);
        assert_eq!(std::fs::read(tree.join("run")).expect("the link leads"), b"#!");
        dir.place_tree("tree", make).expect("the same");
        let left: Vec<_> = std::fs::read_dir(dir.path()).expect("list").flatten().map(|e| e.file_name()).collect();
        assert_eq!(left.len(), 3, "the file, the tree and the lock: {left:?}");
    }

    #[test]
    fn other_bytes_under_one_key_are_refused_and_change_nothing() {
        let (_top, dir) = shared();
        dir.place("file", b"one").expect("placed");
        let error = dir.place("file", b"two").expect_err("other bytes").to_string();
        assert!(error.contains("holds other bytes") && error.contains("mend the key"), "{error}");
        assert_eq!(std::fs::read(dir.path().join("file")).expect("read"), b"one");
        dir.place_tree("tree", |at| std::fs::write(at.join("a"), "1")).expect("placed");
        for other in [("a", "2"), ("b", "1")] {
            dir.place_tree("tree", |at| std::fs::write(at.join(other.0), other.1)).expect_err("other bytes");
        }
        dir.place("tree", b"1").expect_err("a file in place of a folder");
        assert_eq!(std::fs::read(dir.path().join("tree/a")).expect("read"), b"1");
    }

    #[test]
    fn what_is_half_made_is_never_seen_and_is_cleared_by_the_next() {
        let (_top, dir) = shared();
        let failed = dir.place_tree("tree", |at| {
            std::fs::write(at.join("a"), "1")?;
            assert_eq!(dir.placed("tree").expect("look"), None);
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.is_err() && dir.placed("tree").expect("look").is_none());
        // As if a maker had been killed.
        let staged = dir.path().join(STAGED);
        std::fs::create_dir(&staged).expect("mkdir");
        std::fs::write(staged.join("left"), "behind").expect("write");
        std::fs::set_permissions(&staged, Permissions::from_mode(0o555)).expect("mode");
        let tree = dir.place_tree("tree", |at| std::fs::write(at.join("a"), "1")).expect("placed");
        assert!(!tree.join("left").exists() && !staged.exists());
    }

    #[test]
    fn links_that_lead_out_and_names_that_do_are_refused() {
        let (_top, dir) = shared();
        for target in ["/etc/passwd", "../outside", "in/../../outside"] {
            let link = |at: &Path| std::os::unix::fs::symlink(target, at.join("link"));
            let error = dir.place_tree("tree", link).expect_err(target).to_string();
            assert!(error.contains("leads out"), "{error}");
        }
        for name in ["", ".", "..", "a/b", "/a", ".staged", ".lock"] {
            assert!(dir.place(name, b"").is_err(), "{name}");
        }
        assert!(stays(Path::new("../a"), 2) && !stays(Path::new("../../a"), 2));
    }

    #[test]
    fn of_many_who_place_at_once_all_find_the_same() {
        let (top, dir) = shared();
        let (together, made) = (Barrier::new(8), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let dir = SharedDir::open(top.path(), &ContentKey::of(b"key")).expect("open");
                    together.wait();
                    for number in 0..10 {
                        let tree = dir.place_tree(&format!("tree-{number}"), |at| {
                            made.fetch_add(1, Ordering::Relaxed);
                            (0..10).try_for_each(|file| std::fs::write(at.join(file.to_string()), [b'x'; 1000]))
                        });
                        let tree = tree.expect("placed");
                        assert_eq!(std::fs::read_dir(tree).expect("list").count(), 10, "whole");
                    }
                });
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 80);
        assert_eq!(std::fs::read_dir(dir.path()).expect("list").count(), 11);
    }
}
