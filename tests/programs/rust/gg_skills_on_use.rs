use gg::{programs, skills};

fn main() -> Result<(), gg::Failure> {
    for name in ["release", "release", "review", "broken"] {
        skills::read_skill(name)?;
    }
    println!("done");
    if let Err(error) = programs::rerun("fn main() {}") {
        println!("{error}");
    }
    Ok(())
}
