macro_rules! endless {
    ($($rest:tt)*) => { endless!($($rest)* x) };
}

fn main() {
    endless!();
}
