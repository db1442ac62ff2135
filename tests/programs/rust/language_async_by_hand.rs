use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

struct Twice(u8);

impl Future for Twice {
    type Output = &'static str;
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0 += 1;
        println!("polled {}", self.0);
        if self.0 == 2 { Poll::Ready("ready") } else { context.waker().wake_by_ref(); Poll::Pending }
    }
}

fn main() {
    let mut future = pin!(async { Twice(0).await });
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            println!("{value}");
            break;
        }
    }
}
