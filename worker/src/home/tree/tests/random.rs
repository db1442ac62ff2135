//! Random trees come back as they were.

use super::made::{Made, trees};
use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_restored_elsewhere_is_the_same_tree(made in trees(), other in trees()) {
        let bench = Bench::new();
        let here = bench.folder.path().join("here");
        made.write(&here);
        prop_assert_eq!(&Made::read(&here), &made, "the test writes what it says");
        let key = bench.key(&here);
        prop_assert_eq!(&Made::read(&here), &made, "a snapshot changes nothing");

        let fresh = bench.folder.path().join("fresh");
        let mut cache = bench.restore(&key, &fresh);
        prop_assert_eq!(&Made::read(&fresh), &made, "into nothing");
        prop_assert_eq!(bench.key(&fresh), key, "the same tree has the same key");
        prop_assert_eq!(bench.snapshot(&fresh, &mut cache).key, key, "with what restoring knew too");

        let there = bench.folder.path().join("there");
        other.write(&there);
        let other_key = bench.key(&there);
        bench.restore(&key, &there);
        prop_assert_eq!(&Made::read(&there), &made, "into a tree that differs");
        bench.restore(&other_key, &there);
        prop_assert_eq!(&Made::read(&there), &other, "and back");
    }
}
