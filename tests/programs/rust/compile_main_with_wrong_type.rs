fn main() -> u32 {
    3
}
