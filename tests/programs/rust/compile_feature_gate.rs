#![feature(box_patterns)]

fn main() {
    println!("nightly only");
}
