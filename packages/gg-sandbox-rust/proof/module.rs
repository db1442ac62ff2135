//! A code module: a file of items, compiled as a library of its own.

use gg::core::ApiError;
use gg::files;

/// A table of numbers.
pub struct Table {
    /// Its rows.
    pub rows: Vec<Vec<i64>>,
}

/// Reads a table.
pub fn read(path: &str) -> Result<Table, ApiError> {
    let text = files::read_text_file(path, files::ReadOptions::default())?;
    Ok(parse(&text))
}

/// Takes a text apart.
pub fn parse(text: &str) -> Table {
    let row = |line: &str| line.split(',').filter_map(|cell| cell.trim().parse().ok()).collect();
    Table { rows: text.lines().map(row).collect() }
}

impl Table {
    /// The sum of a row.
    pub fn sum(&self, row: usize) -> i64 {
        self.rows[row].iter().sum()
    }
}
