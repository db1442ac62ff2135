#![no_std]

fn main() {
    let sum: u32 = [1, 2, 3].iter().sum();
    assert!(sum == 6);
}
