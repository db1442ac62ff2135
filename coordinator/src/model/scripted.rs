//! Replies written beforehand: the files of a folder in the order of their names, or the lines of a JSON-lines file.

use super::{Model, ModelError, ModelReply, Request};
use async_trait::async_trait;
use gg_common::event::Usage;
use gg_common::model::ModelBinding;
use gg_common::reply::FinishReason;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A model whose replies were written beforehand. Turn `n` is answered by the `n`th.
#[derive(Debug, Clone, PartialEq)]
pub struct Scripted {
    replies: Vec<ModelReply>,
    table: Option<Box<ModelBinding>>,
}

/// One line of a JSON-lines file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Line {
    text: String,
    #[serde(default)]
    finish_reason: FinishReason,
    #[serde(default)]
    usage: Usage,
}

/// Why replies cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// There is nothing at the path, or it cannot be read.
    #[error("the replies {} cannot be read: {source}; name a folder with a file a reply, or a .jsonl file", path.display())]
    Unreadable {
        /// What could not be read.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// There is no reply.
    #[error("{} holds no reply: put a file a reply into it, in the order of their names", path.display())]
    Empty {
        /// The folder or file.
        path: PathBuf,
    },
    /// Something in the folder is no file.
    #[error("{} is no file, and a folder of replies holds files only: move it elsewhere", path.display())]
    NotAFile {
        /// What is no file.
        path: PathBuf,
    },
    /// A line is not a reply.
    #[error("line {line} of {} is no reply: {message}; write {{\"text\": …}}, with \"finishReason\" and \"usage\" where they matter", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        message: String,
    },
}

impl Scripted {
    /// These replies.
    pub fn new(replies: Vec<ModelReply>) -> Scripted {
        Scripted { replies, table: None }
    }

    /// The same, with the table that names it.
    pub(super) fn bound_by(self, table: ModelBinding) -> Scripted {
        Scripted { table: Some(Box::new(table)), ..self }
    }

    /// How many replies there are.
    pub fn len(&self) -> usize {
        self.replies.len()
    }

    /// Whether there is no reply.
    pub fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }

    /// Reads replies from a folder or a JSON-lines file; everything that is wrong with them otherwise.
    pub fn read(path: &Path) -> Result<Scripted, Vec<ScriptError>> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            move |source| vec![ScriptError::Unreadable { path, source }]
        };
        let kind = std::fs::metadata(path).map_err(unreadable(path))?;
        let replies = if kind.is_dir() {
            read_folder(path)?
        } else {
            read_lines(path, &gg_common::regular::read(path).map_err(unreadable(path))?)?
        };
        if replies.is_empty() {
            return Err(vec![ScriptError::Empty { path: path.to_owned() }]);
        }
        Ok(Scripted::new(replies))
    }
}

/// The files of a folder as replies, byte for byte, in the order of their names; hidden ones are passed over.
fn read_folder(folder: &Path) -> Result<Vec<ModelReply>, Vec<ScriptError>> {
    let unreadable = |path: &Path, source| ScriptError::Unreadable { path: path.to_owned(), source };
    let entries = std::fs::read_dir(folder)
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .map_err(|source| vec![unreadable(folder, source)])?;
    let mut names: Vec<_> = entries
        .into_iter()
        .map(|entry| entry.file_name())
        .filter(|name| !name.as_encoded_bytes().starts_with(b"."))
        .collect();
    names.sort();
    let (mut replies, mut problems) = (Vec::new(), Vec::new());
    for name in names {
        let path = folder.join(name);
        match std::fs::metadata(&path) {
            Ok(kind) if !kind.is_file() => problems.push(ScriptError::NotAFile { path }),
            Ok(_) => match gg_common::regular::read(&path) {
                Ok(bytes) => replies.push(ModelReply { bytes, ..ModelReply::default() }),
                Err(source) => problems.push(unreadable(&path, source)),
            },
            Err(source) => problems.push(unreadable(&path, source)),
        }
    }
    if problems.is_empty() { Ok(replies) } else { Err(problems) }
}

