fn main() {
    let none: Option<u8> = None;
    println!("日本語 👍 {}", { let ü = "ü"; none.unwrap() });
}
