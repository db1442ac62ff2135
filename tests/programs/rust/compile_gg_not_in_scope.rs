fn main() -> Result<(), gg::Failure> {
    println!("{}", files::read_text_file("README.md", files::ReadOptions::default())?);
    Ok(())
}
