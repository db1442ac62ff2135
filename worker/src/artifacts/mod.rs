//! Artifacts: what an arm needs on disk and no turn can build (a guest component, a catalogue).
//!
//! A set is keyed on the arm's sources, whose digest is compiled into the worker, so it looks for exactly one key: on disk,
//! in object storage, and else it builds the set if the sources and the toolchain are there.

mod build;
mod set;
mod sources;

pub use build::{Sources, build};
pub use set::{ArtifactSet, MANIFEST};

use gg_common::arm::Arm;
use gg_common::content::{ContentKey, KeyBuilder};
use gg_common::objects::{ObjectError, Objects};
use std::io;
use std::path::{Path, PathBuf};

/// Compiled in by the build script.
const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The key of the one set of an arm's artifacts that this worker runs.
pub fn key(arm: Arm) -> ContentKey {
    let digest = SOURCES.iter().find(|(id, _)| *id == arm.id()).map_or("", |(_, digest)| digest);
    KeyBuilder::new("artifacts")
        .part("arm", arm.id().as_bytes())
        .part("sources", digest.as_bytes())
        .part("format", &gg_common::FORMAT_VERSION.to_le_bytes())
        .finish()
}

/// Why a set cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArtifactError {
    /// It is nowhere, and cannot be built here.
    #[error("the {arm} artifacts {key} are not in {}: run `worker artifacts build --arm {arm}` ({reason})", place.display())]
    Missing {
        /// The arm.
        arm: Arm,
        /// The set.
        key: ContentKey,
        /// Where it was looked for.
        place: PathBuf,
        /// Why it was not built.
        reason: String,
    },
    /// A file of the set is not what its manifest says.
    #[error("the {arm} artifacts in {} are damaged ({what}): run `worker artifacts build --arm {arm}`", folder.display())]
    Damaged {
        /// The arm.
        arm: Arm,
        /// The set's folder.
        folder: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The build failed.
    #[error("building the {arm} artifacts failed: {message}")]
    Build {
        /// The arm.
        arm: Arm,
        /// Why, and what to do.
        message: String,
    },
    /// The file system failed.
    #[error("{action} {} failed: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The object storage failed.
    #[error(transparent)]
    Objects(#[from] ObjectError),
}

pub(crate) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ArtifactError {
    let path = path.to_owned();
    move |source| ArtifactError::Io { action, path, source }
}

/// Where sets are kept.
#[derive(Debug, Clone)]
pub struct Artifacts {
    folder: PathBuf,
    objects: Option<Objects>,
}

impl Artifacts {
    /// Sets in a folder, and beyond it in a store of objects if there is one.
    pub fn new(folder: &Path, objects: Option<Objects>) -> Artifacts {
        Artifacts { folder: folder.to_owned(), objects }
    }

    /// Where an arm's set lies, or would.
    pub fn folder(&self, arm: Arm) -> PathBuf {
        self.folder.join(arm.id()).join(key(arm).to_string())
    }

    /// The set on disk, verified; none if it is not there.
    pub fn on_disk(&self, arm: Arm) -> Result<Option<ArtifactSet>, ArtifactError> {
        let folder = self.folder(arm);
        if !folder.join(MANIFEST).exists() {
            return Ok(None);
        }
        ArtifactSet::read(arm, &folder).map(Some)
    }

    /// The set: from disk, from object storage, or built here.
    pub fn find(&self, arm: Arm) -> Result<ArtifactSet, ArtifactError> {
        match self.on_disk(arm) {
            Ok(Some(set)) => return Ok(set),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "damaged artifacts are made again"),
        }
        if let Some(set) = self.fetch(arm)? {
            return Ok(set);
        }
        match Sources::find(arm) {
            Ok(sources) => build(self, arm, &sources),
            Err(reason) => Err(ArtifactError::Missing { arm, key: key(arm), place: self.folder.clone(), reason }),
        }
    }

    fn fetch(&self, arm: Arm) -> Result<Option<ArtifactSet>, ArtifactError> {
        let Some(objects) = &self.objects else { return Ok(None) };
        let Some(record) = futures::executor::block_on(objects.find_action(&key(arm)))? else { return Ok(None) };
        let folder = self.folder(arm);
        let staged = set::stage(&folder)?;
        for (name, key) in &record.outputs {
            let bytes = match objects.get_blocking(key) {
                Ok(bytes) => bytes,
                Err(error) => {
                    tracing::warn!(%error, %arm, "the stored artifacts are not whole and are passed over");
                    return Ok(None);
                }
            };
            set::write(staged.path(), name, &bytes)?;
        }
        set::place(staged, &folder)?;
        ArtifactSet::read(arm, &folder).map(Some)
    }

    /// Stores a set as objects, so that other workers fetch it.
    pub fn push(&self, set: &ArtifactSet, objects: &Objects) -> Result<(), ArtifactError> {
        let mut outputs = std::collections::BTreeMap::new();
        for name in set.files().keys().map(String::as_str).chain([MANIFEST]) {
            let path = set.path(name);
            let bytes = std::fs::read(&path).map_err(failed("reading", &path))?;
            outputs.insert(name.to_owned(), objects.put_blocking(bytes)?);
        }
        let record = gg_common::action::ActionRecord {
            version: gg_common::FORMAT_VERSION,
            input: key(set.arm()),
            outputs,
            cost_ms: set.built_in_ms(),
        };
        Ok(futures::executor::block_on(objects.record_action(&record))?)
    }
}
