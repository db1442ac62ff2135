use std::collections::HashMap;
use std::fmt;
use std::ops::{Add, Index};
use std::rc::Rc;

trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> String {
        "shape".to_owned()
    }
}

struct Square(f64);
struct Circle { radius: f64 }

impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.radius.powi(2)
    }
    fn name(&self) -> String {
        format!("circle of {}", self.radius)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
struct Point<T> { x: T, y: T }

impl<T: Add<Output = T>> Add for Point<T> {
    type Output = Point<T>;
    fn add(self, other: Self) -> Self {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}

struct Table(HashMap<&'static str, u32>);

impl Index<&str> for Table {
    type Output = u32;
    fn index(&self, key: &str) -> &u32 {
        &self.0[key]
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "<{} rows>", self.0.len())
    }
}

struct Loud(&'static str);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("dropped {}", self.0);
    }
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}

fn main() {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2.0)), Box::new(Circle { radius: 1.0 })];
    for shape in &shapes {
        println!("{} {:.3}", shape.name(), shape.area());
    }
    println!("{:?} {:?}", Point { x: 1, y: 2 } + Point { x: 3, y: 4 }, Point::<f32>::default());
    let table = Table(HashMap::from([("a", 7)]));
    println!("{table} {}", table["a"]);
    let shared = Rc::new(Loud("shared"));
    let second = Rc::clone(&shared);
    drop(shared);
    println!("{}", Rc::strong_count(&second));
    println!("{}", compose(|x: i32| x + 1, |x| x.to_string() + "!")(41));
}
