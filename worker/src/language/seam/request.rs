//! What a long-lived compiler is asked: words that it understands, the files that it is shown, and where what it makes
//! goes. It has no rights in an agent's workspace, so files are staged into its own tree and moved back.

use super::staging::{self, Folder, Room};
use super::workspace::{OUTPUT, WORK};
use std::io;
use std::path::{Path, PathBuf};

/// What may be staged, and what may be moved back: in bytes.
const BYTES: u64 = 512 << 20;
/// The same in files and folders.
const ENTRIES: u64 = 20_000;

/// What a long-lived compiler is asked. It runs in a folder where it finds what is staged, by the names given here, and
/// puts what it makes into `../out`.
#[derive(Debug, Clone, Default)]
pub struct Request {
    body: Vec<u8>,
    staged: Vec<Staged>,
    made: Vec<Made>,
}

#[derive(Debug, Clone)]
struct Staged {
    name: PathBuf,
    from: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Bytes(Vec<u8>),
    /// Of the agent's workspace.
    File(PathBuf),
    Tree(PathBuf),
}

/// What comes of it, and where that goes in the agent's workspace.
#[derive(Debug, Clone)]
struct Made {
    name: PathBuf,
    to: PathBuf,
    shape: Shape,
}

#[derive(Debug, Clone, Copy)]
enum Shape {
    File,
    Tree,
}

impl Request {
    /// A request in words that the compiler understands.
    pub fn new(body: impl Into<Vec<u8>>) -> Request {
        Request { body: body.into(), ..Request::default() }
    }

    /// Stages a file with these bytes.
    pub fn bytes(mut self, name: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Request {
        self.staged.push(Staged { name: name.into(), from: Source::Bytes(bytes.into()) });
        self
    }

    /// Stages a file of the agent's workspace.
    pub fn file(mut self, name: impl Into<PathBuf>, path: impl Into<PathBuf>) -> Request {
        self.staged.push(Staged { name: name.into(), from: Source::File(path.into()) });
        self
    }

    /// Stages a folder of the agent's workspace, with all that is in it.
    pub fn tree(mut self, name: impl Into<PathBuf>, path: impl Into<PathBuf>) -> Request {
        self.staged.push(Staged { name: name.into(), from: Source::Tree(path.into()) });
        self
    }

    /// Moves a file of `../out`, where it made one, to a place in the agent's workspace, whatever file is there.
    pub fn makes_file(mut self, name: impl Into<PathBuf>, to: impl Into<PathBuf>) -> Request {
        self.made.push(Made { name: name.into(), to: to.into(), shape: Shape::File });
        self
    }

    /// Moves the files of a folder of `../out`, where it made one, to a folder in the agent's workspace.
    pub fn makes_tree(mut self, name: impl Into<PathBuf>, to: impl Into<PathBuf>) -> Request {
        self.made.push(Made { name: name.into(), to: to.into(), shape: Shape::Tree });
        self
    }

    pub(super) fn body(&self) -> &[u8] {
        &self.body
    }

    /// Puts the files into the compiler's tree. Without a workspace there is nothing to stage from but bytes.
    pub(super) fn stage(&self, tree: &Path, workspace: Option<&Path>) -> io::Result<()> {
        let mut room = Room { bytes: BYTES, entries: ENTRIES };
        let work = Folder::open(&tree.join(WORK))?;
        for Staged { name, from } in &self.staged {
            let copied = match from {
                Source::Bytes(bytes) => staging::write(&work, name, bytes, &mut room),
                Source::File(path) | Source::Tree(path) => {
                    let (root, relative) = within(workspace, path)?;
                    let copy = if matches!(from, Source::File(_)) { staging::copy_file } else { staging::copy_tree };
                    copy((&root, relative), (&work, name), &mut room).and_then(|found| match found {
                        staging::Found::Yes => Ok(()),
                        staging::Found::No => Err(io::ErrorKind::NotFound.into()),
                    })
                }
            };
            copied.map_err(|error| at("staging", name, &error))?;
        }
        Ok(())
    }

    /// Brings what was made into the workspace. That there is nothing is no error: the compiler's answer says why.
    pub(super) fn bring(&self, tree: &Path, workspace: Option<&Path>) -> io::Result<()> {
        let Some(_) = workspace else { return Ok(()) };
        let mut room = Room { bytes: BYTES, entries: ENTRIES };
        let output = Folder::open(&tree.join(OUTPUT))?;
        for Made { name, to, shape } in &self.made {
            let (root, relative) = within(workspace, to)?;
            let copy = match shape {
                Shape::File => staging::copy_file,
                Shape::Tree => staging::copy_tree,
            };
            copy((&output, name), (&root, relative), &mut room).map_err(|error| at("moving back", name, &error))?;
        }
        Ok(())
    }
}

fn at(action: &str, name: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{action} {}: {error}", name.display()))
}

/// The folder of the workspace's four that a path lies in, and the path there: their parent is not the agent's.
fn within<'p>(workspace: Option<&Path>, path: &'p Path) -> io::Result<(Folder, &'p Path)> {
    let outside = || io::Error::other(format!("{} does not lie in the compile workspace", path.display()));
    let root = workspace.ok_or_else(outside)?;
    Ok((Folder::open(root)?, path.strip_prefix(root).map_err(|_| outside())?))
}
