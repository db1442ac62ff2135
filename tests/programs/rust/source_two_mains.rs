fn main() {
    println!("one");
}

fn main() {
    println!("two");
}
