//! Slots: a numbered place for one home, with a user of its own where the worker is root. A slot is held by a lock, so that
//! workers of one cache root, in whatever processes, never share one.

use super::tree::remove_contents;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, chown};
use std::path::{Path, PathBuf};

/// How many homes one cache root can hold.
pub const SLOTS: u32 = 10_000;

/// A held slot. Dropping it removes its folder and frees it.
#[derive(Debug)]
pub struct Slot {
    folder: PathBuf,
    owner: Option<(u32, u32)>,
    lock_file: PathBuf,
    _lock: File,
}

impl Slot {
    /// Takes the first free slot beneath `homes`, and empties it. As root, slot `n` belongs to the user `base_uid + n`.
    pub fn take(homes: &Path, base_uid: u32) -> io::Result<Slot> {
        // Others reach their own homes through it and list nothing.
        DirBuilder::new().recursive(true).mode(0o711).create(homes)?;
        // SAFETY: geteuid has no preconditions.
        let root = unsafe { libc::geteuid() } == 0;
        for number in 0..SLOTS {
            let lock_file = homes.join(format!("{number}.lock"));
            let Some(lock) = locked(&lock_file)? else { continue };
            let folder = homes.join(number.to_string());
            remove(&folder)?;
            DirBuilder::new().mode(0o711).create(&folder)?;
            let owner = root.then_some((base_uid + number, base_uid + number));
            return Ok(Slot { folder, owner, lock_file, _lock: lock });
        }
        Err(io::Error::other(format!("all {SLOTS} homes in {} are in use", homes.display())))
    }

    /// Where the home lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The user and group of the agent's processes; none is the worker's own.
    pub fn owner(&self) -> Option<(u32, u32)> {
        self.owner
    }

    /// An empty folder that only the slot's user can enter, in place of whatever is there.
    pub fn make_private(&self, folder: &Path) -> io::Result<()> {
        remove(folder)?;
        DirBuilder::new().mode(0o700).create(folder)?;
        if let Some((uid, gid)) = self.owner {
            chown(folder, Some(uid), Some(gid))?;
        }
        Ok(())
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Err(error) = remove(&self.folder) {
            tracing::warn!(folder = %self.folder.display(), %error, "a home could not be removed; the next worker does it");
        }
        // While it is locked still: who opened it before sees that it is gone. One that stays harms nobody.
        drop(std::fs::remove_file(&self.lock_file));
    }
}

/// The lock file, locked; none where another holds it.
fn locked(path: &Path) -> io::Result<Option<File>> {
    loop {
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        if lock.try_lock().is_err() {
            return Ok(None);
        }
        // Between the two its holder may have freed the slot, and removed the file with it.
        if lock.metadata()?.nlink() > 0 {
            return Ok(Some(lock));
        }
    }
}

/// Removes a folder with all that is in it, whatever its modes are and however deep it nests.
fn remove(folder: &Path) -> io::Result<()> {
    match folder.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(metadata) if !metadata.is_dir() => return std::fs::remove_file(folder),
        Ok(_) => {}
    }
    remove_contents(folder).map_err(io::Error::other)?;
    std::fs::remove_dir(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_held_by_one_and_emptied_for_the_next() {
        let homes = tempfile::tempdir().expect("tempdir");
        let first = Slot::take(homes.path(), 40_000).expect("first");
        let second = Slot::take(homes.path(), 40_000).expect("second");
        assert_ne!(first.folder(), second.folder());
        let folder = first.folder().to_owned();
        std::fs::write(folder.join("left"), b"behind").expect("write");
        drop(first);
        assert!(!folder.exists(), "removed when it is freed");
        std::fs::create_dir(&folder).expect("as if a killed process had left it");
        std::fs::write(folder.join("left"), b"behind").expect("write");
        let again = Slot::take(homes.path(), 40_000).expect("again");
        assert_eq!(again.folder(), folder);
        assert!(!folder.join("left").exists(), "emptied when it is taken");
        drop((second, again));
        assert_eq!(std::fs::read_dir(homes.path()).expect("homes").count(), 0, "nothing is left");
    }

    #[test]
    fn a_slot_that_is_freed_while_others_take_it_is_held_by_one() {
        let homes = tempfile::tempdir().expect("tempdir");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let slot = Slot::take(homes.path(), 40_000).expect("a slot");
                        let mark = slot.folder().join("held");
                        std::fs::OpenOptions::new().write(true).create_new(true).open(&mark).expect("held by one");
                        drop(slot);
                    }
                });
            }
        });
    }

    #[test]
    fn what_a_killed_worker_left_is_removed_however_deep_and_whatever_its_modes() {
        let homes = tempfile::tempdir().expect("tempdir");
        let slot = Slot::take(homes.path(), 40_000).expect("slot");
        let folder = slot.folder().to_owned();
        // Longer than any path may be, deeper than descriptors reach.
        let mut at = cap_std::fs::Dir::open_ambient_dir(&folder, cap_std::ambient_authority()).expect("open");
        for _ in 0..3_000 {
            at.create_dir("d").expect("mkdir");
            at = at.open_dir("d").expect("open");
        }
        let closed = folder.join("closed");
        std::fs::create_dir(&closed).expect("mkdir");
        std::fs::write(closed.join("file"), b"").expect("write");
        std::fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o000)).expect("chmod");
        drop(slot);
        assert!(!folder.exists());
    }
}
