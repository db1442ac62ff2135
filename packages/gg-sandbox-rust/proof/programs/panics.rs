fn third(numbers: &[i32]) -> i32 {
    numbers[2]
}

fn main() {
    print!("no line's end");
    println!("{}", third(&[1, 2]));
}
