#![warn(unused)]

use std::collections::HashMap;

#[deprecated]
fn old() {}

fn unused_function(unused_argument: u32) {}

fn main() {
    let unusedVariable = 1;
    let mut never_changed = 2;
    old();
    println!("{}", never_changed);
    return;
    println!("never");
}
