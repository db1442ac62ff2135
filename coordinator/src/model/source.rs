//! Where a run's replies come from, as it is kept beside the run's log, so that a resume asks the same model.

use super::{ScriptError, Scripted};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Where replies come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum ModelSource {
    /// Replies that were written beforehand.
    Scripted {
        /// The folder or file that they lie in.
        replies: PathBuf,
    },
}

impl ModelSource {
    /// The replies at a path, which is made absolute: a resume may be started from elsewhere.
    pub fn scripted(replies: &Path) -> ModelSource {
        ModelSource::Scripted { replies: std::path::absolute(replies).unwrap_or_else(|_| replies.to_owned()) }
    }

    /// The model itself.
    pub fn open(&self) -> Result<Scripted, Vec<ScriptError>> {
        match self {
            ModelSource::Scripted { replies } => Scripted::read(replies),
        }
    }
}
