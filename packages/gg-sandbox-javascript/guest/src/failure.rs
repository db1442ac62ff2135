//! From what a program threw to what the model reads.

use rquickjs::{Ctx, Object, Value};

use crate::bindings::gg::sandbox::core::ErrorCode;
use crate::bindings::gg::sandbox::feedback::{Failure, FailureKind, Location};
use crate::{allocator, engine, modules};

/// What stands for a failure that the prelude could not describe for want of memory.
const OUT_OF_MEMORY: &str = "InternalError: out of memory";

/// What is kept of a text that is longer than both together: its beginning, where the
/// message is, and its end, where the frames are.
const HEAD_BYTES: usize = 48 * 1024;
const TAIL_BYTES: usize = 16 * 1024;

pub struct Report {
    kind: FailureKind,
    code: Option<ErrorCode>,
    text: String,
    location: Option<Location>,
}

impl Report {
    pub fn plain(kind: FailureKind, text: String) -> Self {
        Self { kind, code: None, text, location: None }
    }

    pub fn into_failure(self) -> Failure {
        let message = bounded(self.text);
        Failure { kind: self.kind, code: self.code, exit_code: None, message, location: self.location }
    }
}

fn bounded(text: String) -> String {
    if text.len() <= HEAD_BYTES + TAIL_BYTES {
        return text;
    }
    let head = (0..=HEAD_BYTES).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let tail = (text.len() - TAIL_BYTES..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    format!("{}\n[… {} bytes left out …]\n{}", &text[..head], tail - head, &text[tail..])
}

/// Describes a thrown value. `rejected` says that it came from a promise that nothing
/// handled; the program is given by its name and its source.
pub fn describe<'js>(ctx: &Ctx<'js>, value: Value<'js>, rejected: bool, name: &str, source: &str) -> Report {
    // The engine throws `null` where there is no memory left for an error.
    if value.is_null() && allocator::refused() {
        return Report::plain(FailureKind::OutOfMemory, OUT_OF_MEMORY.to_owned());
    }
    allocator::release_reserve();
    let described =
        engine::hook(ctx, "describe").and_then(|hook| hook.call::<_, Object>((value, rejected, name, source)));
    let report = described.and_then(|object| from_object(&object, name, source));
    report.unwrap_or_else(|_| {
        let _ = ctx.catch();
        if allocator::refused() {
            Report::plain(FailureKind::OutOfMemory, OUT_OF_MEMORY.to_owned())
        } else {
            Report::plain(FailureKind::Error, "Uncaught error that throws when it is described".to_owned())
        }
    })
}

fn from_object(object: &Object<'_>, name: &str, source: &str) -> rquickjs::Result<Report> {
    let kind: String = object.get("kind")?;
    let code: Option<String> = object.get("code")?;
    let mut text: String = object.get("text")?;
    let line: Option<u32> = object.get("line")?;
    let column: Option<u32> = object.get("column")?;
    let mut location = line.map(|line| Location { line, column });
    if location.is_none() {
        // Linking a module fails before any of its code runs: the engine has no place for it.
        if let Some(found) = import_place(&text, source) {
            let column = found.column.unwrap_or(1);
            text = format!("{text}\n    at {name}:{}:{column}", found.line);
            location = Some(found);
        }
    }
    Ok(Report { kind: kind_of(&kind), code: code.as_deref().map(code_of), text, location })
}

/// The place in the program of an import that could not be linked.
fn import_place(text: &str, source: &str) -> Option<Location> {
    let quoted = |rest: &str| rest.split('\'').next().map(str::to_owned);
    if let Some((_, rest)) = text.split_once(modules::REFUSAL) {
        let name = quoted(rest)?;
        let at = [format!("\"{name}\""), format!("'{name}'")].iter().filter_map(|needle| source.find(needle)).min()?;
        return Some(place(source, at));
    }
    // As prelude/errors.js words the engine's own message.
    let (before, rest) = text.split_once("' does not provide an export named '")?;
    let module = before.rsplit('\'').next()?;
    let export = quoted(rest)?;
    let clause_end =
        [format!("\"{module}\""), format!("'{module}'")].iter().filter_map(|needle| source.find(needle)).min()?;
    let clause_start = source[..clause_end].rfind("import").unwrap_or(0);
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let at = source[clause_start..clause_end]
        .match_indices(&export)
        .map(|(at, _)| clause_start + at)
        .find(|&at| !source[..at].ends_with(word) && !source[at + export.len()..].starts_with(word));
    Some(place(source, at.unwrap_or(clause_end)))
}

/// The 1-based line and column, in UTF-16 units, of a byte of the source.
fn place(source: &str, at: usize) -> Location {
    let before = &source[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Location {
        line: count(before.matches('\n').count() + 1),
        column: Some(count(before[line_start..].encode_utf16().count() + 1)),
    }
}

fn kind_of(name: &str) -> FailureKind {
    match name {
        "api-error" => FailureKind::ApiError,
        "unknown-name" => FailureKind::UnknownName,
        "out-of-memory" => FailureKind::OutOfMemory,
        "stack-overflow" => FailureKind::StackOverflow,
        _ => FailureKind::Error,
    }
}

fn code_of(name: &str) -> ErrorCode {
    match name {
        "invalid-argument" => ErrorCode::InvalidArgument,
        "not-found" => ErrorCode::NotFound,
        "conflict" => ErrorCode::Conflict,
        "refused" => ErrorCode::Refused,
        "unavailable" => ErrorCode::Unavailable,
        "limit-exceeded" => ErrorCode::LimitExceeded,
        "io-error" => ErrorCode::IoError,
        _ => ErrorCode::Other,
    }
}
