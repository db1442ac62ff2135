use gg::{programs, session, views};

fn main() -> Result<(), gg::Failure> {
    let source = programs::get(None)?.replace("one", "two");
    views::open_text("caller", "shown too")?;
    session::finish("said by the caller")?;
    programs::rerun(&source)?;
    println!("the caller goes on");
    Ok(())
}
