use std::time::Duration;

fn main() {
    println!("waiting");
    std::thread::sleep(Duration::from_secs(60));
    println!("never");
}
