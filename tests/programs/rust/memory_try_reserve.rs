fn main() {
    let mut rows: Vec<u8> = Vec::new();
    match rows.try_reserve(1 << 30) {
        Ok(()) => println!("reserved"),
        Err(error) => println!("{error}"),
    }
    println!("goes on");
}
