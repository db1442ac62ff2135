use gg::files::{self, ReadOptions};

fn main() -> Result<(), gg::Failure> {
    println!("{:?}", files::read_file("data/dot.txt", ReadOptions::default())?);
    println!("{:?}", files::read_file("data/photo.png", ReadOptions::default())?);
    files::read_text_file("data/dot.txt", ReadOptions::default())?;
    Ok(())
}
