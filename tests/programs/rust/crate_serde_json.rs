use serde_json::{Value, json};

fn main() -> Result<(), gg::Failure> {
    let mut value: Value = serde_json::from_str(r#"{"name": "demo", "tags": ["a", "b"], "size": 1.5e3}"#)?;
    value["tags"].as_array_mut().unwrap().push(json!({ "deep": null }));
    println!("{value}");
    println!("{}", serde_json::to_string_pretty(&value)?);
    println!("{:?} {}", value.pointer("/tags/0"), value["nothing"]["here"].is_null());
    let numbers: Vec<u8> = serde_json::from_str("[1, 2, 300]")?;
    println!("{numbers:?}");
    Ok(())
}
