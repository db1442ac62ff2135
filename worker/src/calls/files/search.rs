//! Searching the tree's files for a regular expression.
//!
//! As ripgrep does it, with these choices:
//! - `.gitignore` and `.ignore` files of the tree are honoured, whether or not it is a repository; nothing above the tree
//!   is read. What the search is pointed at is searched even where they exclude it.
//! - Hidden files are searched; `.git` is not.
//! - Symlinks are not followed, apart from those in the path that the search is pointed at. FIFOs, sockets and devices
//!   are not opened. Files that cannot be read, and those that hold a NUL byte, are passed over.
//! - Results are in the order of their paths, component by component in the order of bytes, then by line.
//! - A line comes without its end. Of one longer than [`LINE_CHARS`] the part around the first match is shown, with `…`
//!   where something is missing.

use super::open::{open_regular, open_regular_at, read_bounded};
use super::path::TreePath;
use super::problem::FileProblem;
use cap_std::fs::Dir;
use gg_common::limits::TREE_DEPTH;
use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, MmapChoice, Searcher, SearcherBuilder, Sink, SinkMatch};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// How many results there are where the call does not say.
pub const DEFAULT_LIMIT: u32 = 100;
/// How many results there can be.
pub const MOST: u32 = 1_000;
/// How much of a line is shown, in characters.
pub const LINE_CHARS: usize = 500;
/// What may come before the match where a line is shortened, in characters.
const LEAD_CHARS: usize = 100;
/// A line longer than this ends the search of its file, in bytes: it is held whole.
const HEAP_BYTES: usize = 16 * 1024 * 1024;
/// What one ignore file may hold, in bytes. Larger ones are passed over.
const IGNORE_BYTES: u64 = 1024 * 1024;
/// What a compiled expression may take, in bytes.
const REGEX_BYTES: usize = 10 * 1024 * 1024;

/// One line that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The file, relative to the tree.
    pub path: String,
    /// The line, from 1.
    pub line: u64,
    /// The line's text.
    pub text: String,
}

/// Searches below `path` for lines that match `query`, at most `limit` of them.
pub fn search(dir: &Dir, query: &str, path: &TreePath, limit: Option<u32>) -> Result<Vec<Hit>, FileProblem> {
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MOST).contains(&limit) {
        return Err(FileProblem::Argument(format!("limit is {limit}: it must be between 1 and {MOST}")));
    }
    let mut searching = Searching {
        matcher: matcher(query)?,
        searcher: SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .binary_detection(BinaryDetection::quit(0))
            .memory_map(MmapChoice::never())
            .heap_limit(Some(HEAP_BYTES))
            .build(),
        hits: Vec::new(),
        limit: limit as usize,
        ignores: Vec::new(),
    };
    let failed = |e: io::Error| FileProblem::from_io("searching", path.as_str(), &e);
    let start = dir.canonicalize(path.as_path()).map_err(|e| match failed(e) {
        FileProblem::NotFound { path: text, .. } => {
            FileProblem::NotFound { path: text, near: super::near::near_paths(dir, path.as_path()) }
        }
        problem => problem,
    })?;
    let start: PathBuf = start.components().filter(|c| !matches!(c, std::path::Component::CurDir)).collect();
    let kind = dir.metadata(in_tree(&start)).map_err(failed)?.file_type();
    if !kind.is_dir() {
        let name = TreePath::from_walk(&start);
        open_regular(dir, &name)?;
        searching.file(dir, &name, &start);
        return Ok(searching.hits);
    }
    let mut above = PathBuf::new();
    for component in start.components() {
        searching.enter(dir, &above);
        above.push(component);
    }
    searching.directory(dir, &start, 0);
    Ok(searching.hits)
}

