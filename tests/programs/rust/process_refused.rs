use std::process::Command;

fn main() -> Result<(), gg::Failure> {
    let output = Command::new("ls").arg("-l").output()?;
    println!("{}", String::from_utf8_lossy(&output.stdout));
    Ok(())
}
