//! A hundred lines as an agent writes them: what is measured beside a hello.
use std::collections::BTreeMap;

use gg::files::{self, ReadOptions};
use gg::views;
use regex::Regex;
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    level: Level,
    source: String,
    millis: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Level {
    Info,
    Warning,
    Error,
}

impl Level {
    fn parse(text: &str) -> Option<Level> {
        match text {
            "INFO" => Some(Level::Info),
            "WARN" => Some(Level::Warning),
            "ERROR" => Some(Level::Error),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Summary {
    entries: usize,
    skipped: Vec<String>,
    by_source: BTreeMap<String, Vec<u64>>,
    worst: Option<Entry>,
}

impl Summary {
    fn add(&mut self, entry: Entry) {
        self.entries += 1;
        self.by_source.entry(entry.source.clone()).or_default().push(entry.millis);
        let worse = self.worst.as_ref().is_none_or(|worst| (entry.level, entry.millis) > (worst.level, worst.millis));
        if worse {
            self.worst = Some(entry);
        }
    }

    fn to_json(&self) -> Value {
        let sources: Vec<Value> = self
            .by_source
            .iter()
            .map(|(source, times)| {
                let total: u64 = times.iter().sum();
                json!({ "source": source, "count": times.len(), "mean": total as f64 / times.len() as f64 })
            })
            .collect();
        json!({ "entries": self.entries, "skipped": self.skipped, "sources": sources })
    }
}

fn parse(line: &str, pattern: &Regex) -> Result<Entry, String> {
    let found = pattern.captures(line).ok_or_else(|| format!("no entry: {line}"))?;
    let level = Level::parse(&found["level"]).ok_or_else(|| format!("no level: {}", &found["level"]))?;
    let millis = found["millis"].parse().map_err(|error| format!("{error}: {}", &found["millis"]))?;
    Ok(Entry { level, source: found["source"].to_owned(), millis })
}

fn percentile(times: &mut [u64], part: f64) -> u64 {
    times.sort_unstable();
    let index = ((times.len() as f64 - 1.0) * part).round() as usize;
    times[index]
}

fn main() -> Result<(), gg::Failure> {
    let pattern = Regex::new(r"^(?<level>[A-Z]+) (?<source>[a-z_]+): .* (?<millis>\d+) ms$")?;
    let mut text = files::read_text_file("notes.md", ReadOptions { offset: Some(1), ..Default::default() })?;
    text.push_str("INFO reader: read 3 files in 12 ms\nWARN writer: slow, 250 ms\nERROR reader: gone after 31 ms\n");
    let mut summary = Summary::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match parse(line, &pattern) {
            Ok(entry) => summary.add(entry),
            Err(problem) => summary.skipped.push(problem),
        }
    }
    for (source, times) in &mut summary.by_source {
        println!("{source}: {} ms in half of the cases", percentile(times, 0.5));
    }
    views::open_text("summary", &serde_json::to_string_pretty(&summary.to_json())?)?;
    if let Some(worst) = &summary.worst {
        println!("worst: {worst:?}");
    }
    Ok(())
}
