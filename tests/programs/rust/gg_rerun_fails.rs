use gg::{programs, session};

fn main() -> Result<(), gg::Failure> {
    session::finish("revoked with the program that runs in its place")?;
    programs::rerun(
        r#"fn main() -> Result<(), gg::Failure> {
    gg::views::open_text("second", "shown")?;
    gg::session::finish("revoked")?;
    let found: Option<u8> = None;
    println!("{}", found.unwrap());
    Ok(())
}
"#,
    )?;
    Ok(())
}