fn in_tree(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

fn matcher(query: &str) -> Result<RegexMatcher, FileProblem> {
    let wrong = |message: String| FileProblem::Argument(message);
    if query.is_empty() {
        return Err(wrong("the regular expression is empty: it would match every line".to_owned()));
    }
    if let Err(error) = regex_syntax::Parser::new().parse(query) {
        let (what, span) = match &error {
            regex_syntax::Error::Parse(e) => (e.kind().to_string(), Some(e.span())),
            regex_syntax::Error::Translate(e) => (e.kind().to_string(), Some(e.span())),
            other => (other.to_string(), None),
        };
        let at = span.map_or(String::new(), |span| {
            let before = query.get(..span.start.offset).unwrap_or_default().chars().count();
            format!(" at character {}", before + 1)
        });
        return Err(wrong(format!("the regular expression `{query}` is wrong{at}: {what}")));
    }
    RegexMatcherBuilder::new()
        .multi_line(true)
        .crlf(true)
        .size_limit(REGEX_BYTES)
        .dfa_size_limit(REGEX_BYTES)
        .build(query)
        .map_err(|error| match error.kind() {
            grep_regex::ErrorKind::NotAllowed(_) => {
                let at = query.find("\\n").or(query.find('\n')).unwrap_or(0);
                let before = query.get(..at).unwrap_or_default().chars().count();
                wrong(format!(
                    "the regular expression `{query}` asks for the end of a line at character {}, and lines are searched one by one: leave it out",
                    before + 1
                ))
            }
            _ => wrong(format!("the regular expression `{query}` cannot be used: {error}")),
        })
}

struct Searching {
    matcher: RegexMatcher,
    searcher: Searcher,
    hits: Vec<Hit>,
    limit: usize,
    /// The rules of the directories from the root down, each with how many components are above it.
    ignores: Vec<(usize, Vec<Gitignore>)>,
}

impl Searching {
    fn is_full(&self) -> bool {
        self.hits.len() >= self.limit
    }

    fn enter(&mut self, root: &Dir, path: &Path) {
        // The order of precedence.
        let rules = [".ignore", ".gitignore"].into_iter().filter_map(|name| rules(root, &path.join(name))).collect();
        self.ignores.push((path.components().count(), rules));
    }

    fn is_ignored(&self, path: &Path, is_directory: IsDirectory) -> bool {
        for (above, rules) in self.ignores.iter().rev() {
            let relative: PathBuf = path.components().skip(*above).collect();
            for rule in rules {
                match rule.matched(&relative, is_directory == IsDirectory::Yes) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
        }
        false
    }

    fn directory(&mut self, root: &Dir, path: &Path, depth: u64) {
        if depth > TREE_DEPTH {
            return;
        }
        // What cannot be listed is passed over, as what cannot be read is.
        let Ok(entries) = root.read_dir(in_tree(path)) else { return };
        let mut entries: Vec<(OsString, cap_std::fs::FileType)> =
            entries.flatten().filter_map(|entry| Some((entry.file_name(), entry.file_type().ok()?))).collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        self.enter(root, path);
        for (name, kind) in entries {
            if self.is_full() {
                break;
            }
            let inner = path.join(&name);
            if kind.is_dir() {
                if name != ".git" && !self.is_ignored(&inner, IsDirectory::Yes) {
                    self.directory(root, &inner, depth + 1);
                }
            } else if kind.is_file() && !self.is_ignored(&inner, IsDirectory::No) {
                self.file(root, &TreePath::from_walk(&inner), &inner);
            }
        }
        self.ignores.pop();
    }

    fn file(&mut self, root: &Dir, name: &TreePath, path: &Path) {
        // By its name as bytes, which need not be UTF-8.
        let Ok(opened) = open_regular_at(root, path) else { return };
        let before = self.hits.len();
        let mut sink = Lines {
            matcher: &self.matcher,
            path: name.as_str(),
            left: self.limit - before,
            hits: &mut self.hits,
            binary: Binary::No,
        };
        let searched = self.searcher.search_file(&self.matcher, &opened.file, &mut sink);
        if searched.is_err() || sink.binary == Binary::Yes {
            self.hits.truncate(before);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IsDirectory {
    Yes,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binary {
    Yes,
    No,
}

fn rules(root: &Dir, path: &Path) -> Option<Gitignore> {
    let opened = open_regular_at(root, path).ok()?;
    let bytes = read_bounded(opened, &TreePath::from_walk(path), IGNORE_BYTES).ok()?;
    let mut builder = GitignoreBuilder::new(".");
    for line in String::from_utf8_lossy(&bytes).lines() {
        // A line that is no pattern excludes nothing, as git has it.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

struct Lines<'a> {
    matcher: &'a RegexMatcher,
    path: &'a str,
    left: usize,
    hits: &'a mut Vec<Hit>,
    binary: Binary,
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        use grep_matcher::Matcher as _;
        let bytes = found.bytes();
        let end = bytes.iter().rposition(|b| !matches!(b, b'\n' | b'\r')).map_or(0, |last| last + 1);
        let line = &bytes[..end];
        let at = self.matcher.find(line).ok().flatten().map_or(0, |m| m.start());
        self.hits.push(Hit {
            path: self.path.to_owned(),
            line: found.line_number().unwrap_or(0),
            text: shown(&String::from_utf8_lossy(line), at),
        });
        self.left -= 1;
        Ok(self.left > 0)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.binary = Binary::Yes;
        Ok(false)
    }
}

/// A line, or the part of it around the byte `at`.
fn shown(line: &str, at: usize) -> String {
    let total = line.chars().count();
    if total <= LINE_CHARS {
        return line.to_owned();
    }
    let before = line.char_indices().take_while(|(start, _)| *start < at).count();
    let first = before.saturating_sub(LEAD_CHARS).min(total - LINE_CHARS);
    let part: String = line.chars().skip(first).take(LINE_CHARS).collect();
    let mark = |missing: bool| if missing { "…" } else { "" };
    format!("{}{part}{}", mark(first > 0), mark(first + LINE_CHARS < total))
}

#[cfg(test)]
mod tests;
