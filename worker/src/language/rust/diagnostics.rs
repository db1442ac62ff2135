//! What rustc says of a program: JSON lines, of which the errors are read, each in the compiler's own rendering.

use crate::language::diagnostics::capped;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// How many errors the model reads.
const SHOWN: usize = 8;

/// A diagnostic, as far as it is read.
#[derive(Debug, Deserialize)]
struct Diagnostic {
    level: String,
    rendered: Option<String>,
    message: String,
    /// What of the program it is about; nothing, where it is about the compile.
    #[serde(default)]
    spans: Vec<IgnoredAny>,
    #[serde(default)]
    code: Option<IgnoredAny>,
    #[serde(default)]
    children: Vec<Diagnostic>,
}

impl Diagnostic {
    /// Whether it is rustc's own word on the compile, and about nothing that the program says: a program can word its own
    /// errors as it likes.
    fn is_of_the_compile(&self) -> bool {
        self.spans.is_empty() && self.code.is_none()
    }
}

/// The errors of a compile, each with its children as rustc renders them, but for its closing count.
pub(super) fn errors(stderr: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(stderr);
    let diagnostics = text.lines().filter_map(|line| serde_json::from_str::<Diagnostic>(line).ok());
    diagnostics
        .filter(|diagnostic| diagnostic.level == "error" && !is_count(diagnostic))
        .map(|diagnostic| match linking(&diagnostic) {
            Some(text) => text,
            None => without_notes_of_ours(&diagnostic.rendered.unwrap_or(diagnostic.message)),
        })
        .collect()
}

/// What the linker says, where it is the linker that refuses: its own errors, without the command line and the places that
/// are the host's.
fn linking(diagnostic: &Diagnostic) -> Option<String> {
    if !diagnostic.message.starts_with("linking with ") || !diagnostic.is_of_the_compile() {
        return None;
    }
    let said = diagnostic.children.iter().flat_map(|child| child.message.lines());
    let mut errors: Vec<&str> = said.filter(|line| line.contains("error: ")).collect();
    if errors.is_empty() {
        // It died: how is all that is known.
        errors.extend(diagnostic.message.rsplit_once(" failed: ").map(|(_, how)| how));
    }
    let errors = errors.into_iter().map(|line| {
        let words = line.trim().split(' ').map(|word| match word.rfind('/') {
            Some(at) => &word[at + 1..],
            None => word,
        });
        words.collect::<Vec<_>>().join(" ") + "\n"
    });
    Some(format!("error: the program does not link\n{}", errors.collect::<String>()))
}

/// A rendering without the notes on files that rustc wrote for us alone: nobody who reads it has them.
fn without_notes_of_ours(rendered: &str) -> String {
    let lines = rendered.trim_end().lines().filter(|line| !line.contains(".long-type"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// `aborting due to 2 previous errors`, which says nothing of the program.
fn is_count(diagnostic: &Diagnostic) -> bool {
    diagnostic.message.starts_with("aborting due to ") && diagnostic.is_of_the_compile()
}

/// What the model reads of them.
pub(super) fn text(errors: &[String]) -> String {
    capped(errors, SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(level: &str, message: &str, rendered: &str) -> String {
        serde_json::json!({ "$message_type": "diagnostic", "level": level, "message": message, "rendered": rendered })
            .to_string()
    }

    #[test]
    fn errors_are_told_as_rendered_and_everything_else_is_left_out() {
        let stderr = [
            line("warning", "unused", "warning: unused\n"),
            line("error", "mismatched types", "error[E0308]: mismatched types\n --> program.rs:2:5\n\n"),
            "not json".to_owned(),
            line("error", "mismatched types", "error[E0308]: mismatched types\n --> program.rs:2:5\n\n"),
            line("error", "aborting due to 2 previous errors", "error: aborting due to 2 previous errors\n\n"),
            line("failure-note", "For more information", "For more information\n"),
        ]
        .join("\n");
        let errors = errors(stderr.as_bytes());
        assert_eq!(errors.len(), 2);
        assert_eq!(text(&errors), "error[E0308]: mismatched types\n --> program.rs:2:5\n");
    }

    #[test]
    fn the_linkers_own_words_are_told_without_the_places_of_the_host() {
        let diagnostic = serde_json::json!({
            "level": "error", "message": "linking with `/t/bin/rust-lld` failed: exit status: 1", "rendered": "…",
            "children": [
                { "level": "note", "message": "PATH=\"/t/bin\" \"/t/bin/rust-lld\"", "rendered": null },
                { "level": "note", "message": "rust-lld: error: /w/out/a.o: undefined symbol: x\n", "rendered": null },
            ],
        });
        let errors = errors(diagnostic.to_string().as_bytes());
        assert_eq!(errors, ["error: the program does not link\nrust-lld: error: a.o: undefined symbol: x\n"]);
        let long = line(
            "error",
            "m",
            "error: m\n  = note: the full name for the type has been written to '../out/program.long-type.txt'\n",
        );
        assert_eq!(super::errors(long.as_bytes()), ["error: m\n"]);
    }

    #[test]
    fn a_programs_own_words_are_never_taken_for_the_compilers() {
        let own = |message: &str| {
            let rendered = format!("error: {message}\n --> program.rs:1:1\n");
            serde_json::json!({ "level": "error", "message": message, "rendered": rendered, "spans": [{}] }).to_string()
        };
        for message in ["aborting due to x", "linking with x failed: y"] {
            assert_eq!(errors(own(message).as_bytes()), [format!("error: {message}\n --> program.rs:1:1\n")]);
        }
        let coded = serde_json::json!({ "level": "error", "message": "aborting due to T", "rendered": "error: T\n",
            "code": { "code": "E0277" } });
        assert_eq!(errors(coded.to_string().as_bytes()), ["error: T\n"]);
        let silent = serde_json::json!({ "level": "error", "message": "linking with `/t/rust-lld` failed: signal: 6",
            "rendered": "…", "children": [] });
        assert_eq!(errors(silent.to_string().as_bytes()), ["error: the program does not link\nsignal: 6\n"]);
    }

    #[test]
    fn ten_thousand_errors_are_eight_and_a_count() {
        let many: Vec<String> = (0..10_000).map(|number| format!("error: number {number}\n")).collect();
        let text = text(&many);
        assert!(text.contains("number 7") && !text.contains("number 8\n"), "{text}");
        assert!(text.ends_with("(9992 more diagnostics not shown)"), "{text}");
    }
}
