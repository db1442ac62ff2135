fn main() {
    println!("café");
}
