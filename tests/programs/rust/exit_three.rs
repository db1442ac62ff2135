fn main() {
    print!("printed before leaving");
    std::process::exit(3);
}
