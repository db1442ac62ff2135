//! Where a benchmark keeps its records, homes and objects: a cache root of its own, with the machine's artifacts.

use gg_common::folders::CacheRoot;
use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What it lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    /// Memory, where there is a file system of memory.
    Memory,
    /// The disk of the machine's cache root.
    Disk,
}

/// A cache root and a folder of runs, which go with this.
#[derive(Debug)]
pub(super) struct Place {
    folder: TempDir,
}

impl Place {
    pub(super) fn make(on: On) -> Result<Place, String> {
        let machine = CacheRoot::from_environment().map_err(|error| error.to_string())?;
        let (memory, disk) = (Path::new("/dev/shm"), machine.bench());
        let parent = if on == On::Memory && memory.is_dir() { memory } else { &disk };
        let failed = |error: std::io::Error| format!("a folder for the bench cannot be made: {error}");
        std::fs::create_dir_all(parent).map_err(failed)?;
        let place = Place { folder: tempfile::tempdir_in(parent).map_err(failed)? };
        let root = place.root();
        std::fs::create_dir(&root.0).map_err(failed)?;
        for (theirs, ours) in [(machine.artifacts(), root.artifacts()), (machine.precompiled(), root.precompiled())] {
            // Native code lies in one of them: nobody else may write it.
            DirBuilder::new().recursive(true).mode(0o700).create(&theirs).map_err(failed)?;
            symlink(std::path::absolute(&theirs).map_err(failed)?, ours).map_err(failed)?;
        }
        Ok(place)
    }

    /// The cache root.
    pub(super) fn root(&self) -> CacheRoot {
        CacheRoot(self.folder.path().join("root"))
    }

    /// Where runs are recorded.
    pub(super) fn runs(&self) -> PathBuf {
        self.folder.path().join("runs")
    }

    /// All of it.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}
