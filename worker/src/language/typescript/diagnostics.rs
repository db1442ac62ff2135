//! What tsc says of a program: text, in which a diagnostic is a line `program.ts(1,2): error TS…` and the indented lines
//! that explain it.

use crate::language::diagnostics::capped_lines;
use std::path::PathBuf;

/// How many errors the model reads.
const SHOWN: usize = 8;

/// All that was said, of which the model reads what is about its program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said(String);

impl Said {
    /// Reads what tsc wrote about a file. The folders that it may call files by are the host's, and are left out.
    pub(super) fn read(stdout: &[u8], file: &str, hidden: &[PathBuf]) -> Said {
        let text = String::from_utf8_lossy(stdout);
        let groups = groups(&text);
        let is_elsewhere = |group: &&str| place_of(first_line(group)).is_some_and(|place| place != file);
        let mut told: String = groups.iter().copied().filter(|group| !is_elsewhere(group)).collect();
        if told.is_empty() {
            // It is the program that clashes with a declaration, and only that is told of: by the file's own name.
            told = groups.iter().map(|group| file_name_of(group)).collect();
        }
        Said(hidden.iter().fold(told, |told, place| told.replace(&format!("{}/", place.display()), "")))
    }

    /// Whether nothing was said of any program.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the model reads.
    pub(super) fn text(&self) -> String {
        capped_lines(&self.0, SHOWN, opens)
    }
}

/// The diagnostics, each with the lines that explain it. What comes before the first is none.
fn groups(text: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if opens(line) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| &text[start..end]).collect()
}

/// Whether a line opens a diagnostic: at a place of a file, or at none.
fn opens(line: &str) -> bool {
    if line.starts_with(char::is_whitespace) {
        return false;
    }
    line.starts_with("error TS") || place_of(line).is_some()
}

/// The file of a line that opens a diagnostic.
fn place_of(line: &str) -> Option<&str> {
    let (place, _) = line.split_once("): error TS")?;
    let (file, at) = place.rsplit_once('(')?;
    at.chars().all(|c| c.is_ascii_digit() || c == ',').then_some(file)
}

fn first_line(group: &str) -> &str {
    group.lines().next().unwrap_or_default()
}

/// A diagnostic without the folder of its file.
fn file_name_of(group: &str) -> &str {
    match place_of(first_line(group)).and_then(|file| file.rfind('/')) {
        Some(at) => &group[at + 1..],
        None => group,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Said {
        Said::read(text.as_bytes(), "program.ts", &["/a/declarations".into(), "/w/work".into()])
    }

    #[test]
    fn a_diagnostic_is_told_whole_and_as_it_was_written() {
        let text = "program.ts(1,7): error TS2322: Type 'A' is not assignable to type 'B'.\n  Types of 'x' differ.\nprogram.ts(2,1): error TS2304: Cannot find name 'y'.\n";
        assert_eq!(said(text).text(), text);
        assert!(said("").is_empty());
        assert!(said("panic: runtime error\n\ngoroutine 1 [running]:\n").is_empty(), "a crash says nothing of a program");
    }

    #[test]
    fn ten_thousand_errors_are_eight_and_a_count() {
        let many: String = (1..=10_000).map(|n| format!("program.ts({n},1): error TS1: no.\n  why\n")).collect();
        let text = said(&many).text();
        assert!(text.contains("program.ts(8,1)") && !text.contains("program.ts(9,1)"), "{text}");
        assert!(text.ends_with("  why\n(9992 more diagnostics not shown)"), "{text}");
    }

    #[test]
    fn no_place_of_the_host_is_told() {
        let clash = "../../a/declarations/gg.d.ts(5,3): error TS2300: Duplicate identifier 'f'.\n";
        let own = "program.ts(1,1): error TS2300: Duplicate identifier 'f' of import(\"/w/work/program\").f.\n";
        assert_eq!(said(clash).text(), "gg.d.ts(5,3): error TS2300: Duplicate identifier 'f'.\n");
        let both = said(&format!("{clash}{own}")).text();
        assert_eq!(both, "program.ts(1,1): error TS2300: Duplicate identifier 'f' of import(\"program\").f.\n");
    }
}
