//! What a tree may hold, and what one holds.

use super::error::TreeError;
use gg_common::limits::{Limits, TREE_DEPTH};

/// The name in errors of the one limit that is the worker's and not the profile's.
pub const DISK_RESERVE: &str = "diskReserveBytes";

/// What a tree may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeLimits {
    /// `limits.treeBytes`.
    pub bytes: u64,
    /// `limits.treeEntries`.
    pub entries: u64,
    /// `limits.treeDepth`: how deep directories may nest, the root being 0.
    pub depth: u64,
    /// What must stay free on the tree's disk, in bytes; 0 where nobody looks. See [`super::super::disk`].
    pub disk_reserve: u64,
}

impl From<&Limits> for TreeLimits {
    fn from(limits: &Limits) -> Self {
        TreeLimits { bytes: limits.tree_bytes, entries: limits.tree_entries, depth: limits.tree_depth, disk_reserve: 0 }
    }
}

impl TreeLimits {
    /// For folders that are not an agent's: a user's initial files, an export.
    pub const UNBOUNDED: TreeLimits =
        TreeLimits { bytes: u64::MAX, entries: u64::MAX, depth: TREE_DEPTH, disk_reserve: 0 };

    /// The same, and so much stays free on the disk.
    pub fn with_disk_reserve(self, disk_reserve: u64) -> TreeLimits {
        TreeLimits { disk_reserve, ..self }
    }

    /// The limit that this usage passes, as an error.
    pub fn check(&self, usage: &Usage) -> Result<(), TreeError> {
        let rows = [
            ("treeDepth", usage.depth, self.depth),
            ("treeEntries", usage.entries, self.entries),
            ("treeBytes", usage.bytes(), self.bytes),
        ];
        if let Some((name, value, limit)) = rows.into_iter().find(|(_, value, limit)| value > limit) {
            return Err(TreeError::Limit { name, value, limit });
        }
        match usage.disk_free {
            Some(free) if free < self.disk_reserve => {
                Err(TreeError::Limit { name: DISK_RESERVE, value: free, limit: self.disk_reserve })
            }
            _ => Ok(()),
        }
    }
}

/// What a tree holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Files, directories, links and all else below the root.
    pub entries: u64,
    /// The sizes that files say they have. A sparse file says more than it takes.
    pub apparent_bytes: u64,
    /// The blocks that files take on the disk. A small file takes more than it says, and so does one with blocks
    /// reserved beyond its end.
    pub allocated_bytes: u64,
    /// What files take beyond the block in which they end.
    excess_bytes: u64,
    /// What is free on the disk, in bytes, where somebody looked.
    pub disk_free: Option<u64>,
    /// How deep directories nest; a directory in the root is at 1.
    pub depth: u64,
    /// Directories and entries that could not be looked into (an ordinary user meets mode 000).
    pub unreadable: u64,
}

/// The unit in which file systems give out blocks: what lies between a file's end and the end of its block is not charged.
const BLOCK: u64 = 4096;

impl Usage {
    /// What counts against `limits.treeBytes`: for each file its size, or its blocks where they are more than its size
    /// explains. The rest of a file's last block is not charged, so that a limit can be met by counting bytes.
    pub fn bytes(&self) -> u64 {
        self.apparent_bytes.saturating_add(self.excess_bytes)
    }

    /// Adds a file that has no name, and so is no entry: one that was removed and is still open.
    pub fn add_nameless_file(&mut self, size: u64, blocks: u64) {
        self.add_file(size, blocks);
    }

    /// Adds one regular file.
    pub(super) fn add_file(&mut self, size: u64, blocks: u64) {
        let allocated = blocks.saturating_mul(512);
        self.apparent_bytes = self.apparent_bytes.saturating_add(size);
        self.allocated_bytes = self.allocated_bytes.saturating_add(allocated);
        if allocated > size.div_ceil(BLOCK).saturating_add(1).saturating_mul(BLOCK) {
            self.excess_bytes = self.excess_bytes.saturating_add(allocated - size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_charged_its_size_or_its_blocks_whichever_is_more() {
        let mut usage = Usage::default();
        usage.add_file(1, 8);
        assert_eq!((usage.bytes(), usage.allocated_bytes), (1, 4096), "the rest of the last block is free");
        usage.add_file(4 << 40, 0);
        assert_eq!(usage.bytes(), (4 << 40) + 1, "a sparse file counts as what it says");
        let mut usage = Usage::default();
        usage.add_file(10, 2048);
        assert_eq!(usage.bytes(), 1 << 20, "blocks beyond the end count");
    }

    #[test]
    fn the_error_names_the_limit_and_what_to_do() {
        let limits = TreeLimits { bytes: 10, entries: 2, depth: 3, disk_reserve: 7 };
        let error = |usage| limits.check(&usage).expect_err("over").to_string();
        assert_eq!(
            error(Usage { entries: 3, ..Usage::default() }),
            "the tree holds 3 entries or more, and `limits.treeEntries` is 2: remove what is not needed, or raise the limit in the profile"
        );
        assert!(error(Usage { depth: 4, ..Usage::default() }).contains("4 levels of directories"));
        assert!(limits.check(&Usage { entries: 2, depth: 3, disk_free: Some(7), ..Usage::default() }).is_ok());
        assert!(error(Usage { disk_free: Some(6), ..Usage::default() }).contains("the worker keeps 7 free"));
    }
}
