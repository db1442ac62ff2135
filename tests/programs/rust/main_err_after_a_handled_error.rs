use gg::files::{self, ReadOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Err(error) = files::read_text_file("nowhere.txt", ReadOptions::default()) {
        println!("no matter: {error:?}");
    }
    let count: usize = "x".parse()?;
    println!("{count}");
    Ok(())
}
