use gg::files::{self, ReadOptions};

fn main() -> Result<(), gg::Failure> {
    gg::log("about to read");
    let text = files::read_text_file("missing.md", ReadOptions::default())?;
    println!("{text}");
    Ok(())
}
