use std::fs;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};

fn main() -> Result<(), gg::Failure> {
    println!("{}", std::env::current_dir()?.display());
    let first = BufReader::new(fs::File::open("README.md")?).lines().next().transpose()?;
    println!("{first:?}");
    fs::create_dir_all("out/deep")?;
    fs::write("out/deep/a.txt", "one\n")?;
    let mut file = fs::OpenOptions::new().append(true).read(true).open("/work/out/deep/a.txt")?;
    file.write_all(b"two\n")?;
    file.seek(SeekFrom::Start(4))?;
    println!("{}", std::io::read_to_string(&file)?.trim());
    fs::rename("out/deep/a.txt", "out/b.txt")?;
    fs::copy("out/b.txt", "out/c.txt")?;
    fs::remove_dir("out/deep")?;
    let mut names: Vec<String> = fs::read_dir("out")?
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_, _>>()?;
    names.sort();
    println!("{names:?} {}", fs::metadata("out/b.txt")?.len());
    fs::remove_file("data/blob.bin")?;
    println!("{}", gg::files::read_text_file("out/c.txt", Default::default())?.len());
    Ok(())
}
