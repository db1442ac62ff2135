trait Shape {
    fn area(&self) -> f64;
}

struct Square;

impl Shape for Square {}

fn show<T: Shape + std::fmt::Debug>(shape: T) {
    println!("{shape:?}");
}

fn main() {
    show(Square);
}
