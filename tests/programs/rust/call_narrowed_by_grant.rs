use gg::files::{self, ReadOptions};

fn main() -> Result<(), gg::Failure> {
    print!("{}", files::read_text_file("README.md", ReadOptions { limit: Some(1), ..Default::default() })?);
    files::read_file("README.md", ReadOptions::default())?;
    Ok(())
}
