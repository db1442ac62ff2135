use std::panic;

fn main() {
    let caught = panic::catch_unwind(|| panic!("abort, not unwind"));
    println!("{}", caught.is_err());
}
