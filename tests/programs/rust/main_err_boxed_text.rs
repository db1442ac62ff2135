fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("working");
    Err("nothing fits: 3 of 5 rows have no key")?;
    Ok(())
}
