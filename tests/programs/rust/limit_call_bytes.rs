fn main() -> Result<(), gg::Failure> {
    gg::files::write_file("big.txt", &"x".repeat(200_000))?;
    Ok(())
}
