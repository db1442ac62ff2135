use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let number: u8 = "300".parse()?;
    println!("{number}");
    Ok(())
}
