use gg::programs;

fn main() -> Result<(), gg::Failure> {
    for entry in programs::history()? {
        println!("{entry:?}");
        print!("{}", entry.get()?);
    }
    print!("{}{}", programs::get(Some(1))?, programs::get(None)?);
    programs::get(Some(7))?;
    Ok(())
}
