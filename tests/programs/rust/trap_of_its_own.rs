use std::arch::wasm32;

fn inner() {
    wasm32::unreachable()
}

fn main() {
    println!("before");
    inner();
}
