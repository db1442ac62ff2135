use regex::{Captures, Regex};

fn main() -> Result<(), regex::Error> {
    let line = Regex::new(r"(?m)^(?P<key>\w+)\s*=\s*(?P<value>.+)$")?;
    for found in line.captures_iter("name = demo\nsize=3\nnothing") {
        println!("{} -> {}", &found["key"], &found["value"]);
    }
    let year = Regex::new(r"\b(\d{4})-(\d\d)\b")?;
    println!("{}", year.replace_all("from 2024-01 to 2025-12", |found: &Captures| format!("{}/{}", &found[2], &found[1])));
    println!("{:?}", Regex::new(r",\s*")?.split("a, b,c").collect::<Vec<_>>());
    println!("{}", Regex::new(r"^\p{Lu}\p{L}*$")?.is_match("Émile"));
    Regex::new("(unclosed")?;
    Ok(())
}
