fn main() {
    let text = std::fs::read_to_string("config.toml").expect("the configuration must be there");
    println!("{text}");
}
