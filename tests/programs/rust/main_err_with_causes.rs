use std::error::Error;
use std::fmt;

#[derive(Debug)]
struct Broken {
    line: usize,
    cause: std::num::ParseIntError,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} is broken", self.line)
    }
}

impl Error for Broken {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.cause)
    }
}

fn numbers(text: &str) -> Result<Vec<i32>, Broken> {
    text.lines()
        .enumerate()
        .map(|(at, line)| line.parse().map_err(|cause| Broken { line: at + 1, cause }))
        .collect()
}

fn main() -> Result<(), gg::Failure> {
    let numbers = numbers("1\n2\n3x")?;
    println!("{numbers:?}");
    Ok(())
}
