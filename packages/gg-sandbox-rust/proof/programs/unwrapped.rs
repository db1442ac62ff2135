fn main() {
    print!("before");
    let text = gg::files::read_text_file("missing.md", Default::default()).unwrap();
    println!("{text}");
}
