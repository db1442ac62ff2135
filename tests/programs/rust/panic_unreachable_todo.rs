fn step(n: u32) -> u32 {
    match n {
        0 => 1,
        1 => todo!("the second step"),
        _ => unreachable!(),
    }
}

fn main() {
    println!("{}", step(0));
    println!("{}", step(1));
}
