fn check(count: usize) -> Result<(), gg::Failure> {
    if count < 3 {
        return Err(gg::program::message(format_args!("{count} rows are too few, 3 are needed")));
    }
    Ok(())
}

fn main() -> Result<(), gg::Failure> {
    println!("checking");
    check(2)
}
