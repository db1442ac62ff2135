#![crate_type = "lib"]

pub fn main() {
    println!("hello");
}
