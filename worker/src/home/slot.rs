//! Slots: a numbered place for one home, with a user of its own where the worker is root. A slot is held by a lock, so that
//! workers of one cache root, in whatever processes, never share one.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

/// How many homes one cache root can hold.
pub const SLOTS: u32 = 10_000;

/// A held slot. Dropping it removes its folder and frees it.
#[derive(Debug)]
pub struct Slot {
    folder: PathBuf,
    owner: Option<(u32, u32)>,
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
            let lock = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(homes.join(format!("{number}.lock")))?;
            if lock.try_lock().is_err() {
                continue;
            }
            let folder = homes.join(number.to_string());
            remove(&folder)?;
            DirBuilder::new().mode(0o711).create(&folder)?;
            let owner = root.then_some((base_uid + number, base_uid + number));
            return Ok(Slot { folder, owner, _lock: lock });
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
    }
}

/// Removes a folder with all that is in it, whatever its modes are.
fn remove(folder: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(folder)?;
            std::fs::remove_dir_all(folder)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Gives an ordinary user back the rights on folders that a program took from itself.
fn open_up(folder: &Path) -> io::Result<()> {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let metadata = folder.symlink_metadata()?;
        if !metadata.is_dir() {
            continue;
        }
        if metadata.mode() & 0o700 != 0o700 {
            std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700))?;
        }
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            }
        }
    }
    Ok(())
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
    }
}
