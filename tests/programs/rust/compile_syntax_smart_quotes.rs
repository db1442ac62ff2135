fn main() {
    println!(“hello”);
}
