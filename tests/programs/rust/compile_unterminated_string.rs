fn main() {
    println!("hello);
}
