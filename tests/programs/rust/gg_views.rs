use gg::files::{FileRead, ReadOptions};
use gg::views;

fn main() -> Result<(), gg::Failure> {
    views::open_text("summary", "first")?;
    views::open_text("other", "stays")?;
    views::open_text("summary", "second: replaces the first")?;
    let window = views::open_file("data/ten.txt", ReadOptions { offset: Some(2), limit: Some(3) })?;
    if let FileRead::Text(text) = window {
        println!("{} {}", text.first_line, text.last_line);
    }
    views::open_file("README.md", ReadOptions::default())?;
    views::open_file("data/dot.txt", ReadOptions::default())?;
    Ok(())
}
