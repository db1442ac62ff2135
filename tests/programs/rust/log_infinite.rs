fn main() {
    for number in 0u64.. {
        println!("line {number}");
    }
}
