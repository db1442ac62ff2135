fn main() {
    let rows = ["1", "2", "x"];
    let total: i32 = rows
        .iter()
        .map(|row| {
            row.parse::<i32>().unwrap_or_else(|error| panic!("row {row:?}: {error}"))
        })
        .sum();
    println!("{total}");
}
