#[cfg(target_family = "wasm")]
compile_error!("this program does not run on WebAssembly");

fn main() {}
