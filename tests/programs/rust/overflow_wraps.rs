fn factorial(n: u32) -> u32 {
    (1..=n).product()
}

fn main() {
    let mut small: u8 = 250;
    for _ in 0..10 {
        small += 1;
    }
    println!("{small} {}", factorial(13));
}
