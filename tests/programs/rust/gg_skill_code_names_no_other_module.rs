use gg::{programs, skills};

fn main() -> Result<(), gg::Failure> {
    skills::read_skill("First")?;
    if let Err(error) = skills::read_skill("Second") {
        print!("{error}");
    }
    programs::rerun("fn main() {\n    println!(\"{} {}\", first::one(), one());\n}\n")?;
    Ok(())
}
