//! What file calls are made of.
//!
//! Every path that a program gives becomes a [`TreePath`] and is resolved by the kernel beneath the tree's directory
//! (`cap-std`, `openat2` with `RESOLVE_BENEATH`): `..`, symlinks and whatever changes meanwhile lead nowhere else. A link
//! that stays inside the tree is followed; an absolute one is not, even to the tree itself. Nothing here opens a FIFO,
//! socket or device, or waits for one. Where a worker has the means, all of it runs with the agent's own rights
//! ([`crate::home::identity`]).

pub mod edit;
pub mod list;
pub mod near;
pub mod open;
pub mod path;
pub mod picture;
pub mod problem;
pub mod search;
pub mod window;
pub mod write;

pub use problem::{FileProblem, ProblemCode};

use super::{Turn, error};
use crate::contract::files::{DirEntry, EntryKind, FileContents, ImageFile, SearchMatch, TextFile};
use crate::contract::{ApiError, ErrorCode};
use crate::home::tree::{DISK_RESERVE, TreeError, usage};
use cap_std::fs::Dir;
use gg_common::operation::Operation;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::time::Instant;

/// Does the work of a call in the tree, as the agent's user.
fn in_tree<T>(
    turn: &mut Turn<'_>,
    operation: Operation,
    work: impl FnOnce(&Dir) -> Result<T, FileProblem>,
) -> Result<T, ApiError> {
    match turn.home.as_owner(work) {
        Ok(result) => result.map_err(|problem| api_error(operation, &problem)),
        Err(refused) => {
            turn.fault = Some(format!("the worker cannot take the rights of the agent's user: {refused}").into());
            Err(error(operation, ErrorCode::IoError, "the tree cannot be reached"))
        }
    }
}

fn api_error(operation: Operation, problem: &FileProblem) -> ApiError {
    let code = match problem.code() {
        ProblemCode::InvalidArgument => ErrorCode::InvalidArgument,
        ProblemCode::NotFound => ErrorCode::NotFound,
        ProblemCode::Conflict => ErrorCode::Conflict,
        ProblemCode::LimitExceeded => ErrorCode::LimitExceeded,
        ProblemCode::Io => ErrorCode::IoError,
    };
    error(operation, code, problem.to_string())
}

/// The selector that views of this path have.
pub(super) fn selector(operation: Operation, path: &str) -> Result<String, ApiError> {
    path::tree_path(path).map(|path| path.to_string()).map_err(|problem| api_error(operation, &problem))
}

