fn main() {
    let mut rows = vec![1u8; 100 << 20];
    rows[99 << 20] = 2;
    println!("{}", rows.iter().map(|&b| b as u64).sum::<u64>());
}
