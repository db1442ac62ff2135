//! Files of the agent's tree: read, write, edit, list and search them.
//!
//! Paths are relative to the tree; `/work/…` means the same. The tree is also the current
//! directory, so `std::fs` reaches the same files where the profile allows it.
#![doc(alias = "ggmodule:files")]

use crate::bindings::gg::sandbox::files as host;
use crate::core::{ApiError, called};

/// Which lines of a file to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The first line, counted from 1; the file's first where it is `None`.
    pub offset: Option<u32>,
    /// How many lines; as many as the byte cap allows where it is `None`.
    pub limit: Option<u32>,
}

/// Where to search, and how much to give.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchOptions {
    /// The directory or file to search in, relative to the tree; the whole tree where it is `None`.
    pub path: Option<String>,
    /// How many matches to give at most.
    pub limit: Option<u32>,
}

/// What a read of a file found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileRead {
    /// A window of lines of a text file.
    Text(TextFile),
    /// A picture, recognised by its first bytes.
    Image(ImageFile),
}

/// A window of lines of a text file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// The text of the window.
    pub contents: String,
    /// Number of the window's first line, counted from 1; 0 where the window is empty.
    pub first_line: u32,
    /// Number of the window's last line, counted from 1; 0 where the window is empty.
    pub last_line: u32,
    /// How many lines the whole file has.
    pub total_lines: u32,
    /// Whether the window was cut at the byte cap: go on reading at `last_line + 1`.
    pub byte_truncated: bool,
}

/// A picture, recognised by its first bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageFile {
    /// Its media type, such as `image/png`.
    pub media_type: String,
    /// The label under which the model is shown the picture.
    pub label: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Whether the model is shown the picture.
    pub shown: bool,
    /// Why it is not shown; `None` where it is.
    pub not_shown_reason: Option<String>,
}

/// What an entry of a directory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Anything else, such as a symbolic link.
    Other,
}

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    /// Its name, without the directory.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// One line that matches a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchMatch {
    /// The file, relative to the tree.
    pub path: String,
    /// The number of the line, counted from 1.
    pub line: u32,
    /// The line.
    pub text: String,
}

impl FileRead {
    pub(crate) fn from_host(contents: host::FileContents) -> Self {
        match contents {
            host::FileContents::Text(text) => FileRead::Text(TextFile {
                contents: text.contents,
                first_line: text.first_line,
                last_line: text.last_line,
                total_lines: text.total_lines,
                byte_truncated: text.byte_truncated,
            }),
            host::FileContents::Image(image) => FileRead::Image(ImageFile {
                media_type: image.media_type,
                label: image.label,
                bytes: image.bytes,
                shown: image.shown,
                not_shown_reason: image.not_shown_reason,
            }),
        }
    }
}

/// Reads a window of lines of a text file, or recognises a picture by its first bytes.
///
/// # Arguments
///
/// * `path` - The file, relative to the tree.
/// * `options` - Which lines to read; all of them by `files::ReadOptions::default()`.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such file, `InvalidArgument` for a directory or a
/// path outside the tree, `IoError` where it cannot be read.
#[doc(alias = "ggop:files.read_file")]
#[track_caller]
pub fn read_file(path: &str, options: ReadOptions) -> Result<FileRead, ApiError> {
    called(host::read_file(path, options.offset, options.limit)).map(FileRead::from_host)
}

/// Reads a window of lines of a text file as one string.
///
/// # Arguments
///
/// * `path` - The file, relative to the tree.
/// * `options` - Which lines to read; all of them by `files::ReadOptions::default()`.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such file, `InvalidArgument` for a picture, a
/// directory or a path outside the tree, `IoError` where it cannot be read.
#[doc(alias = "ggop:files.read_text_file")]
#[track_caller]
pub fn read_text_file(path: &str, options: ReadOptions) -> Result<String, ApiError> {
    called(host::read_text_file(path, options.offset, options.limit))
}

/// Writes a whole text file, making the directories that it needs, and gives the bytes written.
///
/// # Arguments
///
/// * `path` - The file, relative to the tree; one that exists is replaced.
/// * `contents` - The whole text.
///
/// # Errors
///
/// [`ApiError`]: `InvalidArgument` for a path outside the tree, `LimitExceeded` where the tree
/// would grow too large, `IoError` where it cannot be written.
#[doc(alias = "ggop:files.write_file")]
#[track_caller]
pub fn write_file(path: &str, contents: &str) -> Result<u64, ApiError> {
    called(host::write_file(path, contents))
}

/// Replaces the one occurrence of a text in a file.
///
/// # Arguments
///
/// * `path` - The file, relative to the tree.
/// * `old` - The text to replace, exactly as it stands; it must occur once.
/// * `new` - The text to put in its place.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where the file or the text is missing, `Conflict` where the text
/// occurs several times (the message says how often).
#[doc(alias = "ggop:files.edit_file")]
#[track_caller]
pub fn edit_file(path: &str, old: &str, new: &str) -> Result<(), ApiError> {
    called(host::edit_file(path, old, new))
}

/// Lists the entries of a directory, by name; an empty directory gives an empty list.
///
/// # Arguments
///
/// * `path` - The directory, relative to the tree; the tree itself where it is `None`.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such directory, `InvalidArgument` where the path
/// names a file or leads outside the tree.
#[doc(alias = "ggop:files.list_dir")]
#[track_caller]
pub fn list_dir(path: Option<&str>) -> Result<Vec<DirEntry>, ApiError> {
    let entries = called(host::list_dir(path))?;
    Ok(entries
        .into_iter()
        .map(|entry| DirEntry {
            name: entry.name,
            kind: match entry.kind {
                host::EntryKind::File => EntryKind::File,
                host::EntryKind::Directory => EntryKind::Directory,
                host::EntryKind::Other => EntryKind::Other,
            },
        })
        .collect())
}

/// Searches the lines of files by a regular expression, and gives those that match by path and line.
///
/// What `.gitignore` names and binary files are skipped. The expression has the syntax of the
/// `regex` crate.
///
/// # Arguments
///
/// * `query` - The regular expression.
/// * `options` - Where to search and how much to give; the whole tree by `files::SearchOptions::default()`.
///
/// # Errors
///
/// [`ApiError`]: `InvalidArgument` for a bad expression (the message says where), `NotFound`
/// where there is no such path.
#[doc(alias = "ggop:files.search")]
#[track_caller]
pub fn search(query: &str, options: SearchOptions) -> Result<Vec<SearchMatch>, ApiError> {
    let matches = called(host::search(query, options.path.as_deref(), options.limit))?;
    Ok(matches.into_iter().map(|m| SearchMatch { path: m.path, line: m.line, text: m.text }).collect())
}
