//! Where the parts of a rewritten program stood in the program.

use serde::{Deserialize, Serialize};

/// Places of a rewritten program, in its order, and where each stood: 1-based lines, and columns in UTF-16 units, as engines
/// count them. What lies between two places belongs to the first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Places(pub Vec<[u32; 4]>);

impl Places {
    /// Where a line and column of the rewritten program stood.
    pub(crate) fn original(&self, line: u32, column: u32) -> (u32, u32) {
        let after = self.0.partition_point(|[at, start, ..]| (*at, *start) <= (line, column));
        self.0[..after].last().map_or((line, column), |[.., line, column]| (*line, *column))
    }
}

/// The lines of a text, to find the line and column of a byte.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Lines end as ECMAScript's do.
    pub(crate) fn of(text: &'a str) -> Lines<'a> {
        let mut starts = vec![0];
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let ends = match character {
                '\r' => characters.peek().is_none_or(|(_, next)| *next != '\n'),
                '\n' | '\u{2028}' | '\u{2029}' => true,
                _ => false,
            };
            if ends {
                starts.push(at + character.len_utf8());
            }
        }
        Lines { text, starts }
    }

    /// The byte at a line and a column in UTF-16 units, both from 0.
    pub(crate) fn at(&self, line: u32, column: u32) -> usize {
        let start = self.starts.get(line as usize).copied().unwrap_or(self.text.len());
        let mut units = 0;
        let within = self.text[start..].char_indices().find(|(_, character)| {
            let found = units >= column;
            units += if character.len_utf16() == 2 { 2 } else { 1 };
            found
        });
        within.map_or(self.text.len(), |(at, _)| start + at)
    }

    /// The 1-based line and column of a byte.
    pub(crate) fn place(&self, at: usize) -> (u32, u32) {
        let at = self.text.floor_char_boundary(at);
        let line = self.starts.partition_point(|start| *start <= at).max(1);
        let column = self.text[self.starts[line - 1]..at].encode_utf16().count() + 1;
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (number(line), number(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_are_counted_as_engines_do() {
        let text = "a\r\nb😀c\u{2028}d";
        let lines = Lines::of(text);
        let at = |needle: char| lines.place(text.find(needle).expect("there"));
        assert_eq!([at('a'), at('b'), at('c'), at('d')], [(1, 1), (2, 1), (2, 4), (3, 1)]);
    }
}
