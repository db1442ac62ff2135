//! Moving files between an agent's workspace and the tree of a long-lived compiler. Either side may have been written by a
//! hostile process, and one may be writing still: names are relative to open folders, no link is followed anywhere, only
//! regular files move, and their bytes and number are bounded.

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path};

/// Deeper than any toolchain nests what it makes.
const DEPTH: usize = 64;

/// What may be moved still.
#[derive(Debug)]
pub(super) struct Room {
    pub bytes: u64,
    pub entries: u64,
}

impl Room {
    fn entry(&mut self) -> io::Result<()> {
        self.entries = self.entries.checked_sub(1).ok_or_else(|| too_much("files and folders"))?;
        Ok(())
    }

    fn bytes(&mut self, count: u64) -> io::Result<()> {
        self.bytes = self.bytes.checked_sub(count).ok_or_else(|| too_much("bytes"))?;
        Ok(())
    }
}

fn too_much(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("there are more {what} than are moved"))
}

/// Whether what was to be moved was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Yes,
    No,
}

/// An open folder.
#[derive(Debug)]
pub(super) struct Folder(OwnedFd);

/// What is done where a folder is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    Make,
    Fail,
}

impl Folder {
    /// Opens a folder of the worker's own.
    pub(super) fn open(path: &Path) -> io::Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Folder(rustix::fs::open(path, flags, Mode::empty())?))
    }

    fn enter(&self, name: &OsStr, missing: Missing) -> io::Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::openat(&self.0, name, flags, Mode::empty()) {
            Err(Errno::NOENT) if missing == Missing::Make => {
                rustix::fs::mkdirat(&self.0, name, Mode::from_raw_mode(0o755))?;
                let folder = Folder(rustix::fs::openat(&self.0, name, flags, Mode::empty())?);
                // Whatever the worker's own mask is.
                rustix::fs::fchmod(&folder.0, Mode::from_raw_mode(0o755))?;
                Ok(folder)
            }
            Err(Errno::LOOP | Errno::NOTDIR) => Err(no_file(name)),
            opened => Ok(Folder(opened?)),
        }
    }

    /// The folder that holds what the path names, and its name there.
    fn parent_of(&self, path: &Path, missing: Missing) -> io::Result<(Folder, OsString)> {
        let mut names = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(name) => names.push(name),
                Component::CurDir => {}
                _ => return Err(io::Error::other(format!("{} leads out of its folder", path.display()))),
            }
        }
        let Some(last) = names.pop() else {
            return Err(io::Error::other(format!("{} names nothing", path.display())));
        };
        let mut at = Folder(self.0.try_clone()?);
        for name in names {
            at = at.enter(name, missing)?;
        }
        Ok((at, last.to_owned()))
    }

    /// A regular file of it; none where there is nothing of the name.
    fn file(&self, name: &OsStr) -> io::Result<Option<File>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(&self.0, name, flags, Mode::empty()) {
            Ok(fd) => File::from(fd),
            Err(Errno::NOENT) => return Ok(None),
            // A link, or a socket.
            Err(Errno::LOOP | Errno::NXIO) => return Err(no_file(name)),
            Err(error) => return Err(error.into()),
        };
        if file.metadata()?.is_file() { Ok(Some(file)) } else { Err(no_file(name)) }
    }

    /// A new file, in place of whatever file or link is there.
    fn create(&self, name: &OsStr, executable: bool) -> io::Result<File> {
        match rustix::fs::unlinkat(&self.0, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(if executable { 0o755 } else { 0o644 });
        let fd = rustix::fs::openat(&self.0, name, flags, mode)?;
        rustix::fs::fchmod(&fd, mode)?;
        Ok(File::from(fd))
    }
}

fn no_file(name: &OsStr) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{} is no regular file, nor a folder of those", name.display()))
}

/// Writes a new file.
pub(super) fn write(to: &Folder, path: &Path, bytes: &[u8], room: &mut Room) -> io::Result<()> {
    room.entry()?;
    room.bytes(bytes.len() as u64)?;
    let (folder, name) = to.parent_of(path, Missing::Make)?;
    folder.create(&name, false)?.write_all(bytes)
}

