use gg::files;

fn load(name: &str) -> Result<String, gg::Failure> {
    let text = files::read_text_file(name, files::ReadOptions::default())?;
    Ok(text.trim().to_owned())
}

fn main() -> Result<(), gg::Failure> {
    let text = load("notes.md")?;
    println!("{text}");
    Ok(())
}
