fn rows(text: &str) -> Result<usize, gg::Failure> {
    text.lines().count().checked_sub(1).ok_or_else(|| gg::program::message("the table has no heading"))
}

fn main() -> Result<(), gg::Failure> {
    println!("{} rows", rows("a\nb\n")?);
    rows("")?;
    Ok(())
}
