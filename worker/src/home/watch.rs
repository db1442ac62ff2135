//! Holds the limits on a tree while a command runs in it.

use super::disk;
use super::tree::{TreeError, TreeLimits, usage};
use crate::confine::{LimitReached, Watch, nameless_files};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// Holds the limits on a tree while a command runs in it.
#[derive(Debug)]
pub struct TreeWatch {
    /// The tree.
    pub tree: PathBuf,
    /// A folder on the same disk.
    pub scratch: PathBuf,
    /// What the tree may hold.
    pub limits: TreeLimits,
}

impl Watch for TreeWatch {
    fn check(&mut self, processes: &[libc::pid_t]) -> Option<LimitReached> {
        // A tree that cannot be looked into, which a command may have closed, still takes room on its disk.
        let mut found = usage(&self.tree, &self.limits).unwrap_or_default();
        if let Ok(tree) = std::fs::metadata(&self.tree) {
            for (size, blocks) in nameless_files(processes, tree.dev()) {
                found.add_nameless_file(size, blocks);
            }
        }
        found.disk_free = std::fs::File::open(&self.scratch).and_then(disk::free).ok();
        match self.limits.check(&found) {
            Err(TreeError::Limit { name, limit, .. }) => Some(LimitReached { name: name.to_owned(), bound: limit }),
            _ => None,
        }
    }
}
