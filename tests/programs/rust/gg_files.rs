use gg::files::{self, FileRead, ReadOptions};

fn main() -> Result<(), gg::Failure> {
    println!("{}", files::write_file("notes/today.md", "# Today\n\nWrite code.\n")?);
    files::edit_file("notes/today.md", "code", "tests")?;
    print!("{}", files::read_text_file("/work/notes/today.md", ReadOptions::default())?);
    match files::read_file("data/ten.txt", ReadOptions { offset: Some(3), limit: Some(2) })? {
        FileRead::Text(text) => println!("{text:?}"),
        FileRead::Image(image) => println!("a picture: {image:?}"),
    }
    for entry in files::list_dir(Some("data"))? {
        println!("{:?} {}", entry.kind, entry.name);
    }
    println!("{}", files::list_dir(None)?.len());
    Ok(())
}
