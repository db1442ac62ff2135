//! Writing a whole file.
//!
//! The contents go into a new file beside the old one, which then takes its name: a reader sees the old file or the new
//! one, and a full disk leaves the old one as it was. The old file's mode stays; its further hard links, if it has any,
//! keep the old contents. A file that its mode protects from being written is not replaced.
//!
//! Contents that fit the blocks that a small file has already are written into it: they need no room, so a full disk
//! cannot stop them half-way, nothing else runs in the tree while a call is served, and making and removing an inode is
//! most of what a small write costs.

use super::open::special_name;
use super::path::TreePath;
use super::problem::FileProblem;
use cap_std::fs::{Dir, File, Metadata, MetadataExt, OpenOptions, OpenOptionsExt, Permissions, PermissionsExt};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// As many symlinks as the kernel follows.
const LINKS: usize = 40;

/// Writes `contents` as the whole file at `path`, making the directories above it, and gives the number of bytes. A
/// symlink that stays inside the tree is written through, to what it leads to.
pub fn write_file(dir: &Dir, path: &TreePath, contents: &[u8]) -> Result<u64, FileProblem> {
    let failed = |error: io::Error| FileProblem::from_io("writing", path.as_str(), &error);
    if path.as_str().ends_with('/') {
        return Err(FileProblem::IsADirectory(path.to_string()));
    }
    let mut at = path.as_path().to_owned();
    for followed in 0..=LINKS {
        let Some(name) = at.file_name() else { return Err(FileProblem::IsADirectory(path.to_string())) };
        let parent_path = at.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if followed == 0 {
            match dir.create_dir_all(parent_path) {
                // That is whatever is in the way: opening it says what.
                Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(FileProblem::from_io("making the directories of", path.as_str(), &e));
                }
                _ => {}
            }
        }
        let parent = dir.open_dir(parent_path).map_err(failed)?;
        let old = match parent.symlink_metadata(name) {
            Ok(old) => old,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return replace(&parent, name, contents, None).map_err(failed);
            }
            Err(e) => return Err(failed(e)),
        };
        let kind = old.file_type();
        if kind.is_file() {
            let file = open_old(&parent, name).map_err(failed)?;
            if fits_in_place(&file.metadata().map_err(failed)?, contents.len()) {
                return overwrite(&file.into_std(), contents).map_err(failed);
            }
            let mode = old.permissions().mode() & 0o777;
            return replace(&parent, name, contents, Some(mode)).map_err(failed);
        } else if kind.is_dir() {
            return Err(FileProblem::IsADirectory(path.to_string()));
        } else if !kind.is_symlink() {
            return Err(FileProblem::NotRegular { path: path.to_string(), kind: special_name(kind) });
        }
        at = through(parent_path, &parent.read_link_contents(name).map_err(failed)?)
            .ok_or_else(|| FileProblem::Outside(path.to_string()))?;
    }
    Err(FileProblem::Loop(path.to_string()))
}

/// Where a link leads, relative to the tree; none if that cannot be within it.
fn through(parent: &Path, target: &Path) -> Option<PathBuf> {
    target.is_relative().then(|| parent.join(target))
}

/// Opens the old file for writing without changing it; the kernel says whether that is allowed.
fn open_old(parent: &Dir, name: &OsStr) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW | libc::O_NOCTTY);
    parent.open_with(name, &options)
}

/// The longest contents that are written into the old file. A write of this length is not interrupted.
const IN_PLACE_BYTES: usize = 64 << 10;

/// Whether the file has blocks for all of the contents, and no other name that would show them.
fn fits_in_place(old: &Metadata, length: usize) -> bool {
    let allocated = old.blocks().saturating_mul(512);
    let whole = allocated >= old.len();
    old.is_file() && old.nlink() == 1 && whole && length <= IN_PLACE_BYTES && length as u64 <= allocated
}

fn overwrite(file: &std::fs::File, contents: &[u8]) -> io::Result<u64> {
    file.write_all_at(contents, 0)?;
    file.set_len(contents.len() as u64)?;
    Ok(contents.len() as u64)
}

