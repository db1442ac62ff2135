fn main() {
    let words = "a b c".split(' ').count();
    assert!(words > 2);
    assert_eq!(words, 4, "counted in {:?}", "a b c");
}
