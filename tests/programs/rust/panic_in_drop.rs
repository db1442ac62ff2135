struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        println!("dropping");
        panic!("while dropping");
    }
}

fn main() {
    let _guard = Guard;
    println!("body");
}
