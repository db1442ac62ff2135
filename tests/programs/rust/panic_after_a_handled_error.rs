fn main() {
    if let Err(error) = gg::files::list_dir(Some("nowhere")) {
        println!("no matter: {error:?}");
    }
    let second: Result<u8, String> = Err("another".into());
    second.unwrap();
}
