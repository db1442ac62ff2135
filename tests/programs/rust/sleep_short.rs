use std::time::{Duration, Instant};

fn main() {
    let begun = Instant::now();
    std::thread::sleep(Duration::from_millis(50));
    println!("{}", begun.elapsed() >= Duration::from_millis(50));
}
