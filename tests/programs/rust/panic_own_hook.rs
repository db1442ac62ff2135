fn main() {
    std::panic::set_hook(Box::new(|info| eprintln!("my hook: {info}")));
    println!("set");
    let none: Option<u8> = None;
    none.unwrap();
}
