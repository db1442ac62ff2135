fn main() {
    std::panic::panic_any(42);
}
