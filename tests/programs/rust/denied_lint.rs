#![deny(warnings)]

fn main() {
    let unused = 1;
}
