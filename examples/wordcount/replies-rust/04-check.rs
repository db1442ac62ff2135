// Check the report another way: walk the letters, and join what an apostrophe or a hyphen held together.
use gg::files::{self, ReadOptions, SearchOptions};
use gg::{session, views};
use serde_json::Value;

fn count(path: &str) -> Result<u64, gg::Failure> {
    let text = files::read_text_file(path, ReadOptions::default())?.replace("e\u{301}", "é");
    let letters: Vec<char> = text.chars().collect();
    let (mut found, mut inside) = (0, false);
    for (at, letter) in letters.iter().enumerate() {
        let joins = "'’-".contains(*letter) && inside && letters.get(at + 1).is_some_and(|next| next.is_alphabetic());
        if letter.is_alphabetic() && !inside {
            found += 1;
        }
        inside = letter.is_alphabetic() || joins;
    }
    Ok(found)
}

fn main() -> Result<(), gg::Failure> {
    let report: Value = serde_json::from_str(&files::read_text_file("counts.json", ReadOptions::default())?)?;
    let counted = report["files"].as_object().ok_or_else(|| gg::program::message("no `files` in the report"))?;
    let mut words = 0;
    for (path, count_there) in counted {
        let again = count(path)?;
        assert_eq!(count_there.as_u64(), Some(again), "{path} counted again");
        words += again;
    }
    assert_eq!(report["words"].as_u64(), Some(words));
    let ignored = files::search("draft", SearchOptions::default())?;
    assert!(!ignored.iter().any(|found| found.path.starts_with("drafts/")));

    views::open_text("checked", &format!("{} files, {words} words", counted.len()))?;
    let (word, times) = (&report["top"][0][0], &report["top"][0][1]);
    session::finish(&format!(
        "counts.json holds {words} words ({} different) of {} files; the most frequent is “{}” with {times}.",
        report["distinct"],
        counted.len(),
        word.as_str().unwrap_or_default()
    ))?;
    Ok(())
}
