// A view of borrowed words would outlive their text: keep counts, which are owned. The two forms of "café" in the poem
// also have to become one, so compose the accent before counting.
use gg::files::{self, EntryKind, ReadOptions};
use gg::views;
use itertools::Itertools;
use regex::Regex;
use serde_json::json;
use std::collections::BTreeMap;

fn text_files(folder: Option<&str>, found: &mut Vec<String>) -> Result<(), gg::Failure> {
    for entry in files::list_dir(folder)? {
        let path = folder.map_or(entry.name.clone(), |folder| format!("{folder}/{}", entry.name));
        match entry.kind {
            EntryKind::Directory if path != "drafts" => text_files(Some(&path), found)?,
            _ if path.ends_with(".txt") && !path.ends_with(".bak.txt") => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

fn main() -> Result<(), gg::Failure> {
    let word = Regex::new(r"\p{L}+(?:['’-]\p{L}+)*")?;
    let mut paths = Vec::new();
    text_files(None, &mut paths)?;
    paths.sort();
    let mut total: BTreeMap<String, usize> = BTreeMap::new();
    let mut per_file = serde_json::Map::new();
    for path in paths {
        let text = files::read_text_file(&path, ReadOptions::default())?.replace("e\u{301}", "é").to_lowercase();
        let words = word.find_iter(&text).map(|found| found.as_str().to_owned()).collect_vec();
        per_file.insert(path, words.len().into());
        for word in words {
            *total.entry(word).or_default() += 1;
        }
    }
    // The map is in the order of the words' code points already, and the sort keeps it among equal counts.
    let top = total.iter().sorted_by_key(|(_, count)| std::cmp::Reverse(**count)).take(10).collect_vec();
    let report = json!({
        "files": per_file,
        "words": total.values().sum::<usize>(),
        "distinct": total.len(),
        "top": top,
    });
    files::write_file("counts.json", &format!("{report:#}\n"))?;
    views::open_file("counts.json", ReadOptions::default())?;
    Ok(())
}
