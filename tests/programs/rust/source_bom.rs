fn main() {
    println!("after a byte order mark");
    let x: u8 = 300;
}
