use gg::{session, views};

fn main() -> Result<(), gg::Failure> {
    views::open_text("progress", "half done")?;
    session::finish("all done")?;
    let empty: Vec<u32> = Vec::new();
    let mean = empty.iter().sum::<u32>() / empty.len() as u32;
    println!("{mean}");
    Ok(())
}
