fn main() -> Result<(), gg::Failure> {
    gg::skills::read_skill("Word tools")?;
    Ok(())
}
