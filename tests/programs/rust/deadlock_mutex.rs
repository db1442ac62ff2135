use std::sync::Mutex;

fn main() {
    let shared = Mutex::new(1);
    let first = shared.lock().unwrap();
    println!("locked once");
    let second = shared.lock().unwrap();
    println!("{first} {second}");
}
