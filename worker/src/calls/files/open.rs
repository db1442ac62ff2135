//! Opening a file of the tree for reading.

use super::near::near_paths;
use super::path::TreePath;
use super::problem::FileProblem;
use super::window::WindowError;
use cap_std::fs::{Dir, FileType, FileTypeExt, OpenOptions, OpenOptionsExt};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A regular file of the tree, open for reading from its beginning.
#[derive(Debug)]
pub struct Opened {
    /// The file.
    pub file: File,
    /// Its length when it was opened. It may grow: read with a bound.
    pub length: u64,
}

/// Opens a regular file. Symlinks that stay inside the tree are followed. It never waits, whatever is there.
pub fn open_regular(dir: &Dir, path: &TreePath) -> Result<Opened, FileProblem> {
    open_regular_at(dir, path.as_path()).map_err(|problem| match problem {
        FileProblem::NotFound { path: text, .. } if dir.symlink_metadata(path.as_path()).is_ok() => {
            FileProblem::Dangling(text)
        }
        FileProblem::NotFound { path: text, .. } => {
            FileProblem::NotFound { path: text, near: near_paths(dir, path.as_path()) }
        }
        problem => problem,
    })
}

/// The same by any path, without names that may have been meant.
pub(super) fn open_regular_at(dir: &Dir, path: &Path) -> Result<Opened, FileProblem> {
    let shown = path.to_string_lossy();
    let failed = |error: std::io::Error| FileProblem::from_io("opening", &shown, &error);
    // Looked at first, so that a FIFO is not opened at all; checked again, because it may be another file by then.
    check_regular(&shown, dir.metadata(path).map_err(failed)?.file_type())?;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    let file = dir.open_with(path, &options).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    check_regular(&shown, metadata.file_type())?;
    Ok(Opened { file: file.into_std(), length: metadata.len() })
}

fn check_regular(path: &str, kind: FileType) -> Result<(), FileProblem> {
    if kind.is_file() {
        return Ok(());
    }
    if kind.is_dir() {
        return Err(FileProblem::IsADirectory(path.to_owned()));
    }
    Err(FileProblem::NotRegular { path: path.to_owned(), kind: special_name(kind) })
}

/// What something is that is no file, directory or link.
pub(super) fn special_name(kind: FileType) -> &'static str {
    if kind.is_fifo() {
        "FIFO"
    } else if kind.is_socket() {
        "socket"
    } else {
        "device"
    }
}

/// All of a file that has at most `limit` bytes. The bound holds
/// even where the file grows while it is read.
pub fn read_bounded(opened: Opened, path: &TreePath, limit: u64) -> Result<Vec<u8>, FileProblem> {
    let too_large = |size| FileProblem::TooLarge { path: path.to_string(), size, limit };
    if opened.length > limit {
        return Err(too_large(opened.length));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(opened.length).unwrap_or(0));
    opened
        .file
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|e| FileProblem::from_io("reading", path.as_str(), &e))?;
    if bytes.len() as u64 > limit { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}

/// Bytes that must be text.
pub fn into_text(bytes: Vec<u8>, path: &TreePath) -> Result<String, FileProblem> {
    String::from_utf8(bytes)
        .map_err(|e| FileProblem::NotText { path: path.to_string(), offset: e.utf8_error().valid_up_to() as u64 })
}

