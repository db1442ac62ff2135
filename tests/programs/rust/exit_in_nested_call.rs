struct Loud;

impl Drop for Loud {
    fn drop(&mut self) {
        println!("never dropped");
    }
}

fn leave(depth: u32) {
    let _loud = Loud;
    if depth == 0 {
        std::process::exit(1);
    }
    leave(depth - 1);
}

fn main() {
    leave(5);
}
