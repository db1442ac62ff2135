use gg::{files, session};

fn main() -> Result<(), gg::Failure> {
    let notes = files::read_text_file("notes.txt", files::ReadOptions::default())?;
    let open: Vec<&str> = notes.lines().filter(|line| line.starts_with("[ ]")).collect();
    files::write_file("open.txt", &(open.join("\n") + "\n"))?;
    session::finish(&format!("{} things are open.", open.len()))?;
    Ok(())
}
