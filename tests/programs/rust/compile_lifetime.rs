fn longest() -> &str {
    "a"
}

fn dangling<'a>() -> &'a String {
    let text = String::from("gone");
    &text
}

fn main() {
    println!("{} {}", longest(), dangling());
}
