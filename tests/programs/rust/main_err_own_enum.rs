#[derive(Debug)]
enum Problem {
    Missing { key: String },
    #[allow(dead_code)]
    Wrong(u32),
}

fn main() -> Result<(), Problem> {
    Err(Problem::Missing { key: "size".into() })
}
