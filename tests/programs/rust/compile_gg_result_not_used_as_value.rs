fn main() {
    let text = gg::files::read_text_file("README.md", Default::default());
    println!("{}", text.len());
    let entries = gg::files::list_dir(None)?;
}
