fn main() {
    println!("before");
    let rows = vec![1, 2, 3];
    let wanted = rows.len() + 2;
    println!("{}", rows[wanted]);
}
