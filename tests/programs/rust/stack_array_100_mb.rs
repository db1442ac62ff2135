fn main() {
    let table = [0u8; 100_000_000];
    println!("{}", std::hint::black_box(&table)[5]);
}
