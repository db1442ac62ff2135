//! One set of artifacts on disk: its files and the manifest that holds their digests.

use super::{ArtifactError, failed};
use crate::language::{Guest, language};
use gg_common::arm::Arm;
use gg_common::catalogue::Catalogue;
use gg_common::content::ContentKey;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The manifest's file name. It is placed last, so a set that has one is whole.
pub const MANIFEST: &str = "manifest.json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Manifest {
    version: u32,
    arm: Arm,
    key: ContentKey,
    built_in_ms: u64,
    files: BTreeMap<String, ContentKey>,
}

/// A verified set.
#[derive(Debug, Clone)]
pub struct ArtifactSet {
    folder: PathBuf,
    manifest: Manifest,
}

/// A folder beside the set's own, to be filled and then placed by a rename.
pub(super) fn stage(folder: &Path) -> Result<tempfile::TempDir, ArtifactError> {
    let parent = folder.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent).map_err(failed("making the folder", parent))?;
    tempfile::Builder::new().prefix(".staged-").tempdir_in(parent).map_err(failed("making a folder in", parent))
}

/// Writes one file of a staged set; names may have folders.
pub(super) fn write(staged: &Path, name: &str, bytes: &[u8]) -> Result<(), ArtifactError> {
    let path = staged.join(name);
    let safe = Path::new(name).components().all(|c| matches!(c, std::path::Component::Normal(_)));
    if !safe {
        return Err(failed("placing", &path)(std::io::Error::other("the name leads out of the set")));
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(failed("making the folder", parent))?;
    }
    std::fs::write(&path, bytes).map_err(failed("writing", &path))
}

/// Writes the manifest of a staged set.
pub(super) fn seal(staged: &Path, arm: Arm, built_in_ms: u64) -> Result<(), ArtifactError> {
    let mut files = BTreeMap::new();
    let mut open = vec![PathBuf::new()];
    while let Some(relative) = open.pop() {
        let folder = staged.join(&relative);
        for entry in std::fs::read_dir(&folder).map_err(failed("listing", &folder))? {
            let entry = entry.map_err(failed("listing", &folder))?;
            let name = relative.join(entry.file_name());
            if entry.file_type().map_err(failed("listing", &folder))?.is_dir() {
                open.push(name);
            } else {
                let path = staged.join(&name);
                let bytes = std::fs::read(&path).map_err(failed("reading", &path))?;
                files.insert(name.to_string_lossy().into_owned(), ContentKey::of(&bytes));
            }
        }
    }
    let manifest = Manifest { version: gg_common::FORMAT_VERSION, arm, key: super::key(arm), built_in_ms, files };
    let json = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
    write(staged, MANIFEST, &json)
}

/// Puts a staged set in its place, whatever is there.
pub(super) fn place(staged: tempfile::TempDir, folder: &Path) -> Result<(), ArtifactError> {
    let staged = staged.keep();
    if folder.exists() {
        let old = folder.with_extension(format!("old-{}", std::process::id()));
        std::fs::rename(folder, &old).map_err(failed("moving aside", folder))?;
        std::fs::remove_dir_all(&old).map_err(failed("removing", &old))?;
    }
    // The staged folder was made for its maker alone; executors of other users read no path here, people may.
    std::fs::set_permissions(&staged, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .map_err(failed("opening up", &staged))?;
    std::fs::rename(&staged, folder).map_err(failed("placing", folder))
}

/// The files that a worker reads of a set.
fn needed(arm: Arm) -> &'static [&'static str] {
    let language = language(arm);
    match (language.guest(), language.checker()) {
        (Guest::Prebuilt, None) => &["guest.wasm", "catalogue.json"],
        (Guest::Prebuilt, Some(_)) => &["guest.wasm", "toolchain.json", "catalogue.json"],
        (Guest::None, _) => &["toolchain.json", "catalogue.json"],
    }
}

