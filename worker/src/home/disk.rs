//! The reserve of the disk that homes lie on. What programs write between two looks at their trees goes into it, and so
//! does what the worker itself must still write when they have filled the rest.

use std::io;
use std::path::{Path, PathBuf};

/// Too little is left on a disk for a turn to begin.
#[derive(Debug, thiserror::Error)]
#[error(
    "the disk of {} has {} MiB left, and the worker keeps {} MiB of it free: free space there (old `runs/`, `objects/` and `artifacts/` are the usual weight), or choose another cache root",
    folder.display(), free >> 20, reserve >> 20
)]
pub struct DiskShortage {
    /// Where homes lie.
    pub folder: PathBuf,
    /// What is free, in bytes.
    pub free: u64,
    /// What must stay free, in bytes.
    pub reserve: u64,
}

/// The reserve of a folder's disk, in bytes: `most`, or a twentieth of a disk that is small.
pub fn reserve(folder: &Path, most: u64) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(most.min(disk.f_blocks.saturating_mul(disk.f_frsize) / 20))
}

/// What is free on the disk of an open folder, in bytes, for who is not root.
pub fn free(folder: impl rustix::fd::AsFd) -> io::Result<u64> {
    let disk = rustix::fs::fstatvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Whether the reserve is there still.
pub fn check(folder: &Path, reserve: u64) -> Result<(), DiskShortage> {
    let Ok(free) = std::fs::File::open(folder).and_then(free) else { return Ok(()) };
    if free < reserve { Err(DiskShortage { folder: folder.to_owned(), free, reserve }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserve_is_no_more_than_a_twentieth_and_a_shortage_says_what_to_do() {
        let folder = tempfile::tempdir().expect("tempdir");
        assert_eq!(reserve(folder.path(), 1).expect("reserve"), 1);
        let most = reserve(folder.path(), u64::MAX).expect("reserve");
        let disk = rustix::fs::statvfs(folder.path()).expect("statvfs");
        assert_eq!(most, disk.f_blocks * disk.f_frsize / 20);
        check(folder.path(), 0).expect("nothing is kept");
        let error = check(folder.path(), u64::MAX).expect_err("short").to_string();
        assert!(error.contains("MiB left") && error.contains("free space there"), "{error}");
    }
}
