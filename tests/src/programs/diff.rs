//! Two texts side by side, for people.

use std::fmt::Write;

/// How many equal lines are shown around what differs.
const CONTEXT: usize = 3;
/// How many lines of either text are shown.
const SHOWN: usize = 60;

/// The lines that differ: `-` is expected, `+` was found. What cannot be seen is escaped.
pub fn diff(expected: &str, found: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (lines(expected), lines(found));
    let same_start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let rest = a.len().min(b.len()) - same_start;
    let same_end = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(x, y)| x == y).count();
    let mut text = String::new();
    let mut show = |mark: char, lines: &[&str]| {
        for line in lines.iter().take(SHOWN) {
            let _ = writeln!(text, "      {mark} {}", seen(line));
        }
        if lines.len() > SHOWN {
            let _ = writeln!(text, "      {mark} … {} more lines", lines.len() - SHOWN);
        }
    };
    show(' ', &a[same_start.saturating_sub(CONTEXT)..same_start]);
    show('-', &a[same_start..a.len() - same_end]);
    show('+', &b[same_start..b.len() - same_end]);
    show(' ', &a[a.len() - same_end..(a.len() - same_end + CONTEXT).min(a.len())]);
    text
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// A line as it can be told from another: its end is shown where it is not the usual one.
fn seen(line: &str) -> String {
    let (line, end) = match line.strip_suffix('\n') {
        Some(line) => (line, ""),
        None => (line, "⏎ missing"),
    };
    let mut text = String::new();
    for c in line.chars().take(400) {
        if c.is_control() || c == '\u{feff}' || c == '\u{a0}' {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
    }
    text + end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_stands_between_what_does_not() {
        assert_eq!(diff("a\nb\nc\n", "a\nx\nc\n"), "        a\n      - b\n      + x\n        c\n");
        assert_eq!(diff("a\n", "a"), "      - a\n      + a⏎ missing\n");
        assert_eq!(diff("a\r\n", "a\n"), "      - a\\r\n      + a\n");
    }
}
