// Look first: what a program opens as a view is what is read next.
use gg::files::ReadOptions;
use gg::views;

fn main() -> Result<(), gg::Failure> {
    views::open_file("notes.txt", ReadOptions::default())?;
    Ok(())
}
