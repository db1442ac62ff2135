//! Objects: bytes keyed by the blake3 digest of themselves, verified when they are read.

use crate::content::ContentKey;
use bytes::Bytes;
use object_store::local::LocalFileSystem;
use object_store::path::Path as StorePath;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod stream;

pub use stream::StreamError;

/// Whether a write waits for the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// The kernel has it: a killed process loses nothing, a lost machine may.
    #[default]
    Cached,
    /// The device has it.
    Synced,
}

/// Why an object could not be stored or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// Nothing is stored under the key.
    #[error("the object {key} is not in {place}: whatever referred to it was made elsewhere, or the store was cleaned")]
    Missing {
        /// The object.
        key: ContentKey,
        /// The store.
        place: String,
    },
    /// What is stored under the key has other bytes. It was set aside.
    #[error(
        "the object {key} in {place} is corrupt (its {bytes} bytes have another digest); it was set aside as `corrupt/{key}`: check the disk, then make the object again"
    )]
    Corrupt {
        /// The object.
        key: ContentKey,
        /// The store.
        place: String,
        /// How many bytes were found.
        bytes: usize,
    },
    /// The store failed.
    #[error("{action} {key} in {place} failed: {source}")]
    Store {
        /// What was being done.
        action: &'static str,
        /// The object or record.
        key: String,
        /// The store.
        place: String,
        /// Why.
        #[source]
        source: Box<object_store::Error>,
    },
    /// Somebody else uses the folder.
    #[error("the objects in {} are being used by a run or another command: try again when it has ended", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The folder cannot be used.
    #[error("the object folder {} cannot be used: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// A store of objects.
#[derive(Debug, Clone)]
pub struct Objects {
    store: Arc<dyn ObjectStore>,
    place: String,
    folder: Option<PathBuf>,
    /// Held for as long as the folder is used, so that nobody removes what was just found to be there.
    _in_use: Option<Arc<File>>,
}

/// Who uses a folder of objects holds a lock on this file in it.
const LOCK_FILE: &str = "in-use";

fn object_path(key: &ContentKey) -> StorePath {
    let hex = key.to_string();
    StorePath::from(format!("objects/{}/{}", &hex[..2], &hex[2..]))
}

impl Objects {
    /// Objects in a folder, which is made if it is missing. Many processes may use it at once; while one has it alone
    /// ([`Objects::in_folder_alone`]), this waits.
    pub fn in_folder(folder: &Path, durability: Durability) -> Result<Objects, ObjectError> {
        Objects::locked(folder, durability, |lock| lock.lock_shared())
    }

    /// The same for who removes objects: nobody else uses the folder meanwhile. Refused where somebody does.
    pub fn in_folder_alone(folder: &Path, durability: Durability) -> Result<Objects, ObjectError> {
        Objects::locked(folder, durability, |lock| lock.try_lock().map_err(std::io::Error::from)).map_err(|error| {
            match error {
                ObjectError::Folder { path, source } if source.kind() == std::io::ErrorKind::WouldBlock => {
                    ObjectError::InUse { path }
                }
                error => error,
            }
        })
    }

    fn locked(
        folder: &Path,
        durability: Durability,
        take: impl FnOnce(&File) -> std::io::Result<()>,
    ) -> Result<Objects, ObjectError> {
        let broken = |source| ObjectError::Folder { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(broken)?;
        let mut options = std::fs::OpenOptions::new();
        let lock = options.write(true).create(true).truncate(false).open(folder.join(LOCK_FILE)).map_err(broken)?;
        take(&lock).map_err(broken)?;
        let store = LocalFileSystem::new_with_prefix(folder)
            .map_err(|e| broken(std::io::Error::other(e)))?
            .with_fsync(durability == Durability::Synced);
        Ok(Objects {
            store: Arc::new(store),
            place: folder.display().to_string(),
            folder: Some(folder.to_owned()),
            _in_use: Some(Arc::new(lock)),
        })
    }

    /// Objects in any store, named `place` in errors.
    pub fn in_store(store: Arc<dyn ObjectStore>, place: impl Into<String>) -> Objects {
        Objects { store, place: place.into(), folder: None, _in_use: None }
    }

    /// Whether so many bytes are free where the objects lie; a store that is no folder always has room.
    pub fn check_room(&self, bytes: u64) -> Result<(), ObjectError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let broken = |source: std::io::Error| ObjectError::Folder { path: folder.clone(), source };
        let disk = rustix::fs::statvfs(folder).map_err(|e| broken(e.into()))?;
        if disk.f_bavail.saturating_mul(disk.f_frsize) < bytes {
            return Err(broken(std::io::ErrorKind::StorageFull.into()));
        }
        Ok(())
    }

    /// The store beneath, for records that are kept beside the objects.
    pub(crate) fn store(&self) -> &Arc<dyn ObjectStore> {
        &self.store
    }

    pub(crate) fn store_error(
        &self,
        action: &'static str,
        key: impl ToString,
        source: object_store::Error,
    ) -> ObjectError {
        ObjectError::Store { action, key: key.to_string(), place: self.place.clone(), source: Box::new(source) }
    }

    /// Stores bytes and gives their key. Storing what is there already writes nothing.
    pub async fn put(&self, bytes: impl Into<Bytes>) -> Result<ContentKey, ObjectError> {
        let bytes = bytes.into();
        let key = ContentKey::of(&bytes);
        // One of another length was damaged, and its bytes are at hand.
        if self.size(&key).await? == Some(bytes.len() as u64) {
            return Ok(key);
        }
        self.store
            .put(&object_path(&key), PutPayload::from_bytes(bytes))
            .await
            .map_err(|e| self.store_error("storing the object", key, e))?;
        Ok(key)
    }

