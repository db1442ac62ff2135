use gg::fs;
use rand::Rng;
use std::colections::HashMap;

fn main() {
    println!("{}", rand::thread_rng().gen_range(0..3));
}
