use itertools::Itertools;

fn main() {
    let words = ["pear", "fig", "apple", "kiwi", "plum"];
    println!("{}", words.iter().sorted().join(" "));
    println!("{:?}", words.iter().into_group_map_by(|word| word.len()).into_iter().sorted().collect_vec());
    println!("{:?}", (1..=4).tuple_windows().map(|(a, b)| a * b).collect_vec());
    println!("{:?}", ['a', 'b'].iter().cartesian_product(1..3).collect_vec());
    println!("{:?}", words.iter().minmax_by_key(|word| word.len()).into_option());
    println!("{:?}", [1, 1, 2, 3, 3].iter().dedup_with_count().collect_vec());
    println!("{:?}", words.iter().counts_by(|word| word.len())[&4]);
}
