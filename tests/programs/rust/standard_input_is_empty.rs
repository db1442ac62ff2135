use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    println!("{}", std::io::stdin().read_to_string(&mut text)?);
    println!("{:?}", std::io::stdin().read_line(&mut text));
    Ok(())
}
