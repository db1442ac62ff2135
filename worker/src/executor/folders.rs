//! Where a program's files are.

use gg_common::profile::TreeAccess;
use std::path::PathBuf;

/// Where the program's files are, from the executor's point of view.
#[derive(Debug, Clone)]
pub struct Folders {
    /// The tree.
    pub work: PathBuf,
    /// How it is opened.
    pub access: TreeAccess,
    /// The private temporary folder.
    pub temp: PathBuf,
    /// Whether the temporary folder is a file system of its own, with its own bound.
    pub temp_is_bounded: bool,
}
