//! What programs make of generic code again and again, made once.
//!
//! A program that is compiled for size takes a generic function's instance from a library that it is linked with, where
//! one has it, and compiles the rest itself: that is most of what its compile takes. So this library has the instances
//! that programs usually need. Nothing calls what is here, no program can name it, and the linker leaves it out.
//!
//! What belongs here is what several programs were seen to compile. It changes no program's meaning.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use itertools::Itertools as _;
use regex::Regex;
use serde_json::{Map, Value, json};

/// Regular expressions: what they find, and the caches that a `Regex` drops.
pub fn expressions(text: &str) -> Option<String> {
    let pattern = Regex::new(text).ok()?;
    if !pattern.is_match(text) {
        return None;
    }
    let first = pattern.captures(text)?;
    let found: Vec<&str> = pattern.find_iter(text).map(|found| found.as_str()).collect();
    let rows: Vec<String> = pattern.captures_iter(text).map(|row| row[1].to_owned() + &row["name"]).collect();
    let replaced = pattern.replace_all(text, "").into_owned() + &pattern.replace(text, "");
    let parts: Vec<&str> = pattern.split(text).collect();
    Some(first.get(0)?.as_str().to_owned() + found.first()? + rows.first()? + &replaced + parts.first()?)
}

/// JSON: read, looked into, changed, written.
pub fn documents(text: &str) -> Result<String, serde_json::Error> {
    let mut value: Value = serde_json::from_str(text)?;
    value["a"] =
        json!({ "text": text, "list": [1, 2.5, true, null], "rows": vec![text.to_owned()], "size": text.len() });
    let mut copy = value.clone();
    if let Some(object) = copy.as_object_mut() {
        object.insert("b".to_owned(), Value::from(vec![1_u64]));
        for (key, value) in object.iter() {
            drop((key.clone(), value.as_str(), value.as_array(), value.as_u64(), value.as_f64()));
        }
    }
    if let Some(rows) = value["a"]["rows"].as_array() {
        drop(rows.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<String>>());
    }
    let object: Map<String, Value> = Map::new();
    Ok(serde_json::to_string(&copy)?
        + &serde_json::to_string_pretty(&value)?
        + &copy.to_string()
        + &Value::Object(object).to_string())
}

/// Texts and lists of them.
pub fn texts(text: &str) -> String {
    let mut lines: Vec<String> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    lines.sort();
    lines.dedup();
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort();
    words.sort_unstable();
    let cells: Vec<&str> = text.split(',').map(str::trim).collect();
    let mut numbers: Vec<u64> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
    numbers.sort_unstable();
    let mut parts: Vec<i64> = text.split(' ').filter_map(|part| part.parse().ok()).collect();
    parts.sort_unstable();
    let mut queue: VecDeque<String> = lines.iter().cloned().collect();
    queue.push_back(words.join(" "));
    let mut out = queue.pop_front().unwrap_or_default();
    for (index, line) in text.lines().enumerate() {
        _ = writeln!(out, "{index}: {line} {numbers:?} {parts:?} {words:?} {lines:?}");
    }
    out + &lines.join("\n") + &text.replace("a", "b") + &text.replace('a', "b") + &text.to_lowercase() + &words.concat()
}

/// Maps and sets, ordered and not.
pub fn maps(text: &str) -> String {
    let mut ordered: BTreeMap<String, usize> = BTreeMap::new();
    let mut hashed: HashMap<String, usize> = HashMap::new();
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut names: HashMap<String, String> = HashMap::new();
    let mut kept: IndexMap<String, usize> = IndexMap::new();
    for word in text.split_whitespace() {
        *ordered.entry(word.to_owned()).or_default() += 1;
        *hashed.entry(word.to_owned()).or_insert(0) += 1;
        *kept.entry(word.to_owned()).or_default() += 1;
        groups.entry(word.to_owned()).or_default().push(text.to_owned());
        names.insert(word.to_owned(), text.to_owned());
    }
    let set: BTreeSet<String> = names.keys().cloned().collect();
    let seen: HashSet<String> = set.iter().filter(|name| names.get(*name).is_some()).cloned().collect();
    let mut ranked: Vec<(String, usize)> = hashed.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    ranked.truncate(10);
    let mut out = String::new();
    for (word, count) in ordered.iter().chain(ranked.iter().map(|(word, count)| (word, count))) {
        _ = writeln!(out, "{word}: {count}");
    }
    for (name, rows) in &groups {
        out.push_str(&format!("{name} {rows:?} {ordered:?} {ranked:?} {seen:?}"));
    }
    out + &kept.keys().join(", ") + &set.iter().join(", ")
}

/// Files by the standard library.
pub fn files(path: &str) -> std::io::Result<Vec<PathBuf>> {
    let text = std::fs::read_to_string(path)?;
    std::fs::write(path, &text)?;
    std::fs::create_dir_all(Path::new(path).join(&text))?;
    let mut found = vec![];
    for entry in std::fs::read_dir(path)? {
        found.push(entry?.path());
    }
    found.sort();
    Ok(found)
}
