use std::fs;

fn main() -> std::io::Result<()> {
    println!("{}", fs::read_to_string("README.md")?.lines().next().unwrap_or_default());
    fs::write("new.txt", "x")
}
