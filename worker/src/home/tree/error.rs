//! Why a tree could not be snapshotted, restored or measured.

use super::limits::DISK_RESERVE;
use gg_common::content::ContentKey;
use gg_common::objects::ObjectError;
use std::path::PathBuf;

/// Why a tree could not be snapshotted, restored or measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The tree is larger than it may be. Nothing of an earlier snapshot is lost.
    #[error("{}", passed(name, *value, *limit))]
    Limit {
        /// The limit's name: `treeBytes`, `treeEntries`, `treeDepth`, or [`super::DISK_RESERVE`].
        name: &'static str,
        /// What was counted when the limit was passed; what is free on the disk.
        value: u64,
        /// What is allowed; what must stay free.
        limit: u64,
    },
    /// A call to the system failed.
    #[error("{action} {} failed: {source}{}", path.display(), advice(source))]
    Io {
        /// What was being done.
        action: &'static str,
        /// To what.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A large file is being written while it is read, each time it is tried.
    #[error("{} changes each time it is read: stop what writes it, then try again", path.display())]
    Changing {
        /// The file.
        path: PathBuf,
    },
    /// A stored directory is not what it must be.
    #[error("the stored directory {key} (for {}) cannot be used: {problem}", path.display())]
    Manifest {
        /// The object.
        key: ContentKey,
        /// Where it was to be restored.
        path: PathBuf,
        /// What is wrong.
        problem: ManifestProblem,
    },
    /// An object of the tree could not be stored or read.
    #[error("{} could not be {action}: {source}", path.display())]
    Object {
        /// `stored` or `restored`.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// Why.
        #[source]
        source: ObjectError,
    },
}

impl TreeError {
    /// Whether there was no room for what was to be written.
    pub fn is_full_disk(&self) -> bool {
        let is_full = |error: &std::io::Error| {
            matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
        };
        match self {
            TreeError::Io { source, .. } => is_full(source),
            TreeError::Object { source, .. } => {
                let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(source);
                while let Some(error) = cause {
                    if error.downcast_ref::<std::io::Error>().is_some_and(is_full) {
                        return true;
                    }
                    cause = error.source();
                }
                false
            }
            TreeError::Limit { .. } | TreeError::Changing { .. } | TreeError::Manifest { .. } => false,
        }
    }
}

fn passed(name: &str, value: u64, limit: u64) -> String {
    match name {
        DISK_RESERVE => format!("the tree's disk has {value} bytes left, of which the worker keeps {limit} free"),
        "treeDepth" => format!(
            "the tree holds {value} levels of directories or more, and `limits.treeDepth` is {limit}: nest them less deep"
        ),
        _ => format!(
            "the tree holds {value} {} or more, and `limits.{name}` is {limit}: remove what is not needed, or raise the limit in the profile",
            if name == "treeBytes" { "bytes" } else { "entries" }
        ),
    }
}

fn advice(source: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    match source.kind() {
        StorageFull | QuotaExceeded => ": free space on that disk, then try again",
        ReadOnlyFilesystem => ": use a folder that can be written",
        PermissionDenied => ": give this user the right to it, or run as its owner",
        _ => "",
    }
}

/// What is wrong with a stored directory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestProblem {
    /// It does not begin as manifests do.
    #[error("it is no directory manifest")]
    NotAManifest,
    /// It was written by another version.
    #[error("it has version {found}, and this worker reads version {known}: use a worker of the version that wrote it")]
    Version {
        /// What it says.
        found: u8,
        /// What is known here.
        known: u8,
    },
    /// Its bytes do not decode.
    #[error("its bytes do not decode ({0})")]
    Encoding(String),
    /// A name that no directory can hold.
    #[error("the name {0:?} is no file name")]
    Name(String),
    /// Names out of order, or twice.
    #[error("the name {0:?} is there twice or out of order")]
    Order(String),
    /// A mode, time or link target out of its range.
    #[error("the {what} of {name:?} is out of range")]
    Range {
        /// The field.
        what: &'static str,
        /// The entry.
        name: String,
    },
    /// A file's contents have another length than its entry says.
    #[error("{name:?} is to have {expected} bytes, and its object has {found}")]
    Length {
        /// The entry.
        name: String,
        /// What the entry says.
        expected: u64,
        /// What the object has.
        found: u64,
    },
}
