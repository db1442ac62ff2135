fn main() {
    print!("leaving");
    std::process::exit(3);
}
