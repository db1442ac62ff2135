fn main() {
    let length = std::hint::black_box(usize::MAX);
    let rows: Vec<u64> = Vec::with_capacity(length);
    println!("{}", rows.len());
}
