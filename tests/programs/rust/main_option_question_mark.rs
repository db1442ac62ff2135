fn main() -> Result<(), gg::Failure> {
    let first = "a=1".split_once(':').ok_or_else(|| gg::program::message("no `:` in the first line"))?;
    println!("{first:?}");
    Ok(())
}
