use gg::session;

fn main() -> Result<(), gg::Failure> {
    session::finish("first")?;
    session::finish("Counted the words: 12.")?;
    Ok(())
}
