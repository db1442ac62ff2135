mod shapes {
    pub mod area {
        pub fn of(side: f64) -> f64 {
            super::square(side)
        }
    }
    fn square(x: f64) -> f64 {
        if x < 0.0 {
            panic!("a negative side: {x}");
        }
        x * x
    }
}

use shapes::area;

fn main() {
    println!("{}", area::of(3.0));
    println!("{}", area::of(-1.0));
}
