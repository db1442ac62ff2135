//! Windows of lines.
//!
//! A line ends with `\n`, which belongs to it; what follows the last one, if anything, is a line too. So an empty file has
//! no line, `a` and `a\n` have one, and windows that follow each other give the file again, byte for byte, with
//! whatever line ends it has. Lines count from 1.
//!
//! A window holds at most so many bytes: the whole lines that fit, or, where not even the first does, as many of its
//! characters as do. `byte_truncated` then says that the window is shorter than was asked for.

use super::problem::FileProblem;
use std::io::{self, BufRead};

/// Which lines are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// The first line.
    pub first: u64,
    /// How many lines.
    pub count: u64,
    /// How many bytes at most.
    pub max_bytes: u64,
}

impl Wanted {
    /// As a call gives it: both count from 1, and without them it is the whole file.
    pub fn new(offset: Option<u32>, limit: Option<u32>, max_bytes: u64) -> Result<Wanted, FileProblem> {
        let zero =
            |what| FileProblem::Argument(format!("{what} is 0: lines count from 1, and a window has at least one"));
        match (offset, limit) {
            (Some(0), _) => Err(zero("offset")),
            (_, Some(0)) => Err(zero("limit")),
            _ => Ok(Wanted {
                first: u64::from(offset.unwrap_or(1)),
                count: limit.map_or(u64::MAX, u64::from),
                max_bytes,
            }),
        }
    }
}

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Window {
    /// The lines with their ends.
    pub contents: String,
    /// The first line's number; 0 where no line is in the window.
    pub first_line: u64,
    /// The last line's number, perhaps of a line that was cut; 0 where no line is in the window.
    pub last_line: u64,
    /// How many lines the file has.
    pub total_lines: u64,
    /// Whether bytes that were asked for are missing because there are too many.
    pub byte_truncated: bool,
}

/// The bytes of a window that are no UTF-8, with where in the file that is.
#[derive(Debug)]
pub enum WindowError {
    /// The file could not be read.
    Io(io::Error),
    /// At this byte of the file.
    NotText(u64),
}

/// The window of a text.
pub fn window(text: &str, wanted: Wanted) -> Window {
    read_window(text.as_bytes(), wanted).expect("a text is UTF-8 and can be read")
}

/// The window of what a reader gives, of which no more than the window is held.
pub fn read_window(mut source: impl BufRead, wanted: Wanted) -> Result<Window, WindowError> {
    let mut taken = Taken { wanted, contents: Vec::new(), starts_at: 0, lines: 0, cut: false };
    let (mut line, mut at, mut in_line) = (1, 0, 0);
    loop {
        let piece = source.fill_buf().map_err(WindowError::Io)?;
        if piece.is_empty() {
            break;
        }
        let end = piece.iter().position(|byte| *byte == b'\n');
        let part = end.map_or(piece, |end| &piece[..=end]);
        let length = part.len();
        taken.push(line, at, in_line, part);
        at += length as u64;
        in_line += length as u64;
        if end.is_some() {
            (line, in_line) = (line + 1, 0);
        }
        source.consume(length);
    }
    let total_lines = if in_line > 0 { line } else { line - 1 };
    taken.finish(total_lines)
}

struct Taken {
    wanted: Wanted,
    contents: Vec<u8>,
    /// Where in the file the contents begin.
    starts_at: u64,
    /// How many lines are in the contents, the last perhaps in part.
    lines: u64,
    cut: bool,
}

impl Taken {
    /// Takes a part of a line, of which `in_line` bytes came before, if it belongs to the window.
    fn push(&mut self, line: u64, at: u64, in_line: u64, part: &[u8]) {
        let (first, end) = (self.wanted.first, self.wanted.first.saturating_add(self.wanted.count));
        if self.cut || line < first || line >= end {
            return;
        }
        if self.lines == 0 {
            self.starts_at = at;
        }
        let room = usize::try_from(self.wanted.max_bytes).unwrap_or(usize::MAX).saturating_sub(self.contents.len());
        if part.len() <= room {
            self.contents.extend_from_slice(part);
            self.lines = line - first + 1;
            return;
        }
        self.cut = true;
        if line == first {
            self.contents.extend_from_slice(&part[..room]);
            self.lines = u64::from(!self.contents.is_empty());
        } else {
            // Back to the end of the line before.
            let begun = usize::try_from(in_line).unwrap_or(usize::MAX);
            self.contents.truncate(self.contents.len().saturating_sub(begun));
            self.lines = line - first;
        }
    }

