//! Holds the limits on the tree, and on a temporary folder that is no file system of its own, while a program runs.
//!
//! A scan costs about a microsecond an entry, so looks are rare: at most one each 100 ms of running and, in a large tree,
//! so rare that scanning takes a tenth of the program's time. What WASI can write in between is bounded by the disk's
//! reserve; the snapshot after the turn looks again, and nothing over a limit is ever kept.

use crate::executor::clock::monotonic;
use crate::executor::protocol::RunRequest;
use crate::executor::run::Folders;
use crate::home::tree::{TREE_DEPTH, TreeError, TreeLimits, usage};
use gg_common::profile::TreeAccess;
use std::path::PathBuf;
use std::time::Duration;

const AT_LEAST_BETWEEN: Duration = Duration::from_millis(100);

/// A limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// Its name, as a profile writes it.
    pub name: &'static str,
    /// What was found.
    pub value: u64,
    /// The limit.
    pub limit: u64,
}

struct Watched {
    folder: PathBuf,
    limits: TreeLimits,
    names: [(&'static str, &'static str); 2],
}

/// Watches a program's folders.
pub struct TreeWatch {
    watched: Vec<Watched>,
    next: Duration,
    writes: i64,
}

impl TreeWatch {
    /// A watch over what the program can write on the disk.
    pub fn new(folders: &Folders, request: &RunRequest) -> TreeWatch {
        let mut watched = Vec::new();
        if folders.access == TreeAccess::ReadWrite {
            watched.push(Watched {
                folder: folders.work.clone(),
                limits: TreeLimits { bytes: request.tree_bytes, entries: request.tree_entries, depth: TREE_DEPTH },
                names: [("treeBytes", "treeBytes"), ("treeEntries", "treeEntries")],
            });
        }
        if !folders.temp_is_bounded {
            watched.push(Watched {
                folder: folders.temp.clone(),
                limits: TreeLimits { bytes: request.temp_bytes, entries: request.temp_entries, depth: TREE_DEPTH },
                names: [("treeBytes", "tempBytes"), ("treeEntries", "tempEntries")],
            });
        }
        TreeWatch { watched, next: monotonic() + AT_LEAST_BETWEEN, writes: blocks_written() }
    }

    /// Looks if it is time to.
    pub fn look(&mut self) -> Option<Reached> {
        if monotonic() < self.next { None } else { self.scan() }
    }

    /// Looks a last time if anything was written since the program began that no look has seen.
    pub fn last_look(&mut self) -> Option<Reached> {
        if blocks_written() == self.writes { None } else { self.scan() }
    }

    fn scan(&mut self) -> Option<Reached> {
        let before = monotonic();
        self.writes = blocks_written();
        let reached = self.watched.iter().find_map(|watched| {
            let found = usage(&watched.folder, &watched.limits).ok()?;
            let Err(TreeError::Limit { name, value, limit }) = watched.limits.check(&found) else { return None };
            let name = watched.names.iter().find(|(tree, _)| *tree == name).map_or(name, |(_, own)| own);
            Some(Reached { name, value, limit })
        });
        let took = monotonic() - before;
        self.next = monotonic() + AT_LEAST_BETWEEN.max(took * 10);
        reached
    }
}

/// Blocks that this process had written, rewrites counted again: a sign that a look is worth its while.
fn blocks_written() -> i64 {
    // SAFETY: a zeroed rusage is a valid value for the call to fill.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage.ru_oublock
    }
}
