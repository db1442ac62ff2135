fn main() {
    let mut numbers: Vec<u64> = (0..1_000_000).rev().collect();
    for _ in 0..10_000 {
        numbers.sort_by(|a, b| (a % 7).cmp(&(b % 7)).then(b.cmp(a)));
    }
    println!("{}", numbers[0]);
}
