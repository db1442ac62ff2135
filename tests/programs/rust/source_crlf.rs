use std::fmt::Write;

fn main() {
    let text = "two
lines";
    println!("{text:?}");
    let none: Option<u8> = None;
    none.expect("on line seven");
}
