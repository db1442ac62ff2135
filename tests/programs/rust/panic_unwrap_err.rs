fn main() {
    let number: i32 = "twelve"
        .parse()
        .unwrap();
    println!("{number}");
}
