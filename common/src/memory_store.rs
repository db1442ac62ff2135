//! Memories that outlive a run: named stores, from which a run takes what it starts with and to which each of its turns
//! gives what it changed. Runs that use a store at once do not see each other's changes while they last; of two that
//! write one name, the later turn stands.

use crate::job::RunId;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A memory as a store keeps it: with its texts, so that a store depends on no object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StoredMemory {
    /// The name by which it is reached.
    pub name: String,
    /// What it is about, in a line.
    pub description: String,
    /// Its body.
    pub body: String,
    /// The script that runs after each program that read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_use: Option<String>,
    /// The code module that a read of it brings into scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// What a turn did to a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryChange {
    /// It was made or changed.
    Written(StoredMemory),
    /// The memory of this name was deleted.
    Deleted(String),
}

/// A store that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryStoreError {
    /// The file system failed.
    #[error("{action} {} failed: {source}; free some space or make the folder writable", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file does not read.
    #[error("the memory store {} does not read: {message}; move it away to begin with an empty one", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
}

/// Named stores of memories.
#[async_trait]
pub trait MemoryStores: Send + Sync {
    /// What a store holds; a store that was never written to is empty.
    async fn load(&self, store: &str) -> Result<Vec<StoredMemory>, MemoryStoreError>;

    /// Applies what a turn of a run changed, whole or not at all. A turn that was applied already changes nothing, so that
    /// a resumed run may give it again.
    async fn apply(
        &self,
        store: &str,
        run: &RunId,
        turn: u32,
        changes: &[MemoryChange],
    ) -> Result<(), MemoryStoreError>;
}

/// For how many runs a store remembers the last turn that it applied.
const RUNS_REMEMBERED: usize = 256;

/// The last turn of a run that a store applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Applied {
    run: RunId,
    turn: u32,
}

/// A store's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct StoreFile {
    version: u32,
    memories: Vec<StoredMemory>,
    /// The runs that changed it, the latest last.
    applied: Vec<Applied>,
}

impl StoreFile {
    fn empty() -> StoreFile {
        StoreFile { version: crate::FORMAT_VERSION, memories: Vec::new(), applied: Vec::new() }
    }

    /// Whether the turn was new to it.
    fn apply(&mut self, run: &RunId, turn: u32, changes: &[MemoryChange]) -> bool {
        if self.applied.iter().any(|applied| applied.run == *run && applied.turn >= turn) {
            return false;
        }
        for change in changes {
            match change {
                MemoryChange::Written(memory) => {
                    match self.memories.iter_mut().find(|there| there.name == memory.name) {
                        Some(there) => there.clone_from(memory),
                        None => self.memories.push(memory.clone()),
                    }
                }
                MemoryChange::Deleted(name) => self.memories.retain(|memory| memory.name != *name),
            }
        }
        self.applied.retain(|applied| applied.run != *run);
        self.applied.push(Applied { run: run.clone(), turn });
        let surplus = self.applied.len().saturating_sub(RUNS_REMEMBERED);
        self.applied.drain(..surplus);
        true
    }
}

/// Stores in a folder: a file each, replaced as a whole under a lock that also holds other processes back.
#[derive(Debug, Clone)]
pub struct LocalMemoryStores {
    folder: PathBuf,
}

impl LocalMemoryStores {
    /// Stores in `folder`, which is made when one is written.
    pub fn new(folder: &Path) -> LocalMemoryStores {
        LocalMemoryStores { folder: folder.to_owned() }
    }

    fn file(&self, store: &str) -> PathBuf {
        self.folder.join(format!("{store}.json"))
    }

