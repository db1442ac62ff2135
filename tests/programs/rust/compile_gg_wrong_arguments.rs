use gg::{files, shell, views};

fn main() -> Result<(), gg::Failure> {
    let text = files::read_text_file("README.md")?;
    views::open_text("readme", text)?;
    let output = shell::run("ls", 5)?;
    println!("{}", output);
    Ok(())
}
