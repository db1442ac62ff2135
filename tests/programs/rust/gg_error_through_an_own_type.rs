use gg::core::ApiError;
use gg::files::{self, ReadOptions};
use std::fmt;

#[derive(Debug)]
enum LoadError {
    Read(ApiError),
    Empty,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Read(_) => f.write_str("the notes cannot be read"),
            LoadError::Empty => f.write_str("the notes are empty"),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LoadError::Read(cause) => Some(cause),
            LoadError::Empty => None,
        }
    }
}

impl From<ApiError> for LoadError {
    fn from(cause: ApiError) -> Self {
        LoadError::Read(cause)
    }
}

fn load(path: &str) -> Result<String, LoadError> {
    let text = files::read_text_file(path, ReadOptions::default())?;
    if text.is_empty() { Err(LoadError::Empty) } else { Ok(text) }
}

fn main() -> Result<(), gg::Failure> {
    println!("{:?}", load("data/empty.txt").map_err(|error| error.to_string()));
    load("notes.md")?;
    Ok(())
}
