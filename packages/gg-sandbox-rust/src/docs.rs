//! The documentation of what this agent can call.
#![doc(alias = "ggmodule:docs")]

use crate::bindings::gg::sandbox::docs as host;
use crate::core::{ApiError, called};

/// What an entry of the documentation describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A call.
    Operation,
    /// A type that calls take or give.
    Type,
    /// A module of calls.
    Module,
    /// A second name of a call.
    Alias,
}

/// What narrows a search of the documentation, and which of what it finds is given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchOptions {
    /// Only entries of this module.
    pub module: Option<String>,
    /// Only calls that take or give this type, named in full, such as `files::FileRead`.
    pub type_name: Option<String>,
    /// Only entries of this kind.
    pub kind: Option<EntryKind>,
    /// How many of the best to leave out; none where it is `None`.
    pub offset: Option<u32>,
    /// How many to give, at most 100; 20 where it is `None`.
    pub limit: Option<u32>,
}

/// An entry of the documentation that matches a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocHit {
    /// Its key, by which [`close`] and `views::open_docs_view` take it.
    pub key: String,
    /// What it describes.
    pub kind: EntryKind,
    /// The module that it is in.
    pub module: String,
    /// Its bare name.
    pub name: String,
    /// What it is for, in a sentence.
    pub summary: String,
}

/// What a search of the documentation found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocPage {
    /// How many entries match.
    pub total: u32,
    /// How many of the best were left out.
    pub offset: u32,
    /// The entries, best first.
    pub hits: Vec<DocHit>,
}

impl EntryKind {
    fn to_host(self) -> host::EntryKind {
        match self {
            EntryKind::Operation => host::EntryKind::Operation,
            EntryKind::Type => host::EntryKind::Type,
            EntryKind::Module => host::EntryKind::Module,
            EntryKind::Alias => host::EntryKind::Alias,
        }
    }

    fn from_host(kind: host::EntryKind) -> Self {
        match kind {
            host::EntryKind::Operation => EntryKind::Operation,
            host::EntryKind::Type => EntryKind::Type,
            host::EntryKind::Module => EntryKind::Module,
            host::EntryKind::Alias => EntryKind::Alias,
        }
    }
}

/// Finds calls and types by what they do, and shows the model what was found.
///
/// # Arguments
///
/// * `query` - What the call should do, in words; it may be empty where a filter is given.
/// * `options` - What narrows the search; nothing by `docs::SearchOptions::default()`.
///
/// # Errors
///
/// [`ApiError`]: `InvalidArgument` where neither a query nor a filter is given, or for a bad
/// `limit`.
#[doc(alias = "ggop:docs.search")]
#[track_caller]
pub fn search(query: &str, options: SearchOptions) -> Result<DocPage, ApiError> {
    let query = host::DocQuery {
        query: query.into(),
        module: options.module,
        type_: options.type_name,
        kind: options.kind.map(EntryKind::to_host),
        offset: options.offset,
        limit: options.limit,
    };
    let page = called(host::search(&query))?;
    Ok(DocPage {
        total: page.total,
        offset: page.offset,
        hits: page
            .hits
            .into_iter()
            .map(|hit| DocHit {
                key: hit.key,
                kind: EntryKind::from_host(hit.kind),
                module: hit.module,
                name: hit.name,
                summary: hit.summary,
            })
            .collect(),
    })
}

/// Closes a view of the documentation, and says how many were closed.
///
/// # Arguments
///
/// * `key` - The entry, such as `files::read_file`.
///
/// # Errors
///
/// [`ApiError`]: `Unavailable` where this agent may not close documentation.
#[doc(alias = "ggop:docs.close")]
#[track_caller]
pub fn close(key: &str) -> Result<u32, ApiError> {
    called(host::close(key))
}

/// Closes all views of the documentation, and says how many were closed.
///
/// # Errors
///
/// [`ApiError`]: `Unavailable` where this agent may not close documentation.
#[doc(alias = "ggop:docs.close_all")]
#[track_caller]
pub fn close_all() -> Result<u32, ApiError> {
    called(host::close_all())
}
