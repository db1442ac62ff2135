use std::error::Error;
use std::fmt;

#[derive(Debug)]
struct BadRow {
    row: usize,
    source: std::num::ParseIntError,
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} is no number", self.row)
    }
}

impl Error for BadRow {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

fn main() -> Result<(), gg::Failure> {
    for (row, text) in ["1", "2", "x"].iter().enumerate() {
        let number: i32 = text.parse().map_err(|source| BadRow { row, source })?;
        println!("{number}");
    }
    Ok(())
}
