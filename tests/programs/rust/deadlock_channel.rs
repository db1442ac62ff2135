use std::sync::mpsc;

fn main() {
    let (sender, receiver) = mpsc::channel::<u32>();
    println!("waiting for what nobody sends");
    println!("{:?}", receiver.recv());
    drop(sender);
}
