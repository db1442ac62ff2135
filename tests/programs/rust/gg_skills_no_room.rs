use gg::{programs, skills};

fn main() -> Result<(), gg::Failure> {
    for name in ["one", "two", "three", "four"] {
        print!("{} ", skills::read_skill(name)?);
    }
    if let Err(error) = programs::rerun("fn main() {}") {
        println!("{error}");
    }
    Ok(())
}
