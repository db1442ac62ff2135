fn main() -> Result<(), String> {
    let name = "demo";
    Err(format!("{name} has no rows"))
}
