use std::thread;

fn main() {
    let worker = thread::spawn(|| 6 * 7);
    println!("{}", worker.join().unwrap());
}
