unsafe extern "C" {
    fn not_anywhere(x: i32) -> i32;
}

fn main() {
    println!("{}", unsafe { not_anywhere(1) });
}
