#[link(wasm_import_module = "env")]
unsafe extern "C" {
    fn host_secret() -> i32;
}

fn main() {
    println!("{}", unsafe { host_secret() });
}