    /// Where it is, as people name it.
    pub fn place(&self) -> String {
        self.place.clone()
    }

    /// Whether something is stored under the key. What it holds is verified when it is read.
    pub async fn has(&self, key: &ContentKey) -> Result<bool, ObjectError> {
        Ok(self.size(key).await?.is_some())
    }

    async fn size(&self, key: &ContentKey) -> Result<Option<u64>, ObjectError> {
        match self.store.head(&object_path(key)).await {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(e) => Err(self.store_error("looking for the object", key, e)),
        }
    }

    /// The bytes of an object, verified against its key. A corrupt one is set aside, so that storing it again mends it.
    pub async fn get(&self, key: &ContentKey) -> Result<Bytes, ObjectError> {
        let path = object_path(key);
        let got = async { self.store.get(&path).await?.bytes().await };
        let bytes = match got.await {
            Ok(bytes) => bytes,
            Err(object_store::Error::NotFound { .. }) => {
                return Err(ObjectError::Missing { key: *key, place: self.place.clone() });
            }
            Err(e) => return Err(self.store_error("reading the object", key, e)),
        };
        if ContentKey::of(&bytes) == *key {
            return Ok(bytes);
        }
        Err(self.set_aside(key, bytes.len()).await)
    }

    /// Removes an object; one that is not there is removed already.
    pub async fn remove(&self, key: &ContentKey) -> Result<(), ObjectError> {
        match self.store.delete(&object_path(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(e) => Err(self.store_error("removing the object", key, e)),
        }
    }

    /// Moves a corrupt object out of the way, so that storing it again mends it, and gives the error to report.
    async fn set_aside(&self, key: &ContentKey, bytes: usize) -> ObjectError {
        tracing::warn!(%key, place = self.place, "a corrupt object was set aside");
        match self.store.rename(&object_path(key), &StorePath::from(format!("corrupt/{key}"))).await {
            Ok(()) => ObjectError::Corrupt { key: *key, place: self.place.clone(), bytes },
            Err(e) => self.store_error("setting aside the corrupt object", key, e),
        }
    }

    /// [`Objects::put`] for a thread outside the async runtime.
    pub fn put_blocking(&self, bytes: impl Into<Bytes>) -> Result<ContentKey, ObjectError> {
        futures::executor::block_on(self.put(bytes))
    }

    /// [`Objects::get`] for a thread outside the async runtime.
    pub fn get_blocking(&self, key: &ContentKey) -> Result<Bytes, ObjectError> {
        futures::executor::block_on(self.get(key))
    }

    /// [`Objects::has`] for a thread outside the async runtime.
    pub fn has_blocking(&self, key: &ContentKey) -> Result<bool, ObjectError> {
        futures::executor::block_on(self.has(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn bytes_come_back_under_their_key_and_missing_ones_say_so() {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(folder.path(), Durability::Synced).expect("objects");
        let key = objects.put(&b"hello"[..]).await.expect("put");
        assert_eq!(key, ContentKey::of(b"hello"));
        assert_eq!(objects.put(&b"hello"[..]).await.expect("again"), key);
        assert_eq!(&objects.get(&key).await.expect("get")[..], b"hello");
        let absent = ContentKey::of(b"absent");
        assert!(matches!(objects.get(&absent).await, Err(ObjectError::Missing { key, .. }) if key == absent));
    }

    #[tokio::test]
    async fn storing_again_mends_an_object_of_another_length() {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
        let key = objects.put(&b"hello"[..]).await.expect("put");
        let hex = key.to_string();
        std::fs::write(folder.path().join("objects").join(&hex[..2]).join(&hex[2..]), b"hello and more")
            .expect("damage");
        objects.put(&b"hello"[..]).await.expect("mended");
        assert_eq!(&objects.get(&key).await.expect("get")[..], b"hello");
    }

    #[tokio::test]
    async fn who_removes_has_the_folder_alone() {
        let folder = tempfile::tempdir().expect("tempdir");
        let used = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
        let key = used.put(&b"hello"[..]).await.expect("put");
        let again = Objects::in_folder(folder.path(), Durability::Cached).expect("two may use it");
        let alone = || Objects::in_folder_alone(folder.path(), Durability::Cached);
        let error = alone().expect_err("in use");
        assert!(matches!(error, ObjectError::InUse { .. }), "{error}");
        drop((used, again));
        let alone = alone().expect("nobody uses it");
        alone.remove(&key).await.expect("removed");
        alone.remove(&key).await.expect("removed already");
        assert!(!alone.has(&key).await.expect("has"));
    }

    #[tokio::test]
    async fn a_corrupt_object_is_set_aside_and_storing_it_again_mends_it() {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(folder.path(), Durability::Cached).expect("objects");
        let key = objects.put(&b"hello"[..]).await.expect("put");
        let hex = key.to_string();
        let file = folder.path().join("objects").join(&hex[..2]).join(&hex[2..]);
        std::fs::write(&file, b"hellO").expect("corrupt it");
        let error = objects.get(&key).await.expect_err("corrupt");
        assert!(matches!(error, ObjectError::Corrupt { .. }), "{error}");
        assert!(folder.path().join("corrupt").join(&hex).exists(), "set aside");
        objects.put(&b"hello"[..]).await.expect("mended");
        assert_eq!(&objects.get(&key).await.expect("get")[..], b"hello");
    }
}
