use gg::core::ApiError;
use gg::files::{self, ReadOptions};

fn read(path: &str) -> Result<(), ApiError> {
    files::read_file(path, ReadOptions::default()).map(|_| ())
}

fn main() {
    let long = "x".repeat(300);
    let attempts: Vec<(&str, Result<(), ApiError>)> = vec![
        ("directory", read("src")),
        ("outside", read("../../etc/passwd")),
        ("absolute", read("/etc/passwd")),
        ("link outside", read("docs/outside")),
        ("dangling", read("docs/dangling")),
        ("empty path", read("")),
        ("NUL", read("a\0b")),
        ("through a file", read("README.md/x")),
        ("near", read("READ.md")),
        ("not text", files::read_text_file("data/latin.txt", ReadOptions::default()).map(|_| ())),
        ("long name", files::write_file(&long, "").map(|_| ())),
        ("write a directory", files::write_file("src", "").map(|_| ())),
        ("write outside", files::write_file("/tmp/x", "").map(|_| ())),
        ("list a file", files::list_dir(Some("README.md")).map(|_| ())),
        ("list nothing", files::list_dir(Some("scr")).map(|_| ())),
        ("limit 0", files::read_file("README.md", ReadOptions { limit: Some(0), ..Default::default() }).map(|_| ())),
    ];
    for (name, result) in attempts {
        match result {
            Ok(()) => println!("{name}: answered"),
            Err(error) => println!("{name}: {:?}: {}", error.code, error.message),
        }
    }
}