fn replace(parent: &Dir, name: &OsStr, contents: &[u8], mode: Option<u32>) -> io::Result<u64> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let temporary = format!(".gg-write-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let mut file = parent.open_with(&temporary, OpenOptions::new().write(true).create_new(true))?;
    let written = file
        .write_all(contents)
        .and_then(|()| mode.map_or(Ok(()), |mode| file.set_permissions(Permissions::from_mode(mode))))
        .and_then(|()| parent.rename(&temporary, parent, name));
    if written.is_err() {
        // The first error is the one to report.
        let _ = parent.remove_file(&temporary);
    }
    written.map(|()| contents.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::super::path::tree_path;
    use super::*;
    use cap_std::ambient_authority;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn tree() -> (tempfile::TempDir, PathBuf, Dir) {
        let folder = tempfile::tempdir().expect("tempdir");
        let root = folder.path().join("tree");
        fs::create_dir(&root).expect("dir");
        let dir = Dir::open_ambient_dir(&root, ambient_authority()).expect("dir");
        (folder, root, dir)
    }

    fn write(dir: &Dir, path: &str, contents: &str) -> Result<u64, FileProblem> {
        write_file(dir, &tree_path(path)?, contents.as_bytes())
    }

    #[test]
    fn files_are_made_and_replaced_with_their_mode() {
        let (_folder, root, dir) = tree();
        assert_eq!(write(&dir, "a/b/c.txt", "one"), Ok(3));
        dir.set_permissions("a/b/c.txt", Permissions::from_mode(0o751)).expect("mode");
        assert_eq!(write(&dir, "/work/a/b/c.txt", "two!"), Ok(4));
        assert_eq!(fs::read_to_string(root.join("a/b/c.txt")).expect("read"), "two!");
        assert_eq!(dir.metadata("a/b/c.txt").expect("metadata").permissions().mode() & 0o777, 0o751);
        assert_eq!(fs::read_dir(root.join("a/b")).expect("list").count(), 1, "nothing is left over");
    }

    #[test]
    fn what_fits_its_blocks_is_written_in_place_and_further_names_keep_the_old_contents() {
        use std::os::unix::fs::MetadataExt;
        let (_folder, root, dir) = tree();
        let inode = |name: &str| fs::metadata(root.join(name)).expect("metadata").ino();
        fs::write(root.join("a"), "a longer beginning").expect("file");
        // The blocks are given when the contents reach the device.
        fs::File::open(root.join("a")).and_then(|file| file.sync_all()).expect("sync");
        let before = inode("a");
        assert_eq!(write(&dir, "a", "short"), Ok(5));
        assert_eq!(fs::read_to_string(root.join("a")).expect("read"), "short");
        assert_eq!(inode("a"), before, "the same file");
        let long = "x".repeat(100_000);
        assert_eq!(write(&dir, "a", &long), Ok(100_000));
        assert_eq!(fs::read_to_string(root.join("a")).expect("read"), long);
        assert_eq!(write(&dir, "a", "one"), Ok(3));
        fs::hard_link(root.join("a"), root.join("b")).expect("link");
        assert_eq!(write(&dir, "a", "two"), Ok(3));
        let read = |name: &str| fs::read_to_string(root.join(name)).expect("read");
        assert_eq!((read("a"), read("b")), ("two".to_owned(), "one".to_owned()));
        // A hole takes room when it is written, and then the disk may be full.
        fs::File::create(root.join("sparse")).and_then(|file| file.set_len(4_096)).expect("sparse");
        let before = inode("sparse");
        assert_eq!(write(&dir, "sparse", "filled"), Ok(6));
        assert_ne!(inode("sparse"), before, "replaced");
    }

    #[test]
    fn links_inside_are_written_through_and_those_that_leave_are_not() {
        let (folder, root, dir) = tree();
        fs::write(folder.path().join("secret"), "outside").expect("file");
        fs::create_dir(root.join("dir")).expect("dir");
        symlink("dir/new", root.join("inner")).expect("link");
        symlink("../inner", root.join("dir/twice")).expect("link");
        symlink("../secret", root.join("leaves")).expect("link");
        symlink("..", root.join("parent")).expect("link");
        symlink(folder.path().join("secret"), root.join("absolute")).expect("link");
        symlink("loop", root.join("loop")).expect("link");
        assert_eq!(write(&dir, "dir/twice", "x"), Ok(1));
        assert_eq!(fs::read_to_string(root.join("dir/new")).expect("made"), "x");
        assert!(fs::symlink_metadata(root.join("inner")).expect("still").is_symlink());
        for path in ["leaves", "parent/secret", "parent/made", "absolute", "dir/../../secret"] {
            assert_eq!(write(&dir, path, "x"), Err(FileProblem::Outside(path.to_owned())), "{path}");
        }
        assert_eq!(write(&dir, "loop", "x"), Err(FileProblem::Loop("loop".to_owned())));
        assert_eq!(fs::read_to_string(folder.path().join("secret")).expect("untouched"), "outside");
        assert_eq!(fs::read_dir(folder.path()).expect("list").count(), 2, "nothing was made outside");
    }

    #[test]
    fn what_is_no_file_is_left_alone() {
        let (_folder, root, dir) = tree();
        fs::create_dir(root.join("dir")).expect("dir");
        fs::write(root.join("file"), "x").expect("file");
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, root.join("fifo"), fifo, rustix::fs::Mode::RWXU, 0).expect("fifo");
        let message = |path| write(&dir, path, "x").expect_err("refused").to_string();
        assert_eq!(message("dir"), "`dir` is a directory, not a file");
        assert_eq!(message("dir/"), "`dir/` is a directory, not a file");
        assert_eq!(message("."), "`.` is a directory, not a file");
        assert_eq!(message("dir/.."), "`dir/..` is a directory, not a file");
        assert_eq!(message("fifo"), "`fifo` is a FIFO, not a regular file: it is not opened");
        assert_eq!(message("file/x"), "`file/x` leads through something that is no directory");
        dir.set_permissions("file", Permissions::from_mode(0o444)).expect("mode");
        if !rustix::process::geteuid().is_root() {
            assert_eq!(write(&dir, "file", "y"), Err(FileProblem::Permission("file".to_owned())));
        }
    }

    #[test]
    fn a_full_disk_leaves_the_old_file() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let (_folder, root, _) = tree();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                use rustix::mount::{MountFlags, MountPropagationFlags};
                // SAFETY: the thread gives up sharing its root and mounts, and touches nothing of other threads.
                unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWNS) }.expect("namespace");
                let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
                rustix::mount::mount_change("/", private).expect("private");
                rustix::mount::mount("tmpfs", &root, "tmpfs", MountFlags::empty(), Some(c"size=64k")).expect("tmpfs");
                let dir = Dir::open_ambient_dir(&root, ambient_authority()).expect("dir");
                assert_eq!(write(&dir, "file", "old"), Ok(3));
                let problem = write(&dir, "file", &"x".repeat(1 << 20)).expect_err("full");
                assert_eq!(problem, FileProblem::DiskFull("file".to_owned()));
                assert_eq!(fs::read_to_string(root.join("file")).expect("read"), "old");
                assert_eq!(fs::read_dir(&root).expect("list").count(), 1, "nothing is left over");
            });
        });
    }
}
