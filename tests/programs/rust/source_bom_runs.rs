fn main() { println!("after a byte order mark"); None::<u8>.unwrap(); }
