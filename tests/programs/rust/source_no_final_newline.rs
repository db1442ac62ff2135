fn main() {
    println!("no end of line");
}