use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
struct Config {
    name: String,
    size: u32,
}

fn main() {
    let config: Config = serde_json::from_str("{\"name\": \"a\", \"size\": 1}").unwrap();
    println!("{config:?}");
}
