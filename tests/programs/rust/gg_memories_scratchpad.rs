use gg::memories::{self, CodeOptions};

fn main() -> Result<(), gg::Failure> {
    println!("{:?}", memories::write_memory("style", "How to write", "Short sentences.", CodeOptions::default())?);
    println!("{:?}", memories::update_memory("style", "How to write", "Shorter.", CodeOptions::default())?);
    println!("{:?}", memories::write_memory("other", "Something else", "", CodeOptions::default())?);
    let on_use = CodeOptions { on_use: Some("fn main() {}".into()), ..Default::default() };
    let results = [
        memories::write_memory("style", "Again", "x", CodeOptions::default()),
        memories::update_memory("stile", "Near", "x", CodeOptions::default()),
        memories::write_memory("n", "two\nlines", "x", CodeOptions::default()),
        memories::write_memory("third", "Too many", "x", CodeOptions::default()),
        memories::update_memory("style", "Too long", &"x".repeat(21), CodeOptions::default()),
        memories::update_memory("style", "Script", "x", on_use),
        memories::delete_memory("nothing"),
    ];
    for result in results {
        match result {
            Ok(usage) => println!("answered {usage:?}"),
            Err(error) => println!("{error}"),
        }
    }
    println!("{:?}", memories::delete_memory("other")?);
    println!("{}", memories::read_memory("style")?);
    Ok(())
}
