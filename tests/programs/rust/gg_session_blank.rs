fn main() -> Result<(), gg::Failure> {
    gg::session::finish("  ")?;
    Ok(())
}