/// Copies one file.
pub(super) fn copy_file(
    (from, path): (&Folder, &Path),
    (to, target): (&Folder, &Path),
    room: &mut Room,
) -> io::Result<Found> {
    let found = from.parent_of(path, Missing::Fail).and_then(|(folder, name)| folder.file(&name));
    let file = match found {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(Found::No),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::No),
        Err(error) => return Err(error),
    };
    let (folder, name) = to.parent_of(target, Missing::Make)?;
    copy(file, &folder, &name, room)?;
    Ok(Found::Yes)
}

/// Copies a folder with all that is in it into another, which is made where it is missing.
pub(super) fn copy_tree(
    (from, path): (&Folder, &Path),
    (to, target): (&Folder, &Path),
    room: &mut Room,
) -> io::Result<Found> {
    let opened = from.parent_of(path, Missing::Fail).and_then(|(folder, name)| folder.enter(&name, Missing::Fail));
    let source = match opened {
        Ok(folder) => folder,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::No),
        Err(error) => return Err(error),
    };
    let (folder, name) = to.parent_of(target, Missing::Make)?;
    room.entry()?;
    copy_entries(&source, &folder.enter(&name, Missing::Make)?, room, 0)?;
    Ok(Found::Yes)
}

fn copy_entries(from: &Folder, to: &Folder, room: &mut Room, depth: usize) -> io::Result<()> {
    if depth >= DEPTH {
        return Err(too_much("folders within folders"));
    }
    let mut names = Vec::new();
    for entry in rustix::fs::Dir::read_from(&from.0)? {
        let name = entry?.file_name().to_bytes().to_vec();
        if name != b"." && name != b".." {
            room.entry()?;
            names.push(OsString::from_vec(name));
        }
    }
    for name in names {
        let kind = match rustix::fs::statat(&from.0, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => FileType::from_raw_mode(stat.st_mode),
            // It went away meanwhile.
            Err(Errno::NOENT) => continue,
            Err(error) => return Err(error.into()),
        };
        if kind == FileType::Directory {
            let inner = from.enter(&name, Missing::Fail)?;
            copy_entries(&inner, &to.enter(&name, Missing::Make)?, room, depth + 1)?;
        } else if let Some(file) = from.file(&name)? {
            copy(file, to, &name, room)?;
        }
    }
    Ok(())
}

fn copy(file: File, to: &Folder, name: &OsStr, room: &mut Room) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    room.entry()?;
    let executable = file.metadata()?.permissions().mode() & 0o111 != 0;
    let mut target = to.create(name, executable)?;
    // It may grow while it is read.
    let copied = io::copy(&mut file.take(room.bytes.saturating_add(1)), &mut target)?;
    room.bytes(copied)
}

impl AsFd for Folder {
    fn as_fd(&self) -> rustix::fd::BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn room() -> Room {
        Room { bytes: 100, entries: 20 }
    }

    /// Two folders, and what they lie in.
    fn ground() -> (tempfile::TempDir, Folder, Folder) {
        let top = tempfile::tempdir().expect("tempdir");
        for name in ["from", "to"] {
            std::fs::create_dir(top.path().join(name)).expect("folder");
        }
        let open = |name: &str| Folder::open(&top.path().join(name)).expect("open");
        let (from, to) = (open("from"), open("to"));
        (top, from, to)
    }

