use std::thread;

fn main() {
    match thread::Builder::new().name("worker".into()).spawn(|| ()) {
        Ok(_) => println!("started"),
        Err(error) => println!("{:?}: {error}", error.kind()),
    }
    println!("{:?} {:?}", thread::available_parallelism().is_ok(), thread::current().name());
}
