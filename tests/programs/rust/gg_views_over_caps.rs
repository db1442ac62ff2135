use gg::views;

fn main() -> Result<(), gg::Failure> {
    let long = "x".repeat(201);
    let big = "x".repeat(65_537);
    for (label, body) in [(long.as_str(), ""), ("", "body"), (" ", "body"), ("big", big.as_str())] {
        if let Err(error) = views::open_text(label, body) {
            println!("{}: {}", error.code, error.message);
        }
    }
    views::open_text(&"é".repeat(100), "label at its cap")?;
    views::open_text("big", &big)?;
    Ok(())
}
