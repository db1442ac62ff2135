// The draft folder is ignored, so it stays out. Count per file.
use gg::files::{self, ReadOptions};
use gg::views;
use regex::Regex;
use std::collections::BTreeMap;

const PATHS: [&str; 4] = ["harbour.txt", "letters.txt", "poems/naught.txt", "poems/tide.txt"];

fn main() -> Result<(), gg::Failure> {
    let word = Regex::new(r"\p{L}+(?:['’-]\p{L}+)*")?;
    let mut longest = BTreeMap::new();
    for path in PATHS {
        let text = files::read_text_file(path, ReadOptions::default())?.to_lowercase();
        let words = word.find_iter(&text).map(|found| found.as_str());
        longest.insert(path, words.max_by_key(|word| word.chars().count()));
    }
    views::open_text("longest", &format!("{longest:#?}"))?;
    Ok(())
}