/// What a window that could not be read means for the call.
pub fn window_problem(error: WindowError, path: &TreePath) -> FileProblem {
    match error {
        WindowError::NotText(offset) => FileProblem::NotText { path: path.to_string(), offset },
        WindowError::Io(error) => FileProblem::from_io("reading", path.as_str(), &error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::path::tree_path;
    use super::super::problem::ProblemCode;
    use super::*;
    use cap_std::ambient_authority;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn tree() -> (tempfile::TempDir, Dir) {
        let folder = tempfile::tempdir().expect("tempdir");
        let root = folder.path().join("tree");
        fs::create_dir_all(root.join("dir")).expect("dirs");
        fs::write(root.join("dir/file.txt"), "inside").expect("file");
        fs::write(folder.path().join("secret"), "outside").expect("file");
        let dir = Dir::open_ambient_dir(&root, ambient_authority()).expect("dir");
        (folder, dir)
    }

    fn read(dir: &Dir, path: &str) -> Result<String, FileProblem> {
        let path = tree_path(path)?;
        into_text(read_bounded(open_regular(dir, &path)?, &path, 10)?, &path)
    }

    #[test]
    fn links_inside_are_followed_and_those_that_leave_are_not() {
        let (folder, dir) = tree();
        let root = folder.path().join("tree");
        symlink("dir/file.txt", root.join("inner")).expect("link");
        symlink("../dir", root.join("dir/up")).expect("link");
        symlink("../secret", root.join("leaves")).expect("link");
        symlink("..", root.join("parent")).expect("link");
        symlink(folder.path().join("secret"), root.join("absolute")).expect("link");
        symlink("loop", root.join("loop")).expect("link");
        symlink("nowhere", root.join("dangling")).expect("link");
        assert_eq!(read(&dir, "dangling"), Err(FileProblem::Dangling("dangling".to_owned())));
        for path in ["inner", "dir/file.txt", "dir/../inner", "dir/up/file.txt", "/work/inner"] {
            assert_eq!(read(&dir, path), Ok("inside".to_owned()), "{path}");
        }
        for path in ["leaves", "parent/secret", "absolute", "dir/../../secret", "dir/up/../../secret"] {
            assert_eq!(read(&dir, path), Err(FileProblem::Outside(path.to_owned())), "{path}");
        }
        assert_eq!(read(&dir, "loop"), Err(FileProblem::Loop("loop".to_owned())));
    }

    #[test]
    fn what_is_no_file_is_said_without_waiting() {
        let (folder, dir) = tree();
        let root = folder.path().join("tree");
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, root.join("fifo"), fifo, rustix::fs::Mode::RWXU, 0).expect("fifo");
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).expect("socket");
        let message = |path| read(&dir, path).expect_err("refused").to_string();
        assert_eq!(message("fifo"), "`fifo` is a FIFO, not a regular file: it is not opened");
        assert_eq!(message("socket"), "`socket` is a socket, not a regular file: it is not opened");
        assert_eq!(message("dir"), "`dir` is a directory, not a file");
        assert_eq!(message("dir/file.txt/x"), "`dir/file.txt/x` leads through something that is no directory");
        assert_eq!(message("dir/flie.txt"), "there is no `dir/flie.txt`; did you mean `dir/file.txt`?");
        assert_eq!(read(&dir, "nothing").expect_err("refused").code(), ProblemCode::NotFound);
        assert_eq!(message("dir/file.txt/"), "`dir/file.txt/` leads through something that is no directory");
    }

    #[test]
    fn size_and_text_are_checked() {
        let (folder, dir) = tree();
        let root = folder.path().join("tree");
        fs::write(root.join("ten"), "0123456789").expect("file");
        fs::write(root.join("eleven"), "0123456789a").expect("file");
        fs::write(root.join("bytes"), b"abc\xff").expect("file");
        assert!(read(&dir, "ten").is_ok());
        let problem = read(&dir, "eleven").expect_err("refused");
        assert_eq!(problem.code(), ProblemCode::LimitExceeded);
        assert!(
            problem.to_string().contains("more than the 10 of a file that is edited (limit readBytes)"),
            "{problem}"
        );
        let path = tree_path("eleven").expect("path");
        let grown = Opened { length: 10, ..open_regular(&dir, &path).expect("open") };
        assert!(matches!(read_bounded(grown, &path, 10), Err(FileProblem::TooLarge { size: 11, .. })));
        assert!(matches!(read(&dir, "bytes"), Err(FileProblem::NotText { offset: 3, .. })));
    }
}
