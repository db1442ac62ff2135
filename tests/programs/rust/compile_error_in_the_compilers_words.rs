fn main() {
    compile_error!("aborting due to x");
    compile_error!("linking with x failed: y");
}
