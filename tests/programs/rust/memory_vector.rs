fn main() {
    let mut rows: Vec<[u64; 1024]> = Vec::new();
    println!("filling");
    loop {
        rows.push([rows.len() as u64; 1024]);
    }
}
