use indexmap::{IndexMap, IndexSet};

fn main() {
    let mut counts: IndexMap<&str, u32> = IndexMap::new();
    for word in "the cat the dog a cat the".split(' ') {
        *counts.entry(word).or_insert(0) += 1;
    }
    println!("{counts:?} {:?}", counts.get_index(1));
    counts.sort_by(|_, a, _, b| b.cmp(a));
    counts.shift_remove("dog");
    println!("{counts:?}");
    println!("{:?}", [3, 1, 3, 2].into_iter().collect::<IndexSet<_>>());
    println!("{}", counts["dog"]);
}
