//! Listing a directory.

use super::path::TreePath;
use super::problem::FileProblem;
use cap_std::fs::Dir;
use std::io;

/// What an entry is. A symlink is what it leads to, as far as that is in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A link that leads nowhere or out of the tree, a FIFO, a socket, a device.
    Other,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name; bytes that are no UTF-8 are replaced.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// The entries of a directory, by name.
pub fn list_dir(dir: &Dir, path: &TreePath) -> Result<Vec<Listed>, FileProblem> {
    let failed = |e: io::Error| match FileProblem::from_io("listing", path.as_str(), &e) {
        FileProblem::NotFound { path: text, .. } => {
            FileProblem::NotFound { path: text, near: super::near::near_paths(dir, path.as_path()) }
        }
        problem => problem,
    };
    let mut listed = Vec::new();
    for entry in dir.read_dir(path.as_path()).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        let kind = if kind.is_symlink() {
            dir.metadata(path.as_path().join(entry.file_name())).ok().map(|metadata| metadata.file_type())
        } else {
            Some(kind)
        };
        let kind = match kind {
            Some(kind) if kind.is_file() => Kind::File,
            Some(kind) if kind.is_dir() => Kind::Directory,
            _ => Kind::Other,
        };
        listed.push(Listed { name: entry.file_name().to_string_lossy().into_owned(), kind });
    }
    listed.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::super::path::tree_path;
    use super::*;
    use cap_std::ambient_authority;
    use std::os::unix::fs::symlink;

    #[test]
    fn entries_come_by_name_with_what_they_are_and_an_empty_directory_is_empty() {
        let folder = tempfile::tempdir().expect("tempdir");
        std::fs::write(folder.path().join("b"), b"").expect("write");
        std::fs::create_dir(folder.path().join("a")).expect("mkdir");
        symlink("a", folder.path().join("c")).expect("symlink");
        symlink("/etc", folder.path().join("d")).expect("symlink");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            folder.path().join("e"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .expect("fifo");
        let dir = Dir::open_ambient_dir(folder.path(), ambient_authority()).expect("open");
        let listed = list_dir(&dir, &TreePath::root()).expect("list");
        let shown: Vec<(&str, Kind)> = listed.iter().map(|l| (l.name.as_str(), l.kind)).collect();
        let expected =
            [("a", Kind::Directory), ("b", Kind::File), ("c", Kind::Directory), ("d", Kind::Other), ("e", Kind::Other)];
        assert_eq!(shown, expected);
        assert_eq!(list_dir(&dir, &tree_path("a").expect("path")).expect("empty"), []);
        assert!(matches!(list_dir(&dir, &tree_path("x").expect("path")), Err(FileProblem::NotFound { .. })));
        assert!(matches!(list_dir(&dir, &tree_path("b").expect("path")), Err(FileProblem::NotADirectory(_))));
    }
}
