use gg::files::{self, ReadOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = files::read_text_file("src", ReadOptions::default())?;
    println!("{text}");
    Ok(())
}
