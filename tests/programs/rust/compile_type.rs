fn total(values: &[u32]) -> u32 {
    values.iter().sum()
}

fn main() {
    let count: u32 = "three";
    println!("{}", total(&[1, count]) + 1.5);
}
