fn sum(list: &[u32]) -> u64 {
    match list {
        [] => 0,
        [first, rest @ ..] => u64::from(*first) + sum(rest),
    }
}

fn main() {
    println!("{}", sum(&vec![1; 10_000]));
}
