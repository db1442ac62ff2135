//! What the model reads after the turn: files, texts and documentation that a program shows.
#![doc(alias = "ggmodule:views")]

use crate::bindings::gg::sandbox::views as host;
use crate::core::{ApiError, called};
use crate::files::{FileRead, ReadOptions};

/// What a view shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ViewKind {
    /// A window of a file.
    File,
    /// A text of a program.
    Text,
    /// The documentation of a call or a type.
    Docs,
    /// What a search of the documentation found.
    SearchResults,
}

/// An open view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewEntry {
    /// What it shows.
    pub kind: ViewKind,
    /// Its name, by which [`close`] takes it: a path, a label or a key.
    pub selector: String,
    /// About how many tokens it takes of the model's window.
    pub tokens: u32,
    /// The lines of the file that it shows; `None` for the whole file and for other kinds.
    pub region: Option<String>,
}

impl ViewEntry {
    /// Closes the views that have this view's selector, and says how many were closed.
    ///
    /// # Errors
    ///
    /// [`ApiError`]: `Unavailable` where this agent may not close views.
    #[doc(alias = "ggalias:views.close")]
    #[track_caller]
    pub fn close(&self) -> Result<u32, ApiError> {
        close(&self.selector)
    }
}

/// Reads a window of a file and shows it to the model after the turn.
///
/// # Arguments
///
/// * `path` - The file, relative to the tree.
/// * `options` - Which lines to show; all of them by `gg::files::ReadOptions::default()`.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such file, `InvalidArgument` for a directory or a
/// path outside the tree, `IoError` where it cannot be read.
#[doc(alias = "ggop:views.open_file")]
#[track_caller]
pub fn open_file(path: &str, options: ReadOptions) -> Result<FileRead, ApiError> {
    called(host::open_file(path, options.offset, options.limit)).map(FileRead::from_host)
}

/// Shows a text to the model after the turn; the same label replaces an earlier one.
///
/// # Arguments
///
/// * `label` - The name of the view, at most 200 bytes.
/// * `body` - The text, at most 65,536 bytes.
///
/// # Errors
///
/// [`ApiError`]: `LimitExceeded` for a label or a text that is too long: nothing is ever cut, so
/// show a part of it or write it to a file.
#[doc(alias = "ggop:views.open_text")]
#[track_caller]
pub fn open_text(label: &str, body: &str) -> Result<(), ApiError> {
    called(host::open_text(label, body))
}

/// Shows the documentation of a call or a type to the model after the turn.
///
/// # Arguments
///
/// * `name` - The full name, such as `files::read_file`, or the bare one where it is unique.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where nothing is called so; the message lists near names.
#[doc(alias = "ggop:views.open_docs_view")]
#[track_caller]
pub fn open_docs_view(name: &str) -> Result<(), ApiError> {
    called(host::open_docs_view(name))
}

/// Closes the views that have a selector, so that the model reads them no more, and says how many.
///
/// # Arguments
///
/// * `selector` - The path, label or key that [`current`] gives.
///
/// # Errors
///
/// [`ApiError`]: `Unavailable` where this agent may not close views.
#[doc(alias = "ggop:views.close")]
#[track_caller]
pub fn close(selector: &str) -> Result<u32, ApiError> {
    called(host::close(selector))
}

/// Lists the open views in the order in which the model reads them, with what they take of its window.
///
/// # Errors
///
/// [`ApiError`]: `Unavailable` where this agent does not manage its window.
#[doc(alias = "ggop:views.current")]
#[track_caller]
pub fn current() -> Result<Vec<ViewEntry>, ApiError> {
    let entries = called(host::current())?;
    Ok(entries
        .into_iter()
        .map(|entry| ViewEntry {
            kind: match entry.kind {
                host::ViewKind::File => ViewKind::File,
                host::ViewKind::Text => ViewKind::Text,
                host::ViewKind::Docs => ViewKind::Docs,
                host::ViewKind::SearchResults => ViewKind::SearchResults,
            },
            selector: entry.selector,
            tokens: entry.tokens,
            region: entry.region,
        })
        .collect())
}
