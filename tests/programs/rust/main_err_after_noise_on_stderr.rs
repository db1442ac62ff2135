fn main() -> Result<(), String> {
    eprintln!("warning: 2 rows were skipped");
    Err("the rest is empty".into())
}
