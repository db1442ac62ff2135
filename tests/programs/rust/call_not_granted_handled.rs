use gg::core::ErrorCode;

fn main() -> Result<(), gg::Failure> {
    match gg::shell::run("ls", None) {
        Err(error) if error.code == ErrorCode::Unavailable => println!("{}", error.message),
        other => println!("{other:?}"),
    }
    gg::views::open_text("note", "without a shell")?;
    Ok(())
}
