fn main() {
    println!("a program of more bytes than this profile takes");
}
