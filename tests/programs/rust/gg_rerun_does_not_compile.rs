use gg::{programs, session, views};

fn main() -> Result<(), gg::Failure> {
    views::open_text("first", "shown")?;
    session::finish("revoked")?;
    programs::rerun("fn main() {\n    let count: u32 = \"three\";\n}\n")?;
    Ok(())
}
