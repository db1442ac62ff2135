use std::fs;
use std::path::Path;

fn main() -> Result<(), gg::Failure> {
    println!("{}", fs::read_to_string("/work/README.md")?.lines().count());
    fs::write("/work/made.txt", "made\n")?;
    fs::write("/tmp/scratch.txt", "not kept\n")?;
    println!("{} {}", Path::new("/work/made.txt").exists(), Path::new("/work/none").exists());
    println!("{}", fs::canonicalize("/work/made.txt").is_ok());
    println!("{}", gg::shell::run("cat made.txt; ls /tmp", None)?.output);
    Ok(())
}
