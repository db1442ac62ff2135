use std::hint::black_box;

fn deep(n: u32) -> u64 {
    let frame = black_box([n; 4096]);
    u64::from(frame[17]) + deep(n + 1) + u64::from(frame[4095])
}

fn main() {
    println!("{}", deep(0));
}
