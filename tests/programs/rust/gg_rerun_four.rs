use gg::{files, programs};

const SOURCE: &str = r#"use gg::{files, programs};

fn main() -> Result<(), gg::Failure> {
    let number: u32 = files::read_text_file("number", Default::default())?.parse::<u32>()? + 1;
    files::write_file("number", &number.to_string())?;
    println!("program {number}");
    if let Err(error) = programs::rerun(&files::read_text_file("source", Default::default())?) {
        println!("{error}");
    }
    Ok(())
}
"#;

fn main() -> Result<(), gg::Failure> {
    files::write_file("source", SOURCE)?;
    files::write_file("number", "1")?;
    programs::rerun(SOURCE)?;
    Ok(())
}