impl ArtifactSet {
    /// Reads a set and verifies each of its files.
    pub(super) fn read(arm: Arm, folder: &Path) -> Result<ArtifactSet, ArtifactError> {
        let damaged = |what: String| ArtifactError::Damaged { arm, folder: folder.to_owned(), what };
        let path = folder.join(MANIFEST);
        let json = std::fs::read(&path).map_err(failed("reading", &path))?;
        let manifest: Manifest =
            serde_json::from_slice(&json).map_err(|e| damaged(format!("{MANIFEST} does not read: {e}")))?;
        if manifest.version != gg_common::FORMAT_VERSION || manifest.arm != arm || manifest.key != super::key(arm) {
            return Err(damaged(format!("{MANIFEST} is of another set")));
        }
        for (name, key) in &manifest.files {
            let bytes = std::fs::read(folder.join(name)).map_err(|e| damaged(format!("{name}: {e}")))?;
            if ContentKey::of(&bytes) != *key {
                return Err(damaged(format!("{name} has other bytes than were built")));
            }
        }
        for needed in needed(arm) {
            if !manifest.files.contains_key(*needed) {
                return Err(damaged(format!("{needed} is missing")));
            }
        }
        Ok(ArtifactSet { folder: folder.to_owned(), manifest })
    }

    /// Whose.
    pub fn arm(&self) -> Arm {
        self.manifest.arm
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its files and their digests.
    pub fn files(&self) -> &BTreeMap<String, ContentKey> {
        &self.manifest.files
    }

    /// What building it took, in milliseconds.
    pub fn built_in_ms(&self) -> u64 {
        self.manifest.built_in_ms
    }

    /// Where one of its files lies.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The surface of the arm's SDK.
    pub fn catalogue(&self) -> Result<Catalogue, ArtifactError> {
        let path = self.path("catalogue.json");
        let json = std::fs::read(&path).map_err(failed("reading", &path))?;
        serde_json::from_slice(&json).map_err(|e| ArtifactError::Damaged {
            arm: self.arm(),
            folder: self.folder.clone(),
            what: format!("catalogue.json does not read: {e}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(root: &Path) -> PathBuf {
        let folder = root.join("python/set");
        let staged = stage(&folder).expect("stage");
        write(staged.path(), "guest.wasm", b"component").expect("write");
        write(staged.path(), "catalogue.json", b"{}").expect("write");
        write(staged.path(), "sdk/gg.d.ts", b"declare").expect("write");
        seal(staged.path(), Arm::Python, 5).expect("seal");
        place(staged, &folder).expect("place");
        folder
    }

    #[test]
    fn a_placed_set_reads_back_and_a_second_replaces_it() {
        let root = tempfile::tempdir().expect("tempdir");
        let folder = made(root.path());
        let set = ArtifactSet::read(Arm::Python, &folder).expect("reads");
        assert_eq!(set.files().len(), 3);
        assert_eq!(set.files()["sdk/gg.d.ts"], ContentKey::of(b"declare"));
        assert_eq!(made(root.path()), folder);
    }

    #[test]
    fn a_changed_a_missing_and_a_foreign_file_are_named() {
        let root = tempfile::tempdir().expect("tempdir");
        let folder = made(root.path());
        std::fs::write(folder.join("guest.wasm"), b"componenT").expect("change");
        let error = ArtifactSet::read(Arm::Python, &folder).expect_err("changed").to_string();
        assert!(error.contains("guest.wasm") && error.contains("worker artifacts build --arm python"), "{error}");
        std::fs::remove_file(folder.join("guest.wasm")).expect("remove");
        let error = ArtifactSet::read(Arm::Python, &folder).expect_err("missing").to_string();
        assert!(error.contains("guest.wasm"), "{error}");
        let folder = made(root.path());
        let error = ArtifactSet::read(Arm::Javascript, &folder).expect_err("foreign").to_string();
        assert!(error.contains("another set"), "{error}");
        assert!(write(&folder, "../out", b"").is_err(), "a name never leads out");
    }
}
