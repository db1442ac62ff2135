use gg::skills;

fn main() -> Result<(), gg::Failure> {
    print!("{}", skills::read_skill("release")?);
    skills::read_skill("relese")?;
    Ok(())
}
