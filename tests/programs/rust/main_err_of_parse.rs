fn total(rows: &str) -> Result<i32, gg::Failure> {
    let mut sum = 0;
    for row in rows.lines() {
        sum += row.trim().parse::<i32>()?;
    }
    Ok(sum)
}

fn main() -> Result<(), gg::Failure> {
    println!("{}", total("1\n 2 \n")?);
    println!("{}", total("1\nthree\n")?);
    Ok(())
}
