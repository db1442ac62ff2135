const SOURCE: &str = include_str!("program.rs");

fn main() {
    println!("{} lines", SOURCE.lines().count());
}
