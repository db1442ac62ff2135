use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::cmp::Reverse;

fn main() {
    let text = "the quick brown fox jumps over the lazy dog the end";
    let mut counts: HashMap<&str, usize> = HashMap::new();
    text.split(' ').for_each(|word| *counts.entry(word).or_default() += 1);
    let mut sorted: Vec<_> = counts.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    println!("{:?}", &sorted[..3]);
    let tree: BTreeMap<_, _> = sorted.iter().map(|(word, n)| (word.len(), n)).collect();
    println!("{:?}", tree.range(4..).collect::<Vec<_>>());
    let mut heap: BinaryHeap<Reverse<u32>> = [5, 1, 3].into_iter().map(Reverse).collect();
    println!("{:?}", std::iter::from_fn(|| heap.pop()).map(|r| r.0).collect::<Vec<_>>());
    let mut ring: VecDeque<_> = (0..4).collect();
    ring.rotate_left(1);
    println!("{ring:?}");
    let (a, b): (HashSet<i32>, HashSet<i32>) = ((0..5).collect(), (3..8).collect());
    println!("{:?}", a.intersection(&b).collect::<BTreeSet<_>>());
}
