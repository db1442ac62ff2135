#[link(name = "ssl")]
unsafe extern "C" {
    fn SSL_library_init() -> i32;
}

fn main() {
    println!("{}", unsafe { SSL_library_init() });
}
