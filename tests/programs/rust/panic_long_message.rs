fn main() {
    panic!("{}", "long ".repeat(20_000));
}
