use base64::Engine as _;
use indexmap::IndexMap;
use itertools::Itertools as _;
use regex::Regex;
use serde_json::{Value, json};

fn main() -> Result<(), gg::Failure> {
    let word = Regex::new(r"(?i)\b([a-z]+)\b")?;
    let text = "One fish, two fish; red fish, blue fish.";
    let mut counts: IndexMap<String, u32> = IndexMap::new();
    for found in word.captures_iter(text) {
        *counts.entry(found[1].to_lowercase()).or_default() += 1;
    }
    let line = counts.iter().map(|(word, count)| format!("{word}={count}")).join(" ");
    let value: Value = serde_json::from_str(&json!({ "counts": counts.values().collect_vec() }).to_string())?;
    println!("{line}\n{}\n{value}", base64::prelude::BASE64_STANDARD.encode(&line));
    Ok(())
}
