fn main() {
    let mut rows = vec![String::from("a")];
    let first = &rows[0];
    rows.push(String::from("b"));
    println!("{first}");
    let moved = rows;
    println!("{} {}", rows.len(), moved.len());
}
