use gg::files::{self, ReadOptions};

fn main() {
    let text = files::read_text_file("nowhere.txt", ReadOptions::default()).unwrap();
    println!("{text}");
}
