struct Wrap<T>(T);

trait Depth {
    fn depth(n: u32) -> u32;
}

impl<T> Depth for Wrap<T> {
    fn depth(n: u32) -> u32 {
        if n == 0 { 0 } else { 1 + <Wrap<Wrap<T>> as Depth>::depth(n - 1) }
    }
}

fn main() {
    println!("{}", <Wrap<u8> as Depth>::depth(3));
}
