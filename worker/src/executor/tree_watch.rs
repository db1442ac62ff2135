//! Holds the limits on the tree, and on a temporary folder that is no file system of its own, while a program runs.
//!
//! A scan costs about a microsecond an entry, so looks are rare: at most one each 100 ms of running and, in a large tree,
//! so rare that scanning takes a tenth of the program's time. What WASI can write in between is bounded by the disk's
//! reserve; the snapshot after the turn looks again, and nothing over a limit is ever kept.

use crate::executor::clock::monotonic;
use crate::executor::confinement::{OPEN_FILES, RESERVED_FILES};
use crate::executor::folders::Folders;
use crate::executor::protocol::RunRequest;
use crate::home::tree::{TreeError, TreeLimits, Usage, usage};
use gg_common::profile::TreeAccess;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
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
    /// Blocks that the process had written at the last look.
    writes: i64,
    /// Blocks that the process had written when the program began.
    began: i64,
}

/// Whether the program may still write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    Runs,
    HasEnded,
}

/// Descriptors that are given up for the time of a look: a program that has opened all it can is looked at all the same.
static RESERVE: Mutex<Vec<OwnedFd>> = Mutex::new(Vec::new());

/// Takes what looks may need from what a program can open. Once, when the process is confined.
pub fn reserve_descriptors() -> std::io::Result<()> {
    let mut reserve = RESERVE.lock().unwrap_or_else(PoisonError::into_inner);
    while reserve.len() < RESERVED_FILES {
        reserve.push(rustix::io::dup(std::io::stderr())?);
    }
    Ok(())
}

/// Runs `look` with the reserved descriptors free.
fn with_reserve<T>(look: impl FnOnce() -> T) -> T {
    RESERVE.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let looked = look();
    // The process has one thread: nobody took them meanwhile.
    drop(reserve_descriptors());
    looked
}

fn is_out_of_descriptors(error: &TreeError) -> bool {
    matches!(error, TreeError::Io { source, .. } if source.raw_os_error() == Some(libc::EMFILE))
}

/// What a folder holds. A folder that cannot be opened, which its own user may have made so, holds something unknown.
fn count(folder: &Path, limits: &TreeLimits) -> Usage {
    let counted = match usage(folder, limits) {
        Err(error) if is_out_of_descriptors(&error) => with_reserve(|| usage(folder, limits)),
        counted => counted,
    };
    counted.unwrap_or_else(|_| {
        let mut unknown = Usage::default();
        unknown.unreadable = 1;
        unknown
    })
}

/// Adds the files of this process that are on the folder's file system and have no name any more.
fn add_nameless(used: &mut Usage, folder: &Path) {
    let Ok(device) = rustix::fs::stat(folder).map(|stat| stat.st_dev) else { return };
    for number in 3..OPEN_FILES as i32 {
        // SAFETY: borrowed for one look; a number that is not open is an error of that look.
        let fd = unsafe { BorrowedFd::borrow_raw(number) };
        let Ok(stat) = rustix::fs::fstat(fd.as_fd()) else { continue };
        let kind = rustix::fs::FileType::from_raw_mode(stat.st_mode);
        if kind == rustix::fs::FileType::RegularFile && stat.st_nlink == 0 && stat.st_dev == device {
            used.add_nameless_file(stat.st_size as u64, stat.st_blocks as u64);
        }
    }
}

impl TreeWatch {
    /// A watch over what the program can write on the disk.
    pub fn new(folders: &Folders, request: &RunRequest) -> TreeWatch {
        let mut watched = Vec::new();
        if folders.access == TreeAccess::ReadWrite {
            watched.push(Watched {
                folder: folders.work.clone(),
                limits: TreeLimits {
                    bytes: request.tree_bytes,
                    entries: request.tree_entries,
                    depth: request.tree_depth,
                    disk_reserve: request.disk_reserve,
                },
                names: [("treeBytes", "treeBytes"), ("treeEntries", "treeEntries")],
            });
        }
        if !folders.temp_is_bounded {
            watched.push(Watched {
                folder: folders.temp.clone(),
                limits: TreeLimits {
                    bytes: request.temp_bytes,
                    entries: request.temp_entries,
                    disk_reserve: request.disk_reserve,
                    ..TreeLimits::UNBOUNDED
                },
                names: [("treeBytes", "tempBytes"), ("treeEntries", "tempEntries")],
            });
        }
        let writes = blocks_written();
        TreeWatch { watched, next: monotonic() + AT_LEAST_BETWEEN, writes, began: writes }
    }

    /// Looks if it is time to.
    pub fn look(&mut self) -> Option<Reached> {
        if monotonic() < self.next { None } else { self.scan(Program::Runs) }
    }

    /// Looks a last time if anything was written since the program began that no look has seen.
    pub fn last_look(&mut self) -> Option<Reached> {
        if blocks_written() == self.writes { None } else { self.scan(Program::HasEnded) }
    }

    fn scan(&mut self, program: Program) -> Option<Reached> {
        let before = monotonic();
        self.writes = blocks_written();
        let written = (self.writes - self.began).unsigned_abs() * 512;
        let reached = self.watched.iter().find_map(|watched| {
            let mut used = count(&watched.folder, &watched.limits);
            if program == Program::Runs {
                add_nameless(&mut used, &watched.folder);
            }
            if used.unreadable > 0 {
                // A command of the program's may have closed a folder to its own user: all that was written may be there.
                used.add_nameless_file(written, 0);
            }
            let Err(TreeError::Limit { name, value, limit }) = watched.limits.check(&used) else { return None };
            let name = watched.names.iter().find(|(tree, _)| *tree == name).map_or(name, |(_, own)| own);
            Some(Reached { name, value, limit })
        });
        let took = monotonic() - before;
        self.next = monotonic() + AT_LEAST_BETWEEN.max(took * 10);
        reached
    }
}

/// What a file system of memory gives out at least, in bytes: where less is free, a write fails.
const PAGE: u64 = 4096;

/// The bound of the temporary folder that is reached, where the folder is a file system of its own.
pub fn full_temp(folders: &Folders, request: &RunRequest) -> Option<Reached> {
    if !folders.temp_is_bounded {
        return None;
    }
    let limits = TreeLimits::UNBOUNDED;
    let used = usage(&folders.temp, &limits).ok()?;
    // The folder itself takes an entry.
    let rows = [
        ("tempBytes", used.allocated_bytes + PAGE, request.temp_bytes),
        ("tempEntries", used.entries + 2, request.temp_entries),
    ];
    rows.into_iter().find(|(_, value, limit)| value > limit).map(|(name, _, limit)| Reached {
        name,
        value: limit,
        limit,
    })
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
