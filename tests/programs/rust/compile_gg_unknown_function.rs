use gg::files;

fn main() -> Result<(), gg::Failure> {
    files::read_txt_file("README.md", files::ReadOptions::default())?;
    gg::shell::shell("ls")?;
    Ok(())
}
