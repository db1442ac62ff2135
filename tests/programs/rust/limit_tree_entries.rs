use std::fs;

fn main() -> std::io::Result<()> {
    for number in 0..1_000 {
        fs::write(format!("/work/{number}"), "")?;
    }
    Ok(())
}
