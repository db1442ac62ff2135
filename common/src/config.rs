//! Reading configuration: TOML files in which an unknown field is an error that names itself. All problems of a file are
//! found in one reading, each with its line, what is wrong and what would be right.

use figment::error::Kind;
use figment::providers::{Format, Toml};
use figment::value::Value;
use serde::de::DeserializeOwned;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml_edit::{ImDocument, Item, TableLike};

/// Why a configuration file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The file says something that the configuration has no place for.
    #[error("{}: {}", path.display(), problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("; "))]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Everything that is wrong.
        problems: Vec<Problem>,
    },
}

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// What a number of a configuration may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowed {
    /// The number's name, as a file writes it.
    pub name: &'static str,
    /// The smallest that works.
    pub least: u64,
    /// The largest that is allowed.
    pub most: u64,
}

/// What came of reading a file: the value as far as it could be read, and everything that was wrong.
#[derive(Debug)]
pub struct Reading<T> {
    /// The value without the parts that were wrong; none where a part that it needs is missing or wrong.
    pub value: Option<T>,
    /// What was wrong, in the order of the lines.
    pub problems: Vec<Problem>,
    /// Fields that something stands in for, since they are missing or wrong: nothing that follows from them is a problem.
    pub stood_in: Vec<String>,
}

/// What stands in for a field that a type needs where it is missing or wrong, so that the rest of a file is read.
#[derive(Debug, Clone, Copy)]
pub struct StandIn {
    /// The field's path, by dots.
    pub field: &'static str,
    /// Its value in TOML.
    pub toml: &'static str,
}

/// Reads a TOML file as `T`. Types refuse unknown fields (`deny_unknown_fields`), so that a misspelt one is named.
pub fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, ConfigError> {
    let text = crate::regular::read_to_string(path)
        .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    from_toml(path, &text)
}

/// Reads TOML text as `T`; `path` names it in errors.
pub fn from_toml<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, ConfigError> {
    let reading = read_all::<T>(text, &[]);
    match reading.value {
        Some(value) if reading.problems.is_empty() => Ok(value),
        _ => Err(ConfigError::Wrong { path: path.to_owned(), problems: reading.problems }),
    }
}

/// Reads TOML text as `T` to its end: what is wrong is noted and left out, so that what follows is read too. The value is
/// whole only where there is no problem.
pub fn read_all<T: DeserializeOwned>(text: &str, stand_ins: &[StandIn]) -> Reading<T> {
    let nothing = |problem| Reading { value: None, problems: vec![problem], stood_in: Vec::new() };
    let lines = match Lines::of(text) {
        Ok(lines) => lines,
        Err(problem) => return nothing(problem),
    };
    let mut value = match Toml::from_str::<Value>(text) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("it is not TOML: {error}");
            return nothing(Problem { line: None, message });
        }
    };
    let mut problems: Vec<Problem> = Vec::new();
    let mut left_out: Vec<Vec<String>> = Vec::new();
    let mut stood_in: Vec<String> = Vec::new();
    let value = loop {
        // Only the first error is certain to be independent of what is left out for it.
        let error = match value.deserialize::<T>() {
            Ok(read) => break Some(read),
            Err(error) => error.into_iter().next(),
        };
        let Some(error) = error else { break None };
        let mut path = error.path;
        match &error.kind {
            Kind::UnknownField(name, _) if path.last() != Some(name) => path.push(name.clone()),
            Kind::MissingField(name) => path.push(name.to_string()),
            _ => {}
        }
        let written = as_written(&path, &left_out);
        if !left_out.contains(&written) {
            problems.push(Problem { line: lines.of_path(&written), message: describe(&written, &error.kind) });
        }
        if matches!(error.kind, Kind::MissingField(_)) {
            let field = path.join(".");
            let stand_in = stand_ins.iter().find(|one| one.field == field && !stood_in.contains(&field));
            match stand_in {
                Some(stand_in) => {
                    if !put(&mut value, &path, stand_in.toml) {
                        break None;
                    }
                    stood_in.push(field);
                }
                // What needs it is left out with it, and the rest is read on.
                None => {
                    path.pop();
                    let around = as_written(&path, &left_out);
                    if path.is_empty() || !remove(&mut value, &path) {
                        break None;
                    }
                    left_out.push(around);
                }
            }
        } else if remove(&mut value, &path) {
            left_out.push(written);
        } else {
            break None;
        }
    };
    problems.sort_by_key(|problem| problem.line);
    Reading { value, problems, stood_in }
}

