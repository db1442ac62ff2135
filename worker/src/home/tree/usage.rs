//! What a tree holds, counted while a program runs.

use super::error::TreeError;
use super::limits::{TreeLimits, Usage};
use super::place::Place;
use super::sys::{self, Stamp};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::FileType;
use rustix::io::Errno;
use std::path::Path;

/// Counts what is below `root`, reading nothing and changing nothing. It stops as soon as a limit is passed: give the
/// result to [`TreeLimits::check`]. What goes away meanwhile is not an error.
pub fn usage(root: &Path, limits: &TreeLimits) -> Result<Usage, TreeError> {
    let place = Place::new(root);
    let directory = sys::open_directory_as_it_is(rustix::fs::CWD, root).map_err(|e| place.io("opening the tree", e))?;
    let mut usage = Usage::default();
    if limits.disk_reserve > 0 {
        // A file system that does not tell is not looked at.
        usage.disk_free = crate::home::disk::free(directory.as_fd()).ok();
    }
    count(directory.as_fd(), limits, &mut usage, 1, &place)?;
    Ok(usage)
}

/// Whether the count goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    On,
    Enough,
}

fn count(
    dir: BorrowedFd<'_>,
    limits: &TreeLimits,
    usage: &mut Usage,
    depth: u64,
    place: &Place,
) -> Result<Count, TreeError> {
    for name in sys::list(dir).map_err(|e| place.io("listing the tree", e))? {
        let stat = match sys::stat_at(dir, &name) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => continue,
            Err(Errno::ACCESS) => {
                usage.entries += 1;
                usage.unreadable += 1;
                continue;
            }
            Err(e) => return Err(place.io("looking at the tree", e)),
        };
        usage.entries += 1;
        let stamp = Stamp::of(&stat);
        match stamp.kind() {
            FileType::RegularFile => usage.add_file(stamp.size, sys::blocks(&stat)),
            FileType::Directory => usage.depth = usage.depth.max(depth),
            _ => {}
        }
        if limits.check(usage).is_err() {
            return Ok(Count::Enough);
        }
        if stamp.kind() == FileType::Directory {
            match sys::open_directory_as_it_is(dir, name.as_c_str()) {
                Ok(inner) => {
                    if count(inner.as_fd(), limits, usage, depth + 1, place)? == Count::Enough {
                        return Ok(Count::Enough);
                    }
                }
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {}
                Err(Errno::ACCESS) => usage.unreadable += 1,
                Err(e) => return Err(place.io("opening a directory of the tree", e)),
            }
        }
    }
    Ok(Count::On)
}
