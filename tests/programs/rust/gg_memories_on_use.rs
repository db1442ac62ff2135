use gg::memories::{self, CodeOptions};

fn main() -> Result<(), gg::Failure> {
    let script = r#"fn main() { println!("the script ran"); }"#;
    memories::create_memory("greet", "A greeting", "Hello.", CodeOptions { on_use: Some(script.into()), code: None })?;
    println!("{} {}", memories::read_memory("greet")?, memories::read_memory("greet")?);
    Ok(())
}