    #[test]
    fn files_and_trees_are_copied_with_their_right_to_run() {
        let (top, from, to) = ground();
        write(&from, Path::new("a/b/c.txt"), b"text", &mut room()).expect("write");
        std::fs::write(top.path().join("from/a/run"), "#!").expect("write");
        std::fs::set_permissions(top.path().join("from/a/run"), std::os::unix::fs::PermissionsExt::from_mode(0o700))
            .expect("mode");
        std::fs::write(top.path().join("to/old"), "old").expect("write");
        let file = copy_file((&from, Path::new("a/b/c.txt")), (&to, Path::new("old")), &mut room());
        assert_eq!(file.expect("copied"), Found::Yes);
        assert_eq!(std::fs::read(top.path().join("to/old")).expect("read"), b"text", "in place of what was there");
        copy_tree((&from, Path::new("a")), (&to, Path::new("x/y")), &mut room()).expect("copied");
        assert_eq!(std::fs::read(top.path().join("to/x/y/b/c.txt")).expect("read"), b"text");
        let mode = |name: &str| {
            use std::os::unix::fs::PermissionsExt;
            std::fs::metadata(top.path().join(name)).expect("there").permissions().mode() & 0o777
        };
        assert_eq!((mode("to/x/y/run"), mode("to/x/y/b/c.txt"), mode("to/x/y/b")), (0o755, 0o644, 0o755));
        for missing in ["none", "none/none"] {
            let none = copy_file((&from, Path::new(missing)), (&to, Path::new("n")), &mut room()).expect("fine");
            let no_tree = copy_tree((&from, Path::new(missing)), (&to, Path::new("n")), &mut room()).expect("fine");
            assert_eq!((none, no_tree), (Found::No, Found::No));
        }
        assert!(!top.path().join("to/n").exists());
    }

    #[test]
    fn no_link_is_followed_on_either_side_and_nothing_else_than_files_moves() {
        let (top, from, to) = ground();
        let outside = top.path().join("outside");
        std::fs::create_dir(&outside).expect("folder");
        std::fs::write(outside.join("secret"), "secret").expect("write");
        symlink(outside.join("secret"), top.path().join("from/link")).expect("link");
        symlink(&outside, top.path().join("from/folder")).expect("link");
        std::fs::create_dir(top.path().join("from/tree")).expect("folder");
        symlink(outside.join("secret"), top.path().join("from/tree/link")).expect("link");
        for path in ["link", "folder/secret", "folder", "tree"] {
            let file = copy_file((&from, Path::new(path)), (&to, Path::new("out")), &mut room());
            assert!(file.is_err(), "{path}: {file:?}");
            let tree = copy_tree((&from, Path::new(path)), (&to, Path::new("out")), &mut room());
            assert!(tree.is_err(), "{path}: {tree:?}");
        }
        rustix::fs::mknodat(&from, "fifo", FileType::Fifo, Mode::RWXU, 0).expect("fifo");
        assert!(copy_file((&from, Path::new("fifo")), (&to, Path::new("out")), &mut room()).is_err());

        std::fs::write(top.path().join("from/file"), "file").expect("write");
        symlink(&outside, top.path().join("to/folder")).expect("link");
        symlink(outside.join("secret"), top.path().join("to/link")).expect("link");
        let through = copy_file((&from, Path::new("file")), (&to, Path::new("folder/secret")), &mut room());
        assert!(through.is_err(), "{through:?}");
        copy_file((&from, Path::new("file")), (&to, Path::new("link")), &mut room()).expect("in its place");
        assert_eq!(std::fs::read(outside.join("secret")).expect("read"), b"secret");
        for path in ["../outside/secret", "/etc/passwd", "", "."] {
            assert!(copy_file((&from, Path::new(path)), (&to, Path::new("out")), &mut room()).is_err(), "{path}");
        }
    }

    #[test]
    fn bytes_entries_and_depth_are_bounded() {
        let (top, from, to) = ground();
        std::fs::write(top.path().join("from/long"), [b'x'; 101]).expect("write");
        let error = copy_file((&from, Path::new("long")), (&to, Path::new("out")), &mut room()).expect_err("long");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(write(&to, Path::new("w"), &[0; 101], &mut room()).is_err());
        for number in 0..21 {
            std::fs::create_dir_all(top.path().join(format!("from/many/{number}"))).expect("folder");
        }
        let many = copy_tree((&from, Path::new("many")), (&to, Path::new("many")), &mut room());
        assert_eq!(many.expect_err("many").kind(), io::ErrorKind::FileTooLarge);
        std::fs::create_dir_all(top.path().join("from/deep").join("d/".repeat(DEPTH + 1))).expect("folder");
        let mut wide = Room { bytes: 0, entries: 1_000 };
        let deep = copy_tree((&from, Path::new("deep")), (&to, Path::new("deep")), &mut wide);
        assert!(deep.expect_err("deep").to_string().contains("folders within folders"));
    }
}
