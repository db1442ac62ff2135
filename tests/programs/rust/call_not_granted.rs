use gg::{files, shell};

fn main() -> Result<(), gg::Failure> {
    print!("{}", files::read_text_file("README.md", files::ReadOptions { limit: Some(1), ..Default::default() })?);
    println!("{}", shell::run("ls", None)?.output);
    Ok(())
}
