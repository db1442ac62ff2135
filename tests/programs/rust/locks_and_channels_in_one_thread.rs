use std::sync::{Arc, Mutex, OnceLock, RwLock, mpsc};

static NAME: OnceLock<String> = OnceLock::new();

fn main() {
    let shared = Arc::new(Mutex::new(0));
    *shared.lock().unwrap() += 1;
    let (sender, receiver) = mpsc::channel();
    sender.send("a message").unwrap();
    drop(sender);
    println!("{} {:?} {}", shared.lock().unwrap(), receiver.iter().collect::<Vec<_>>(), RwLock::new(3).read().unwrap());
    println!("{}", NAME.get_or_init(|| "once".to_owned()));
}