/// Puts what stands in for a field in its place; false where there is no table to hold it.
fn put(value: &mut Value, path: &[String], toml: &str) -> bool {
    let (Some((first, rest)), Value::Dict(_, dict)) = (path.split_first(), value) else { return false };
    if !rest.is_empty() {
        return dict.get_mut(first).is_some_and(|inner| put(inner, rest, toml));
    }
    let read = Toml::from_str::<Value>(&format!("value = {toml}"));
    let Some(stand_in) = read.ok().and_then(|table| table.find("value")) else { return false };
    dict.insert(first.clone(), stand_in);
    true
}

/// The path as the file has it: an index counts the elements before it that were left out.
fn as_written(path: &[String], left_out: &[Vec<String>]) -> Vec<String> {
    let mut written: Vec<String> = Vec::new();
    for step in path {
        let mut step = step.clone();
        if let Ok(mut index) = step.parse::<usize>() {
            let mut gone: Vec<usize> = left_out
                .iter()
                .filter(|out| out.len() == written.len() + 1 && out.starts_with(&written))
                .filter_map(|out| out.last()?.parse().ok())
                .collect();
            gone.sort_unstable();
            for before in gone {
                index += usize::from(before <= index);
            }
            step = index.to_string();
        }
        written.push(step);
    }
    written
}

fn describe(path: &[String], kind: &Kind) -> String {
    let field = path.join(".");
    match kind {
        Kind::UnknownField(name, choices) => {
            format!("there is no field `{field}`: {}", instead(name, choices))
        }
        Kind::UnknownVariant(name, choices) => format!("`{field}` has no value `{name}`: {}", instead(name, choices)),
        Kind::MissingField(_) => format!("the field `{field}` is missing: add it"),
        Kind::InvalidType(found, expected) => format!("`{field}` is {found}: write {expected}"),
        other => format!("`{field}`: {other}"),
    }
}

/// What could be written instead of a name that is none: the nearest, then all.
pub fn instead(given: &str, choices: &[&str]) -> String {
    let all = choices.join(", ");
    match nearest(given, choices) {
        Some(near) => format!("did you mean `{near}`? There are {all}"),
        None if choices.is_empty() => "remove it".to_owned(),
        None => format!("write one of {all}"),
    }
}

/// The choice that a misspelt name most likely means, if one is near.
pub fn nearest<'a>(given: &str, choices: &[&'a str]) -> Option<&'a str> {
    let given = given.to_lowercase();
    choices
        .iter()
        .map(|choice| (strsim::damerau_levenshtein(&given, &choice.to_lowercase()), *choice))
        .filter(|(distance, choice)| *distance <= (choice.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, choice)| choice)
}

/// Leaves out the part at `path`; false where there is none.
fn remove(value: &mut Value, path: &[String]) -> bool {
    let Some((first, rest)) = path.split_first() else { return false };
    match value {
        Value::Dict(_, dict) if rest.is_empty() => dict.remove(first).is_some(),
        Value::Dict(_, dict) => dict.get_mut(first).is_some_and(|inner| remove(inner, rest)),
        Value::Array(_, items) => match first.parse::<usize>() {
            Ok(index) if index < items.len() && rest.is_empty() => {
                items.remove(index);
                true
            }
            Ok(index) => items.get_mut(index).is_some_and(|inner| remove(inner, rest)),
            Err(_) => false,
        },
        _ => false,
    }
}

/// Where the parts of a TOML text stand.
struct Lines<'a> {
    text: &'a str,
    document: ImDocument<&'a str>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Result<Lines<'a>, Problem> {
        let document = ImDocument::parse(text).map_err(|error| Problem {
            line: error.span().map(|span| line_at(text, span)),
            message: format!("it is not TOML: {}", error.message().trim_end()),
        })?;
        Ok(Lines { text, document })
    }

    /// The line of the part at `path`, or of the innermost table around it that is there.
    fn of_path(&self, path: &[String]) -> Option<usize> {
        let mut found = None;
        let mut table: Option<&dyn TableLike> = Some(self.document.as_table());
        let mut item: Option<&Item> = None;
        for step in path {
            let next = match (table, item) {
                (Some(table), _) => table.get_key_value(step).map(|(key, item)| (key.span(), item)),
                (None, Some(Item::ArrayOfTables(tables))) => {
                    // A table of an array is reached by its index; its own place is where it begins.
                    let Some(one) = step.parse::<usize>().ok().and_then(|index| tables.get(index)) else { break };
                    found = one.span().or(found);
                    table = Some(one);
                    item = None;
                    continue;
                }
                (None, Some(Item::Value(array))) => {
                    let items = array.as_array();
                    let one = match step.parse::<usize>() {
                        Ok(index) => items.and_then(|items| items.get(index)),
                        Err(_) => items.and_then(|items| items.iter().find(|item| item.as_str() == Some(step))),
                    };
                    found = one.and_then(toml_edit::Value::span).or(found);
                    break;
                }
                _ => break,
            };
            let Some((span, inner)) = next else { break };
            found = span.or_else(|| inner.span()).or(found);
            table = inner.as_table_like();
            item = Some(inner);
        }
        found.map(|span| line_at(self.text, span))
    }
}

