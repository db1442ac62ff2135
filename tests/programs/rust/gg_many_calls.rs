use gg::files;

fn main() -> Result<(), gg::Failure> {
    for number in 0..200 {
        files::write_file(&format!("out/{number:03}.txt"), &number.to_string())?;
    }
    let entries = files::list_dir(Some("out"))?;
    println!("{} {}", entries.len(), entries[199].name);
    Ok(())
}
