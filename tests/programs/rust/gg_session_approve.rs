fn main() -> Result<(), gg::Failure> {
    gg::session::approve("It does what the issue asks.")?;
    Ok(())
}
