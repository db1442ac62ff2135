macro_rules! kilo {
    () => {
        concat!("0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef")
    };
}

macro_rules! kilo32 {
    () => {
        concat!(kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!(), kilo!())
    };
}

const TEXT: &str = concat!(kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!(), kilo32!());

fn main() {
    println!("{} {}", TEXT.len(), &TEXT[TEXT.len() - 4..]);
}
