//! What the model's window holds: evict, archive, search the archive, compact.
#![doc(alias = "ggmodule:context")]

use std::ops::RangeInclusive;

use crate::bindings::gg::sandbox::context as host;
use crate::core::{ApiError, called};

/// What was taken out of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reclaimed {
    /// How many items were taken out.
    pub items: u32,
    /// About how many tokens that frees.
    pub reclaimed_tokens: u32,
    /// The files whose views were among them.
    pub paths: Vec<String>,
    /// What was done, in a sentence.
    pub detail: String,
}

/// A message of the archive that matches a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveHit {
    /// Its number in the order of the conversation.
    pub seq: u64,
    /// Who wrote it.
    pub role: String,
    /// What it says.
    pub text: String,
}

/// What a search of the archive found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivePage {
    /// Whether nothing has been archived yet.
    pub archive_empty: bool,
    /// The messages that match, at most eight.
    pub hits: Vec<ArchiveHit>,
}

impl Reclaimed {
    fn from_host(reclaimed: host::Reclaimed) -> Self {
        Reclaimed {
            items: reclaimed.items,
            reclaimed_tokens: reclaimed.reclaimed_tokens,
            paths: reclaimed.paths,
            detail: reclaimed.detail,
        }
    }
}

/// Takes the views of files out of the window.
///
/// # Arguments
///
/// * `path` - The file whose views go; those of all files where it is `None`.
///
/// # Errors
///
/// [`ApiError`]: `Unavailable` where this agent does not manage its window.
#[doc(alias = "ggop:context.evict_file_view")]
#[track_caller]
pub fn evict_file_view(path: Option<&str>) -> Result<Reclaimed, ApiError> {
    called(host::evict_file_view(path)).map(Reclaimed::from_host)
}

/// Moves turns out of the window into the archive, where [`search_archive`] finds them.
///
/// # Arguments
///
/// * `ranges` - The turns to move, such as `&[3..=5, 8..=8]`.
///
/// # Errors
///
/// [`ApiError`]: `InvalidArgument` for a range that ends before it begins or that names turns
/// which do not exist.
#[doc(alias = "ggop:context.archive_thread")]
#[track_caller]
pub fn archive_thread(ranges: &[RangeInclusive<u32>]) -> Result<Reclaimed, ApiError> {
    let ranges: Vec<host::TurnRange> =
        ranges.iter().map(|range| host::TurnRange { first: *range.start(), last: *range.end() }).collect();
    called(host::archive_thread(&ranges)).map(Reclaimed::from_host)
}

/// Searches the turns that were archived, and gives the messages that match best.
///
/// # Arguments
///
/// * `query` - What to look for, in words.
///
/// # Errors
///
/// [`ApiError`]: `InvalidArgument` for an empty query.
#[doc(alias = "ggop:context.search_archive")]
#[track_caller]
pub fn search_archive(query: &str) -> Result<ArchivePage, ApiError> {
    let page = called(host::search_archive(query))?;
    Ok(ArchivePage {
        archive_empty: page.archive_empty,
        hits: page.hits.into_iter().map(|hit| ArchiveHit { seq: hit.seq, role: hit.role, text: hit.text }).collect(),
    })
}

/// Replaces the conversation so far by a summary when the turn closes; the last call stands.
///
/// # Arguments
///
/// * `summary` - What must not be forgotten.
/// * `files` - The files to show beside the summary, relative to the tree; it may be empty.
///
/// # Errors
///
/// [`ApiError`]: `InvalidArgument` for an empty summary, `NotFound` for a missing file.
#[doc(alias = "ggop:context.compact")]
#[track_caller]
pub fn compact(summary: &str, files: &[&str]) -> Result<(), ApiError> {
    let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
    called(host::compact(summary, &files))
}
