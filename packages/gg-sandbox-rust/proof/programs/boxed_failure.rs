use std::error::Error;

fn read(name: &str) -> Result<String, Box<dyn Error>> {
    Ok(gg::files::read_text_file(name, Default::default())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{} bytes", read("notes.md")?.len());
    println!("{}", read("missing.md")?);
    Ok(())
}
