fn depth(n: u64) -> u64 {
    if n == u64::MAX { 0 } else { 1 + depth(n + std::hint::black_box(1)) }
}

fn main() {
    println!("going down");
    println!("{}", depth(0));
}
