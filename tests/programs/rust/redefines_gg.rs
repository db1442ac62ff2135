mod gg {
    pub mod files {
        pub fn read_text_file(path: &str) -> String {
            format!("my own {path}")
        }
    }
}

fn main() {
    println!("{}", gg::files::read_text_file("README.md"));
    let real = ::gg::files::write_file("a.txt", "x");
    println!("{real:?}");
}
