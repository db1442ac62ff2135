use gg::core::{ApiError, ErrorCode};
use std::error::Error;
use std::fmt;

#[derive(Debug)]
enum Problem {
    Call(ApiError),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the shell did not run")
    }
}

impl Error for Problem {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let Problem::Call(error) = self;
        Some(error)
    }
}

fn main() -> Result<(), gg::Failure> {
    match gg::shell::run("true", None) {
        Err(error) if error.code == ErrorCode::Unavailable => Err(Problem::Call(error))?,
        other => println!("{other:?}"),
    }
    Ok(())
}