/// What a line number or count may be in the contract.
fn narrow(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A picture's first bytes that tell its type.
const HEAD_BYTES: u64 = 64;

/// Reads a window of a text, or recognises a picture. Gives the path as a selector as well.
pub(super) fn read(
    turn: &mut Turn<'_>,
    operation: Operation,
    path: &str,
    offset: Option<u32>,
    limit: Option<u32>,
    max_bytes: u64,
) -> Result<(String, FileContents), ApiError> {
    in_tree(turn, operation, |dir| {
        let path = path::tree_path(path)?;
        let wanted = window::Wanted::new(offset, limit, max_bytes)?;
        let mut opened = open::open_regular(dir, &path)?;
        let failed = |e: std::io::Error| FileProblem::from_io("reading", path.as_str(), &e);
        let mut head = Vec::new();
        (&mut opened.file).take(HEAD_BYTES).read_to_end(&mut head).map_err(failed)?;
        if let Some(media_type) = picture::picture_type(&head) {
            let image = ImageFile {
                media_type: media_type.to_owned(),
                label: path.to_string(),
                bytes: opened.length,
                shown: false,
                not_shown_reason: Some("this version shows no pictures to a model".to_owned()),
            };
            return Ok((path.to_string(), FileContents::Image(image)));
        }
        opened.file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let window =
            window::read_window(BufReader::new(opened.file), wanted).map_err(|e| open::window_problem(e, &path))?;
        let text = TextFile {
            contents: window.contents,
            first_line: narrow(window.first_line),
            last_line: narrow(window.last_line),
            total_lines: narrow(window.total_lines),
            byte_truncated: window.byte_truncated,
        };
        Ok((path.to_string(), FileContents::Text(text)))
    })
}

/// `files.read_file`
pub fn read_file(
    turn: &mut Turn<'_>,
    path: String,
    offset: Option<u32>,
    limit: Option<u32>,
) -> Result<FileContents, ApiError> {
    let max_bytes = turn.profile.limits.read_bytes;
    read(turn, Operation::FilesReadFile, &path, offset, limit, max_bytes).map(|(_, contents)| contents)
}

/// `files.read_text_file`: a string has no room to say that it was cut, so more than the bound is refused.
pub fn read_text_file(
    turn: &mut Turn<'_>,
    path: String,
    offset: Option<u32>,
    limit: Option<u32>,
) -> Result<String, ApiError> {
    let operation = Operation::FilesReadTextFile;
    let max_bytes = turn.profile.limits.read_bytes;
    match read(turn, operation, &path, offset, limit, max_bytes)?.1 {
        FileContents::Image(image) => Err(error(
            operation,
            ErrorCode::InvalidArgument,
            format!(
                "`{}` is a picture ({}): read_file tells of it, and no text can be read from it",
                image.label, image.media_type
            ),
        )),
        FileContents::Text(text) if text.byte_truncated => Err(error(
            operation,
            ErrorCode::LimitExceeded,
            format!(
                "the lines hold more than the {max_bytes} bytes that one read gives (limit readBytes): read fewer lines with offset and limit"
            ),
        )),
        FileContents::Text(text) => Ok(text.contents),
    }
}

/// Refuses to write past what the tree may hold, before anything is written.
fn room(turn: &mut Turn<'_>, operation: Operation, bytes: usize) -> Result<(), ApiError> {
    turn.written_bytes += bytes as u64;
    let limits = turn.tree_limits;
    // What was there before the turn was within the limits: a look is needed only when this turn's own writes come near.
    if turn.written_bytes <= limits.bytes / 64 && turn.writes < limits.entries / 64 {
        turn.writes += 1;
        return Ok(());
    }
    turn.writes += 1;
    let over = match usage(&turn.home.tree_folder(), &limits) {
        Ok(mut used) => {
            used.entries += 1;
            used.apparent_bytes = used.apparent_bytes.saturating_add(bytes as u64);
            limits.check(&used).err()
        }
        Err(problem) => Some(problem),
    };
    match over {
        None => Ok(()),
        Some(problem @ TreeError::Limit { name: DISK_RESERVE, .. }) => {
            Err(error(operation, ErrorCode::LimitExceeded, format!("{problem}: write less")))
        }
        Some(TreeError::Limit { name, limit, .. }) => {
            let unit = if name == "treeBytes" { "bytes" } else { "files, directories and links" };
            let message = format!(
                "the tree would hold more than the {limit} {unit} that it may (limit {name}): remove what is not needed, or write less"
            );
            Err(error(operation, ErrorCode::LimitExceeded, message))
        }
        Some(problem) => Err(error(operation, ErrorCode::IoError, problem.to_string())),
    }
}

/// `files.write_file`
pub fn write_file(turn: &mut Turn<'_>, path: String, contents: String) -> Result<u64, ApiError> {
    let operation = Operation::FilesWriteFile;
    room(turn, operation, contents.len())?;
    in_tree(turn, operation, |dir| write::write_file(dir, &path::tree_path(&path)?, contents.as_bytes()))
}

/// `files.edit_file`
pub fn edit_file(turn: &mut Turn<'_>, path: String, old: String, new: String) -> Result<(), ApiError> {
    let operation = Operation::FilesEditFile;
    let bound = turn.profile.limits.read_bytes;
    room(turn, operation, new.len())?;
    in_tree(turn, operation, |dir| {
        let path = path::tree_path(&path)?;
        let bytes = open::read_bounded(open::open_regular(dir, &path)?, &path, bound)?;
        let text = open::into_text(bytes, &path)?;
        let edited = edit::replace_once(path.as_str(), &text, &old, &new)?;
        write::write_file(dir, &path, edited.as_bytes()).map(drop)
    })
}

/// `files.list_dir`
pub fn list_dir(turn: &mut Turn<'_>, path: Option<String>) -> Result<Vec<DirEntry>, ApiError> {
    in_tree(turn, Operation::FilesListDir, |dir| {
        let path = path.as_deref().map_or_else(|| Ok(path::TreePath::root()), path::tree_path)?;
        list::list_dir(dir, &path).map(|entries| {
            entries
                .into_iter()
                .map(|entry| DirEntry {
                    name: entry.name,
                    kind: match entry.kind {
                        list::Kind::File => EntryKind::File,
                        list::Kind::Directory => EntryKind::Directory,
                        list::Kind::Other => EntryKind::Other,
                    },
                })
                .collect()
        })
    })
}

/// `files.search`
pub fn search(
    turn: &mut Turn<'_>,
    query: String,
    path: Option<String>,
    limit: Option<u32>,
) -> Result<Vec<SearchMatch>, ApiError> {
    let deadline = Instant::now() + turn.time_left();
    in_tree(turn, Operation::FilesSearch, |dir| {
        let path = path.as_deref().map_or_else(|| Ok(path::TreePath::root()), path::tree_path)?;
        let hits = search::search(dir, &query, &path, limit, deadline)?;
        Ok(hits.into_iter().map(|hit| SearchMatch { path: hit.path, line: narrow(hit.line), text: hit.text }).collect())
    })
}
