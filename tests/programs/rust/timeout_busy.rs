fn main() {
    println!("begun");
    let mut number = 0u64;
    loop {
        number = std::hint::black_box(number + 1);
    }
}