    fn read(&self, store: &str) -> Result<StoreFile, MemoryStoreError> {
        let path = self.file(store);
        let bytes = match crate::regular::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(StoreFile::empty()),
            Err(source) => return Err(MemoryStoreError::Io { action: "reading", path, source }),
        };
        let unreadable = |message: String| MemoryStoreError::Unreadable { path: path.clone(), message };
        let file: StoreFile = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))?;
        if file.version != crate::FORMAT_VERSION {
            let (found, read) = (file.version, crate::FORMAT_VERSION);
            return Err(unreadable(format!("it has version {found}, this program reads version {read}")));
        }
        Ok(file)
    }

    /// Holds everybody else off the store until the file that it gives is closed.
    fn lock(&self, store: &str) -> Result<File, MemoryStoreError> {
        let path = self.folder.join(format!("{store}.lock"));
        let locked = std::fs::create_dir_all(&self.folder)
            .and_then(|()| OpenOptions::new().create(true).truncate(false).write(true).open(&path))
            .and_then(|file| file.lock().map(|()| file));
        locked.map_err(|source| MemoryStoreError::Io { action: "locking", path, source })
    }

    fn replace(&self, store: &str, file: &StoreFile) -> Result<(), MemoryStoreError> {
        let (path, draft) = (self.file(store), self.folder.join(format!(".{store}.draft")));
        let written = serde_json::to_vec_pretty(file).map_err(io::Error::other).and_then(|bytes| {
            let mut to = File::create(&draft)?;
            to.write_all(&bytes)?;
            to.sync_all()?;
            std::fs::rename(&draft, &path)?;
            File::open(&self.folder)?.sync_all()
        });
        written.map_err(|source| {
            // Half a file says nothing, and on a full disk it takes the room that is wanted.
            let _ = std::fs::remove_file(&draft);
            MemoryStoreError::Io { action: "writing", path, source }
        })
    }
}

#[async_trait]
impl MemoryStores for LocalMemoryStores {
    async fn load(&self, store: &str) -> Result<Vec<StoredMemory>, MemoryStoreError> {
        // A file is replaced as a whole, so that reading needs no lock.
        Ok(self.read(store)?.memories)
    }

    async fn apply(
        &self,
        store: &str,
        run: &RunId,
        turn: u32,
        changes: &[MemoryChange],
    ) -> Result<(), MemoryStoreError> {
        let _locked = self.lock(store)?;
        let mut file = self.read(store)?;
        if file.apply(run, turn, changes) { self.replace(store, &file) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &str, body: &str) -> MemoryChange {
        let (name, body) = (name.to_owned(), body.to_owned());
        MemoryChange::Written(StoredMemory { name, description: "d".to_owned(), body, on_use: None, code: None })
    }

    async fn bodies(stores: &LocalMemoryStores, store: &str) -> Vec<(String, String)> {
        let memories = stores.load(store).await.expect("load");
        memories.into_iter().map(|memory| (memory.name, memory.body)).collect()
    }

    #[tokio::test]
    async fn a_turn_that_is_given_again_changes_nothing() {
        let folder = tempfile::tempdir().expect("tempdir");
        let stores = LocalMemoryStores::new(&folder.path().join("deep/memories"));
        assert!(stores.load("s").await.expect("empty").is_empty());
        let (first, second) = (RunId("r1".into()), RunId("r2".into()));
        stores.apply("s", &first, 1, &[written("a", "1"), written("b", "1")]).await.expect("apply");
        stores.apply("s", &second, 1, &[written("a", "2"), MemoryChange::Deleted("b".into())]).await.expect("apply");
        stores.apply("s", &first, 1, &[written("a", "1"), written("b", "1")]).await.expect("again");
        assert_eq!(bodies(&stores, "s").await, [("a".to_owned(), "2".to_owned())]);
        stores.apply("s", &first, 2, &[written("c", "3")]).await.expect("goes on");
        assert_eq!(bodies(&stores, "s").await.len(), 2);
        assert!(bodies(&stores, "other").await.is_empty());
    }

    #[test]
    fn runs_that_write_at_once_lose_nothing() {
        let folder = tempfile::tempdir().expect("tempdir");
        let stores = LocalMemoryStores::new(folder.path());
        std::thread::scope(|scope| {
            for run in 0..4 {
                let stores = &stores;
                scope.spawn(move || {
                    for turn in 1..=10 {
                        let change = [written(&format!("{run}-{turn}"), "x")];
                        let run = RunId(format!("r{run}"));
                        futures::executor::block_on(stores.apply("s", &run, turn, &change)).expect("apply");
                    }
                });
            }
        });
        let memories = futures::executor::block_on(stores.load("s")).expect("load");
        assert_eq!(memories.len(), 40);
    }

    #[tokio::test]
    async fn a_file_of_another_version_or_shape_is_refused_by_its_name() {
        let folder = tempfile::tempdir().expect("tempdir");
        let stores = LocalMemoryStores::new(folder.path());
        for text in ["{", r#"{"version":9,"memories":[],"applied":[]}"#] {
            std::fs::write(folder.path().join("s.json"), text).expect("write");
            let error = stores.load("s").await.expect_err("refused").to_string();
            assert!(error.contains("s.json") && error.contains("move it away"), "{error}");
        }
    }
}