    fn finish(self, total_lines: u64) -> Result<Window, WindowError> {
        let Taken { wanted, mut contents, starts_at, mut lines, cut } = self;
        let contents = match String::from_utf8(std::mem::take(&mut contents)) {
            Ok(contents) => contents,
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let cut_within = cut && error.utf8_error().error_len().is_none();
                if !cut_within {
                    return Err(WindowError::NotText(starts_at + valid as u64));
                }
                let mut bytes = error.into_bytes();
                bytes.truncate(valid);
                String::from_utf8(bytes).map_err(|_| WindowError::NotText(starts_at))?
            }
        };
        if contents.is_empty() {
            lines = 0;
        }
        let (first_line, last_line) = if lines == 0 { (0, 0) } else { (wanted.first, wanted.first + lines - 1) };
        Ok(Window { contents, first_line, last_line, total_lines, byte_truncated: cut })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(text: &str, offset: u32, limit: u32, max_bytes: u64) -> (String, u64, u64, u64, bool) {
        let w = window(text, Wanted::new(Some(offset), Some(limit), max_bytes).expect("in range"));
        (w.contents, w.first_line, w.last_line, w.total_lines, w.byte_truncated)
    }

    #[test]
    fn windows_by_example() {
        let text = "one\r\ntwo\n\nfour";
        for (offset, limit, max, contents, first, last, cut) in [
            (1, 9, 99, text, 1, 4, false),
            (2, 1, 99, "two\n", 2, 2, false),
            (1, 1, 99, "one\r\n", 1, 1, false),
            (3, 1, 99, "\n", 3, 3, false),
            (4, 5, 99, "four", 4, 4, false),
            (5, 1, 99, "", 0, 0, false),
            (1, 9, 9, "one\r\ntwo\n", 1, 2, true),
            (1, 9, 8, "one\r\n", 1, 1, true),
            (1, 9, 2, "on", 1, 1, true),
            (1, 1, 5, "one\r\n", 1, 1, false),
            (4, 1, 4, "four", 4, 4, false),
            (1, 9, 0, "", 0, 0, true),
        ] {
            let expected = (contents.to_owned(), first, last, 4, cut);
            assert_eq!(lines(text, offset, limit, max), expected, "{offset} {limit} {max}");
        }
        assert_eq!(lines("", 1, 1, 9), (String::new(), 0, 0, 0, false));
        assert_eq!(lines("\n", 1, 1, 9), ("\n".to_owned(), 1, 1, 1, false));
        assert_eq!(lines("äöü", 1, 1, 3), ("ä".to_owned(), 1, 1, 1, true), "no character is cut");
    }

    #[test]
    fn lines_count_from_one() {
        for (offset, limit, what) in [(Some(0), None, "offset is 0"), (None, Some(0), "limit is 0")] {
            let problem = Wanted::new(offset, limit, 9).expect_err("refused");
            assert!(problem.to_string().starts_with(what), "{problem}");
        }
    }

    #[test]
    fn what_is_no_text_says_where() {
        let wanted = |first, count| Wanted { first, count, max_bytes: 99 };
        let bytes = &b"abc\nd\xff\nghi\xc3"[..];
        assert!(matches!(read_window(bytes, wanted(1, 9)), Err(WindowError::NotText(5))));
        assert!(matches!(read_window(bytes, wanted(3, 1)), Err(WindowError::NotText(10))));
        assert_eq!(read_window(bytes, wanted(1, 1)).expect("text").contents, "abc\n", "only the window is looked at");
    }

    proptest! {
        #[test]
        fn windows_that_follow_each_other_give_the_file(
            text in "([a-cé\r]{0,6}\n?){0,12}", size in 1u32..5, buffer in 1usize..9,
        ) {
            let mut joined = String::new();
            let mut next = 1;
            loop {
                let wanted = Wanted::new(Some(next), Some(size), 1_000).expect("in range");
                let w = window(&text, wanted);
                let reader = io::BufReader::with_capacity(buffer, text.as_bytes());
                prop_assert_eq!(&read_window(reader, wanted).expect("text"), &w, "however it is read");
                prop_assert_eq!(w.total_lines, text.split_inclusive('\n').count() as u64);
                if w.contents.is_empty() {
                    prop_assert_eq!((w.first_line, w.last_line), (0, 0));
                    break;
                }
                prop_assert_eq!(w.first_line, u64::from(next));
                prop_assert_eq!(w.contents.split_inclusive('\n').count() as u64, w.last_line - w.first_line + 1);
                joined.push_str(&w.contents);
                next = u32::try_from(w.last_line).expect("small") + 1;
            }
            prop_assert_eq!(joined, text);
        }

        #[test]
        fn a_cap_is_kept_and_cuts_between_lines(text in "([a-cé]{0,6}\n?){0,12}", cap in 0u64..40, buffer in 1usize..9) {
            let wanted = Wanted::new(None, None, cap).expect("in range");
            let w = window(&text, wanted);
            let reader = io::BufReader::with_capacity(buffer, text.as_bytes());
            prop_assert_eq!(&read_window(reader, wanted).expect("text"), &w, "however it is read");
            prop_assert!(w.contents.len() as u64 <= cap);
            prop_assert!(text.starts_with(&w.contents));
            prop_assert_eq!(w.byte_truncated, w.contents.len() < text.len());
            if w.byte_truncated && w.last_line > 1 {
                prop_assert!(w.contents.ends_with('\n'));
            }
        }
    }
}
