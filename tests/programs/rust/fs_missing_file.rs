fn main() -> Result<(), gg::Failure> {
    let text = std::fs::read_to_string("nowhere.txt")?;
    println!("{text}");
    Ok(())
}
