use gg::bindings::gg::sandbox::files;

fn main() {
    files::read_text_file("README.md", None, None).unwrap();
}
