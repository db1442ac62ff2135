fn main() {
    let mut total = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| total += 1);
    });
    println!("{total}");
}
