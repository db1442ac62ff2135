fn main() {
    let mut zeros = vec![0u8; 1 << 30];
    std::hint::black_box(&mut zeros);
    println!("{}", zeros.len());
}