/// The line of the field at `path` in TOML text, from 1; that of the innermost table around it where it is not written.
/// A step into a list is an index, or the text of an item.
pub fn line_of(text: &str, path: &[&str]) -> Option<usize> {
    let path: Vec<String> = path.iter().map(|step| (*step).to_owned()).collect();
    Lines::of(text).ok()?.of_path(&path)
}

fn line_at(text: &str, span: Range<usize>) -> usize {
    let before = &text.as_bytes()[..span.start.min(text.len())];
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Capability, Profile};

    #[test]
    fn a_misspelt_field_an_unknown_arm_and_bad_toml_are_named() {
        let read = |text: &str| from_toml::<Profile>(Path::new("run.toml"), text).map_err(|e| e.to_string());
        assert!(read("arm = 'python'\ncapabilities = ['read-file']").is_ok());
        let error = read("arm = 'python'\ncolour = 1").expect_err("unknown field");
        assert!(error.starts_with("run.toml: line 2: ") && error.contains("colour"), "{error}");
        let error = read("arm = 'cobol'").expect_err("unknown arm");
        assert!(error.contains("cobol") && error.contains("python"), "{error}");
        let error = read("arm = 'python'\ncapabilities = ['fly']").expect_err("unknown capability");
        assert!(error.contains("fly") && error.contains("read-file"), "{error}");
        let error = read("arm = ").expect_err("bad toml");
        assert!(error.contains("TOML"), "{error}");
    }

    #[test]
    fn everything_that_is_wrong_is_found_in_one_reading_with_its_line() {
        let text = "arm = 'python'\n\
                    colour = 1\n\
                    capabilities = [\n  'read-file',\n  'read-fil',\n  'fly',\n]\n\
                    [limits]\n\
                    memoryBites = 1\n\
                    treeBytes = 'much'\n";
        let reading = read_all::<Profile>(text, &[]);
        let problems: Vec<_> = reading.problems.iter().map(Problem::to_string).collect();
        assert_eq!(problems.len(), 5, "{problems:#?}");
        assert!(problems[0].starts_with("line 2: there is no field `colour`"), "{problems:#?}");
        assert!(problems[1].contains("did you mean `read-file`?"), "{problems:#?}");
        assert!(problems[2].starts_with("line 6: ") && problems[2].contains("`fly`"), "{problems:#?}");
        assert!(problems[3].starts_with("line 9: ") && problems[3].contains("did you mean `memoryBytes`?"));
        assert!(problems[4].starts_with("line 10: ") && problems[4].contains("limits.treeBytes"), "{problems:#?}");
        let value = reading.value.expect("what was right is read");
        assert_eq!(value.capabilities.into_iter().collect::<Vec<_>>(), [Capability::ReadFile]);
    }

    #[test]
    fn what_lacks_a_field_is_left_out_and_the_rest_is_read_on() {
        let text = "arm = 'python'\n[[skills]]\nname = 'a'\n[limits]\ntreeBites = 1\n";
        let reading = read_all::<Profile>(text, &[]);
        let problems: Vec<_> = reading.problems.iter().map(Problem::to_string).collect();
        assert_eq!(problems.len(), 2, "{problems:#?}");
        assert!(problems[0].contains("skills.0.description") && problems[1].starts_with("line 5: "), "{problems:#?}");
    }

    #[test]
    fn a_missing_field_is_named_and_ends_the_reading_unless_something_stands_in() {
        let reading = read_all::<Profile>("capabilities = []\n", &[]);
        assert!(reading.value.is_none());
        assert_eq!(reading.problems[0].message, "the field `arm` is missing: add it");
        let stand_ins = [StandIn { field: "arm", toml: "'python'" }];
        let reading = read_all::<Profile>("arm = 'cobol'\n[limits]\nx = 1\n", &stand_ins);
        let problems: Vec<_> = reading.problems.iter().map(Problem::to_string).collect();
        assert_eq!(problems.len(), 2, "{problems:#?}");
        assert!(problems[0].contains("cobol") && problems[1].contains("limits.x"), "{problems:#?}");
        assert_eq!((reading.value.is_some(), reading.stood_in), (true, vec!["arm".to_owned()]));
    }
}
