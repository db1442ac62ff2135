//! How much of a compiler's output the model reads: the one place where it is shortened. A bound deletes and counts what it
//! deleted; it never rewords, wraps or trims. What band a failure is in is decided before.

use std::collections::HashSet;
use std::fmt::Write;

/// Bounds a list of diagnostics that were rendered apart: byte-identical ones are folded, the first `shown` of the rest are
/// kept in their order, and what was dropped is counted.
pub fn capped(diagnostics: &[String], shown: usize) -> String {
    let mut seen = HashSet::new();
    let distinct: Vec<&String> = diagnostics.iter().filter(|one| seen.insert(one.as_str())).collect();
    let kept = distinct.len().min(shown);
    let mut text = distinct[..kept].iter().map(|one| one.as_str()).collect::<Vec<_>>().join("\n");
    close(&mut text, distinct.len() - kept);
    text
}

/// Bounds a compiler's own text, in which a diagnostic is a line that opens it and what follows that. What comes before the
/// first is kept always, and a text in which no line opens one is given back as it is.
pub fn capped_lines(text: &str, shown: usize, opens: impl Fn(&str) -> bool) -> String {
    let mut groups = 0;
    let mut end = text.len();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if opens(line.trim_end_matches(['\n', '\r'])) {
            groups += 1;
            if groups == shown + 1 {
                end = at;
            }
        }
        at += line.len();
    }
    let mut kept = text[..end].to_owned();
    close(&mut kept, groups.max(shown) - shown);
    kept
}

/// The line that counts what was dropped.
fn close(text: &mut String, dropped: usize) {
    if dropped == 0 {
        return;
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let diagnostics = if dropped == 1 { "diagnostic" } else { "diagnostics" };
    // Writing to a string cannot fail.
    let _ = write!(text, "({dropped} more {diagnostics} not shown)");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_subsequence(part: &str, whole: &str) -> bool {
        let mut whole = whole.chars();
        part.chars().all(|c| whole.by_ref().any(|other| other == c))
    }

    /// Without the line that counts, and what it counts.
    fn split(text: &str) -> (&str, usize) {
        let Some(at) = text.rfind('(').filter(|_| text.ends_with(" not shown)")) else { return (text, 0) };
        let dropped = text[at + 1..].split(' ').next().and_then(|count| count.parse().ok()).expect("a count");
        (&text[..at], dropped)
    }

    #[test]
    fn identical_diagnostics_are_folded_and_the_first_are_kept_as_they_are() {
        let of = |list: &[&str], shown| capped(&list.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>(), shown);
        assert_eq!(of(&["a ", "b\n", "a ", "c"], 8), "a \nb\n\nc");
        assert_eq!(of(&["a", "b", "a", "c"], 2), "a\nb\n(1 more diagnostic not shown)");
        assert_eq!(of(&["a", "b", "c"], 0), "(3 more diagnostics not shown)");
        assert_eq!(of(&[], 8), "");
    }

    #[test]
    fn a_text_is_cut_at_whole_diagnostics_and_what_comes_before_them_stays() {
        let opens = |line: &str| line.starts_with("error");
        let text = "warming up\nerror 1\n  |\nerror 2\n  ^\nerror 3\n";
        assert_eq!(capped_lines(text, 3, opens), text);
        assert_eq!(capped_lines(text, 1, opens), "warming up\nerror 1\n  |\n(2 more diagnostics not shown)");
        assert_eq!(capped_lines(text, 0, opens), "warming up\n(3 more diagnostics not shown)");
        assert_eq!(capped_lines("a panic\r\n  it", 0, opens), "a panic\r\n  it", "nothing opens a diagnostic");
    }

    proptest! {
        #[test]
        fn a_bound_deletes_and_counts_and_does_nothing_else(list in proptest::collection::vec("[ab\n]{1,3}", 0..20), shown in 0usize..10) {
            let text = capped(&list, shown);
            let (kept, dropped) = split(&text);
            let distinct: Vec<_> = {
                let mut seen = HashSet::new();
                list.iter().filter(|one| seen.insert(one.as_str())).cloned().collect()
            };
            prop_assert_eq!(dropped, distinct.len().saturating_sub(shown));
            prop_assert!(is_subsequence(kept.trim_end_matches('\n'), &distinct.join("\n")));
            prop_assert!(distinct.iter().take(shown).all(|one| kept.contains(one.as_str())));
        }

        #[test]
        fn a_bounded_text_is_a_beginning_of_the_text(text in "(e[ab]?|[ab ]{0,3}|\n){0,30}", shown in 0usize..6) {
            let opens = |line: &str| line.starts_with('e');
            let bounded = capped_lines(&text, shown, opens);
            let (kept, dropped) = split(&bounded);
            let groups = text.lines().filter(|line| opens(line)).count();
            prop_assert_eq!(dropped, groups.saturating_sub(shown));
            prop_assert!(text.starts_with(kept) || kept.strip_suffix('\n').is_some_and(|kept| text.starts_with(kept)));
            if groups <= shown {
                prop_assert_eq!(bounded, text);
            }
        }
    }
}
