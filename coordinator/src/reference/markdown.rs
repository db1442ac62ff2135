//! Markdown: tables, headings and what they are linked by.

use serde_json::Value;

/// A table; columns in which nothing stands are left out.
pub(super) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let used: Vec<usize> = (0..head.len()).filter(|column| rows.iter().any(|row| !row[*column].is_empty())).collect();
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut out = line(used.iter().map(|column| head[*column].to_owned()).collect());
    out.push_str(&line(used.iter().map(|_| "---".to_owned()).collect()));
    for row in rows {
        out.push_str(&line(used.iter().map(|column| row[*column].replace('|', "\\|")).collect()));
    }
    out
}

pub(super) fn code(text: &str) -> String {
    format!("`{text}`")
}

/// What a heading is linked by: its letters and digits in lower case, with hyphens for spaces.
pub(super) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// A type's name as words: `MemoryStrategy` is a memory strategy.
pub(super) fn words(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push(' ');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// With a capital letter, as a heading.
pub(super) fn title(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A number of bytes in the largest unit that it is a whole number of.
pub(super) fn size(bytes: u64) -> Option<String> {
    let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let (unit, shift) = units.into_iter().find(|(_, shift)| bytes >= 1 << shift && bytes.is_multiple_of(1 << shift))?;
    Some(format!("{} {unit}", bytes >> shift))
}

/// A number as people write it: `30,000`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A value as a file writes it, and in words where it is a number of bytes; none for what is itself a table or a list.
pub(super) fn value(field: &str, value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(code(&format!("\"{text}\""))),
        Value::Bool(_) => Some(code(&value.to_string())),
        Value::Number(number) => {
            let in_words = number.as_u64().filter(|_| field.ends_with("Bytes")).and_then(size);
            Some(format!("{}{}", code(&number.to_string()), in_words.map(|w| format!(" ({w})")).unwrap_or_default()))
        }
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_numbers_and_names_read_as_people_write_them() {
        assert_eq!(anchor("`[[profile.skills]]`"), "profileskills");
        assert_eq!(anchor("Memory strategy"), "memory-strategy");
        assert_eq!(title(&words("MemoryStrategy")), "Memory strategy");
        assert_eq!((grouped(1_500_000), grouped(30)), ("1,500,000".into(), "30".into()));
        assert_eq!((size(256 << 20), size(1000)), (Some("256 MiB".into()), None));
        assert_eq!(value("memoryBytes", &Value::from(65_536)), Some("`65536` (64 KiB)".into()));
    }

    #[test]
    fn a_table_leaves_out_what_says_nothing() {
        let rows = [vec!["a".to_owned(), String::new(), "x|y".to_owned()]];
        assert_eq!(table(&["1", "2", "3"], &rows), "| 1 | 3 |\n| --- | --- |\n| a | x\\|y |\n");
    }
}
