//! The paths that programs give.

use super::problem::FileProblem;
use std::fmt;
use std::path::Path;

/// A path relative to the tree. It is as the program gave it, `..` included: the kernel resolves that, because what `..`
/// means depends on the symlinks before it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TreePath(String);

impl TreePath {
    /// The tree itself.
    pub fn root() -> TreePath {
        TreePath(".".to_owned())
    }

    /// Of a file that was found in the tree. A name that is no UTF-8 comes out changed: it is for showing, not opening.
    pub(super) fn from_walk(path: &Path) -> TreePath {
        TreePath(path.to_string_lossy().into_owned())
    }

    /// For `cap-std`.
    pub fn as_path(&self) -> &Path {
        Path::new(&self.0)
    }

    /// For messages and results.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads a path: relative to the tree, or beginning with `/work`, which means the same. Other absolute paths, and those
/// that begin by leaving, lead outside.
pub fn tree_path(given: &str) -> Result<TreePath, FileProblem> {
    if given.is_empty() {
        return Err(FileProblem::EmptyPath);
    }
    if given.contains('\0') {
        return Err(FileProblem::NulInPath(given.to_owned()));
    }
    let outside = || FileProblem::Outside(given.to_owned());
    let mut components = given.split('/').filter(|c| !matches!(*c, "" | ".")).peekable();
    if given.starts_with('/') && components.next() != Some("work") {
        return Err(outside());
    }
    if components.peek() == Some(&"..") {
        return Err(outside());
    }
    let mut path = components.collect::<Vec<_>>().join("/");
    if path.len() > 4095 || path.split('/').any(|name| name.len() > 255) {
        return Err(FileProblem::TooLong(given.to_owned()));
    }
    if path.is_empty() {
        return Ok(TreePath::root());
    }
    if given.ends_with('/') {
        // Whoever writes it means a directory, and the kernel holds them to it.
        path.push('/');
    }
    Ok(TreePath(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_and_those_below_work_mean_the_same() {
        for (given, meant) in [
            ("a", "a"),
            ("./a//b", "a/b"),
            ("/work/a", "a"),
            ("//work//./a", "a"),
            ("/work", "."),
            ("/work/", "."),
            (".", "."),
            ("./", "."),
            ("work/a", "work/a"),
            ("a/../b", "a/../b"),
            ("a/", "a/"),
            ("a..b/...", "a..b/..."),
            (" ", " "),
        ] {
            assert_eq!(tree_path(given).map(|p| p.to_string()), Ok(meant.to_owned()), "{given}");
        }
    }

    #[test]
    fn what_leads_outside_is_refused_with_a_sentence() {
        for given in ["/", "/etc/passwd", "..", "../x", "./../x", "/work/..", "/work/../etc", "/workspace/a", "/proc"] {
            assert_eq!(tree_path(given), Err(FileProblem::Outside(given.to_owned())), "{given}");
        }
        assert_eq!(tree_path(""), Err(FileProblem::EmptyPath));
        assert_eq!(tree_path("a\0b"), Err(FileProblem::NulInPath("a\0b".to_owned())));
        let long = "x".repeat(256);
        assert_eq!(tree_path(&long), Err(FileProblem::TooLong(long.clone())));
        assert!(tree_path(&long[..255]).is_ok());
        let message = tree_path("/etc/passwd").expect_err("refused").to_string();
        assert_eq!(
            message,
            "`/etc/passwd` leads outside the work tree: give a path within it, relative or beginning with /work"
        );
    }
}
