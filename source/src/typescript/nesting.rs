//! A bound on how deeply brackets nest, before anything is read: who reads a source goes as deep as it does. The guest's own
//! stack holds a few thousand.

use super::{Kind, Refused};
use crate::places::Lines;

/// How deep brackets may nest.
const NESTED_BRACKETS: usize = 5_000;

/// Why a source is not read, if it is not. Brackets in strings and comments are left out, as far as they can be told without
/// reading it.
pub(super) fn too_deep(source: &str) -> Option<Refused> {
    let bytes = source.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            quote @ (b'"' | b'\'') => at = end_of_string(bytes, at, quote),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = find(bytes, at, b"\n"),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = find(bytes, at + 2, b"*/"),
            _ => {}
        }
        if depth > NESTED_BRACKETS {
            let (line, column) = Lines::of(source).place(at);
            let message = format!(
                "The brackets here nest more than {NESTED_BRACKETS} deep (bound nestedBrackets), and the engine's stack holds less. Build what is so deep in a loop."
            );
            return Some(Refused { kind: Kind::Bound, message, line, column });
        }
        at += 1;
    }
    None
}

/// The closing quote, or the line's end.
fn end_of_string(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.windows(what.len()).position(|window| window == what).map_or(bytes.len(), |found| from + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nests_beyond_the_bound_is_refused_where_it_does_and_texts_do_not_count() {
        let nested = |n: usize| format!("const x = {}{};", "[".repeat(n), "]".repeat(n));
        assert_eq!(too_deep(&nested(NESTED_BRACKETS)), None);
        let refused = too_deep(&nested(NESTED_BRACKETS + 1)).expect("too deep");
        assert_eq!((refused.line, refused.column), (1, 11 + 5_000));
        let (many, quoted) = ("(".repeat(NESTED_BRACKETS + 1), "(\\\"".repeat(NESTED_BRACKETS + 1));
        for text in [format!("\"{quoted}\""), format!("'{many}'"), format!("// {many}\n"), format!("/* {many} */")] {
            assert_eq!(too_deep(&text), None);
        }
        assert_eq!(too_deep("\"\\"), None);
    }
}
