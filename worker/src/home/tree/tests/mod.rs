//! What holds of whole trees. These tests run as whoever starts them, and once more as an ordinary user.

mod edits;
mod faults;
mod made;
mod ordinary;
mod random;

use super::*;
use gg_common::content::ContentKey;
use gg_common::objects::{Durability, Objects};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A folder for one test, with an object store and places for trees in it.
struct Bench {
    folder: tempfile::TempDir,
    objects: Objects,
}

impl Bench {
    fn new() -> Bench {
        Bench::within(tempfile::tempdir().expect("tempdir"))
    }

    /// In memory where the machine has such a folder: for tests that make very many entries.
    fn in_memory() -> Bench {
        Bench::within(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("tempdir"))
    }

    fn within(folder: tempfile::TempDir) -> Bench {
        let objects = Objects::in_folder(&folder.path().join("store"), Durability::Cached).expect("objects");
        Bench { folder, objects }
    }

    /// A directory of this name, made if it is missing.
    fn dir(&self, name: &str) -> PathBuf {
        let dir = self.folder.path().join(name);
        std::fs::create_dir_all(&dir).expect("dir");
        dir
    }

    /// The key of a tree, found without any cache.
    fn key(&self, root: &Path) -> ContentKey {
        self.snapshot(root, &mut ScanCache::new()).key
    }

    fn snapshot(&self, root: &Path, cache: &mut ScanCache) -> Snapshot {
        snapshot(root, &self.objects, &TreeLimits::UNBOUNDED, cache).expect("snapshot")
    }

    fn restore(&self, key: &ContentKey, root: &Path) -> ScanCache {
        restore(key, &self.objects, root, &TreeLimits::UNBOUNDED, None).expect("restore")
    }

    /// The file in which an object lies.
    fn object_file(&self, key: &ContentKey) -> PathBuf {
        let hex = key.to_string();
        self.folder.path().join("store/objects").join(&hex[..2]).join(&hex[2..])
    }
}

impl Drop for Bench {
    /// An ordinary user cannot remove what is in directories of mode 000 without more ado.
    fn drop(&mut self) {
        remove_contents(self.folder.path()).expect("removed");
    }
}

fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("chmod");
}
