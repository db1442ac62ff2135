//! The programs of an agent.

use crate::content::ContentKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The program of an earlier turn: an index entry, its source an object. Where a program handed over, it is the one that
/// ran last in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProgramEntry {
    /// The turn that it ran in, from 1.
    pub turn: u32,
    /// Lines of its source.
    pub lines: u32,
    /// Characters of its source.
    pub chars: u32,
    /// Whether it completed.
    pub ok: bool,
    /// The error type where it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its source.
    pub source: ContentKey,
}
