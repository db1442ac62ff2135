use std::pin::pin;
use std::task::{Context, Poll, Waker};

struct Lines(Vec<String>);

impl Lines {
    // Both are errors before edition 2024: `impl` captured no lifetime that it did not name, and no prelude had `Future`.
    fn longest(&self, least: &usize) -> impl Iterator<Item = &String> {
        self.0.iter().filter(|line| line.len() >= *least)
    }
}

fn count(lines: &Lines) -> impl Future<Output = usize> {
    async { lines.longest(&2).count() }
}

fn main() {
    let lines = Lines(vec!["a".into(), "bc".into(), "def".into()]);
    match pin!(count(&lines)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(count) => println!("{count}"),
        Poll::Pending => println!("pending"),
    }
    let boxed: Box<[String]> = lines.0.into_boxed_slice();
    let owned: Vec<String> = boxed.into_iter().collect();
    println!("{owned:?}");
}
