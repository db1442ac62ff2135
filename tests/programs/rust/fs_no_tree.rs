use std::fs;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for place in ["/work", "/tmp", "/"] {
        match fs::read_dir(place) {
            Ok(entries) => println!("{place}: {}", entries.count()),
            Err(error) => println!("{place}: {error}"),
        }
    }
    fs::write("/work/a.txt", "x")?;
    Ok(())
}