/// The lines of a file as replies; blank ones are passed over.
fn read_lines(path: &Path, bytes: &[u8]) -> Result<Vec<ModelReply>, Vec<ScriptError>> {
    let (mut replies, mut problems) = (Vec::new(), Vec::new());
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice::<Line>(line) {
            Ok(Line { text, finish_reason, usage }) => {
                replies.push(ModelReply { bytes: text.into_bytes(), finish_reason, usage, call: None });
            }
            Err(error) => problems.push(ScriptError::Line {
                path: path.to_owned(),
                line: index + 1,
                // The line within the line says nothing.
                message: error.to_string().replace(" at line 1 column ", " at column "),
            }),
        }
    }
    if problems.is_empty() { Ok(replies) } else { Err(problems) }
}

#[async_trait]
impl Model for Scripted {
    async fn reply(&self, request: Request<'_>) -> Result<Option<ModelReply>, ModelError> {
        Ok(self.replies.get((request.turn as usize).saturating_sub(1)).cloned())
    }

    fn binding(&self) -> Option<ModelBinding> {
        self.table.as_deref().cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_gives_its_files_in_the_order_of_their_names_byte_for_byte() {
        let folder = tempfile::tempdir().expect("tempdir");
        for (name, bytes) in [("02.py", &b"second\r\n\xff"[..]), ("01.txt", b"first"), (".hidden", b"x"), ("03", b"")] {
            std::fs::write(folder.path().join(name), bytes).expect("write");
        }
        let script = Scripted::read(folder.path()).expect("script");
        let bytes: Vec<_> = script.replies.iter().map(|reply| reply.bytes.as_slice()).collect();
        assert_eq!(bytes, [&b"first"[..], b"second\r\n\xff", b""]);
    }

    #[test]
    fn lines_carry_why_the_model_stopped_and_what_it_used() {
        let folder = tempfile::tempdir().expect("tempdir");
        let path = folder.path().join("replies.jsonl");
        let text = "{\"text\": \"a\\u00e9\"}\n\n{\"text\": \"b\", \"finishReason\": \"length\", \"usage\": {\"inputTokens\": 7, \"outputTokens\": 2}}\n";
        std::fs::write(&path, text).expect("write");
        let script = Scripted::read(&path).expect("script");
        assert_eq!(script.len(), 2);
        assert_eq!(script.replies[0].bytes, "aé".as_bytes());
        assert_eq!(script.replies[1].finish_reason, FinishReason::Length);
        assert_eq!(script.replies[1].usage, Usage { input_tokens: 7, output_tokens: 2, ..Usage::default() });
    }

    #[test]
    fn everything_that_is_wrong_is_named_with_its_file_and_line() {
        let folder = tempfile::tempdir().expect("tempdir");
        let read =
            |path: &Path| Scripted::read(path).expect_err("wrong").iter().map(ToString::to_string).collect::<Vec<_>>();
        let missing = read(&folder.path().join("nowhere"));
        assert!(missing[0].contains("nowhere") && missing[0].contains("name a folder"), "{missing:?}");
        let empty = read(folder.path());
        assert!(empty[0].contains("holds no reply"), "{empty:?}");
        std::fs::create_dir(folder.path().join("sub")).expect("folder");
        assert!(read(folder.path())[0].contains("sub is no file"));
        let lines = folder.path().join("replies.jsonl");
        std::fs::write(&lines, "{\"text\": \"a\"}\n{\"tex\": \"b\"}\nnot json\n{\"text\": 3}\n").expect("write");
        let problems = read(&lines);
        assert_eq!(problems.len(), 3, "{problems:#?}");
        assert!(problems[0].starts_with("line 2 of ") && problems[0].contains("`tex`"), "{problems:#?}");
        assert!(problems[1].starts_with("line 3 of "), "{problems:#?}");
        assert!(problems[2].starts_with("line 4 of "), "{problems:#?}");
    }
}
