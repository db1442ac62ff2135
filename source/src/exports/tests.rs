use super::*;

fn told(language: &str, source: &str) -> Vec<(String, String, String)> {
    let exports = of(language, source).expect("a grammar");
    exports.into_iter().map(|export| (export.name, export.signature, export.documentation)).collect()
}

fn row(name: &str, signature: &str, documentation: &str) -> (String, String, String) {
    (name.to_owned(), signature.to_owned(), documentation.to_owned())
}

const RUST: &str = r#"
use gg::files;

/// Reads a table.
///
/// Comma-separated.
#[must_use]
pub fn parse(text: &str, sep: char) -> Result<Table, ParseError> { helper(text) }
fn helper(text: &str) {}
pub(crate) fn inner() {}
/** A table. */
pub struct Table { pub rows: Vec<Row> }
impl Table {
    /// How many rows.
    pub fn len(&self) -> usize { self.rows.len() }
    fn hidden(&self) {}
}
impl Clone for Table { fn clone(&self) -> Table { todo!() } }
pub const LIMIT: usize = 10;
pub use files::{read_text_file as read, FileRead};
"#;

#[test]
fn rust_offers_the_public_items_at_its_top_level() {
    let table = "pub struct Table { pub rows: Vec<Row> }\n\nimpl Table {\n    /// How many rows.\n    pub fn len(&self) -> usize;\n}";
    assert_eq!(
        told("rust", RUST),
        [
            row(
                "parse",
                "pub fn parse(text: &str, sep: char) -> Result<Table, ParseError>",
                "Reads a table.\n\nComma-separated."
            ),
            row("Table", table, "A table."),
            row("LIMIT", "pub const LIMIT: usize", ""),
            row("read", "pub use files::read_text_file as read;", ""),
            row("FileRead", "pub use files::FileRead;", ""),
        ]
    );
    let parse = &of("rust", RUST).expect("exports")[0];
    assert_eq!(parse.types, ["Result", "Table", "ParseError"]);
    assert_eq!(parse.returns.as_deref(), Some("Result<Table, ParseError>"));
}

#[test]
fn python_offers_what_begins_with_no_underscore_or_what_all_names() {
    let source = r#"
import re

LIMIT: int = 10
def parse(text: str, *, sep: str = ",") -> "list[Row]":
    """Reads a table.

        Indented.
    """
    return []

def _hidden(): pass

class Row(dict):
    """One row."""
    def first(self) -> str:
        return ""
    def _own(self): ...

@decorated
async def later(rows: Row) -> Row: ...
"#;
    assert_eq!(
        told("python", source),
        [
            row("LIMIT", "LIMIT: int = 10", ""),
            row("parse", "def parse(text: str, *, sep: str = \",\") -> \"list[Row]\"", "Reads a table.\n\nIndented."),
            row("Row", "class Row(dict)\n    def first(self) -> str", "One row."),
            row("later", "async def later(rows: Row) -> Row", ""),
        ]
    );
    let listed = format!("__all__ = [\"_hidden\", 'Row']\n{source}");
    let names: Vec<String> = told("python", &listed).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["_hidden", "Row"]);
}

#[test]
fn javascript_offers_what_it_exports() {
    let source = r#"
import { readTextFile } from "gg/files";
/**
 * Reads a table.
 * @param text - it
 */
export function parse(text, sep = ",") { return []; }
export const limit = 10, double = (x) => x * 2;
function hidden() {}
/** Kept aside. */
async function later() {}
export { later as soon, hidden as "odd name" };
export class Row { #own = 1; first() { return 1; } static of(x) { return x; } }
export default function () {}
"#;
    let got = told("javascript", source);
    let expected = [
        row("parse", "function parse(text, sep = \",\")", "Reads a table.\n@param text - it"),
        row("limit", "const limit = 10", ""),
        row("double", "const double = (x)", ""),
        row("soon", "async function later()", "Kept aside."),
        row("odd name", "function hidden()", ""),
        row("Row", "class Row {\n  first();\n  static of(x);\n}", ""),
        row("default", "export default function () {}", ""),
    ];
    assert_eq!(got, expected);
}

#[test]
fn declarations_of_typescript_are_told_as_they_stand() {
    let source = "import { FileRead } from \"gg/files\";\n/** Reads. */\nexport declare function parse(text: string): Row[];\nexport interface Row {\n    name: string;\n    read: FileRead;\n}\nexport declare const limit: Limit;\nexport {};\n";
    let exports = of("typescript", source).expect("exports");
    assert_eq!(exports.len(), 3, "{exports:#?}");
    assert_eq!(exports[0].signature, "function parse(text: string): Row[];");
    assert_eq!((exports[0].returns.as_deref(), &exports[0].types[..]), (Some("Row[]"), &["Row".to_owned()][..]));
    assert_eq!((exports[1].kind, &exports[1].types[..]), (Kind::Type, &["FileRead".to_owned()][..]));
    assert_eq!(
        (exports[2].signature.as_str(), &exports[2].types[..]),
        ("const limit: Limit", &["Limit".to_owned()][..])
    );
}

#[test]
fn what_no_grammar_reads_and_what_is_nested_beyond_reason_ends_well() {
    for language in ["javascript", "typescript", "python", "rust"] {
        for source in [String::new(), "\u{0}\u{fffd} ((((".to_owned(), "(".repeat(200_000), "pub fn ".repeat(5_000)] {
            of(language, &source).expect("a list, whatever is in it");
        }
    }
    assert!(of("cobol", "").expect_err("no grammar").contains("cobol"));
    // None of these may take longer than their length: a reader that is squared in it would not come back.
    let list = |count: usize, of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<String>();
    let hostile = [
        (
            "javascript",
            format!(
                "/** {} */\nfunction f(){{}}\nexport {{{}}};",
                "\u{1}".repeat(8_000),
                list(40_000, &|n| format!("f as b{n},"))
            ),
        ),
        (
            "javascript",
            format!(
                "{}export {{{}}};",
                list(30_000, &|n| format!("let a{n};")),
                list(20_000, &|n| format!("a{n} as b{n},"))
            ),
        ),
        ("rust", format!("pub use std::vec::{{{}}};", list(60_000, &|n| format!("Vec as A{n},")))),
        ("rust", list(50_000, &|n| format!("pub struct A{n};"))),
        ("rust", format!("{}pub fn f() {{}}", "/// d\n".repeat(100_000))),
        ("python", list(100_000, &|n| format!("a{n}=0\n"))),
    ];
    for (language, source) in hostile {
        let exports = of(language, &source).expect("a list");
        assert!(!exports.is_empty() && exports.len() <= MOST);
        let bytes = serde_json::to_string(&exports).expect("JSON").len();
        assert!(bytes < 1 << 20, "{language}: {bytes}");
    }
    let many: String = (0..2_000).map(|n| format!("pub fn f{n}() {{}}\n")).collect();
    assert_eq!(of("rust", &many).expect("exports").len(), MOST);
    let long = of("rust", &format!("/// {}\npub fn f() {{}}\n", "é".repeat(TEXT_BYTES))).expect("exports");
    assert!(long[0].documentation.len() <= TEXT_BYTES + '…'.len_utf8());
}
