#[derive(Debug, Serialize)]
struct Config {
    name: String,
}

fn main() {
    println!("{:?}", Config { name: "a".into() });
}
