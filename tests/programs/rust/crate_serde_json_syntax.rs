fn main() -> Result<(), Box<dyn std::error::Error>> {
    let value: serde_json::Value = serde_json::from_str("{\"a\": [1, 2,]}")?;
    println!("{value}");
    Ok(())
}
