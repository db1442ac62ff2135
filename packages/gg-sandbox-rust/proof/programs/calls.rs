use gg::files::{self, ReadOptions};
use gg::{tasks, views};
use std::collections::BTreeMap;

fn count(text: &str) -> BTreeMap<&str, usize> {
    let mut words = BTreeMap::new();
    for word in text.split_whitespace() {
        *words.entry(word).or_default() += 1;
    }
    words
}

fn main() -> Result<(), gg::Failure> {
    let text = files::read_text_file("notes.md", ReadOptions { limit: Some(20), ..Default::default() })?;
    let words = count(&text);
    let value: serde_json::Value = serde_json::from_str("{\"a\": [1, 2]}")?;
    views::open_text("words", &format!("{words:?} {value}"))?;
    for (word, n) in &words {
        if *n > 1 {
            tasks::add_task(word, "repeated", tasks::TaskOptions::default())?;
        }
    }
    if words.is_empty() {
        return Err(gg::program::message("no words"));
    }
    gg::session::finish("counted")?;
    Ok(())
}
