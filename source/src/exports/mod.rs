//! What a code module offers: the names at its top level that a program can reach, in source order, each with its
//! declaration, its documentation and the types that it names. Read by the language's grammar; whether the module is right
//! is for its compiler to say.

mod ecmascript;
mod python;
mod rust;

use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::Path;
use tree_sitter::{Language, Node, Parser};

/// How many exports are told.
const MOST: usize = 500;
/// What a declaration or its documentation may have, in bytes; what is longer ends there, with `…`.
const TEXT_BYTES: usize = 8 * 1024;
/// What all declarations and documentations of a module may have, in bytes: those that come after tell their names alone.
const ALL_BYTES: usize = 64 * 1024;
/// The longest name, and what is told of a function's result, in bytes.
const NAME_BYTES: usize = 256;
/// How many types are told of a declaration.
const MOST_TYPES: usize = 32;

/// What an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It is called, or read.
    Value,
    /// It is named in declarations.
    Type,
}

/// One name that a module offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Its declaration, without a body.
    pub signature: String,
    /// What its author wrote about it; empty where nothing is.
    pub documentation: String,
    /// What a function gives, as the language writes it.
    pub returns: Option<String>,
    /// The types that its declaration names, once each, in their order.
    pub types: Vec<String>,
}

/// A grammar, and what is read by it.
struct Reader {
    language: Language,
    read: fn(Node<'_>, &str) -> Vec<Export>,
}

fn reader(language: &str) -> Option<Reader> {
    Some(match language {
        "javascript" => Reader { language: tree_sitter_javascript::LANGUAGE.into(), read: ecmascript::exports },
        "typescript" => {
            Reader { language: tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), read: ecmascript::exports }
        }
        "python" => Reader { language: tree_sitter_python::LANGUAGE.into(), read: python::exports },
        "rust" => Reader { language: tree_sitter_rust::LANGUAGE.into(), read: rust::exports },
        _ => return None,
    })
}

/// The exports of a module in a language (`javascript`, `typescript`, `python`, `rust`).
pub fn of(language: &str, source: &str) -> Result<Vec<Export>, String> {
    let Some(Reader { language: grammar, read }) = reader(language) else {
        return Err(format!("no grammar of `{language}` is here: name javascript, typescript, python or rust"));
    };
    let mut parser = Parser::new();
    parser.set_language(&grammar).map_err(|error| format!("the grammar of {language} does not load: {error}"))?;
    let tree = parser.parse(source, None).ok_or("the source was not read to its end")?;
    let mut exports = read(tree.root_node(), source);
    exports.truncate(MOST);
    exports.retain(|export| export.name.len() <= NAME_BYTES);
    let mut all = 0;
    for export in &mut exports {
        cut(&mut export.signature, TEXT_BYTES);
        cut(&mut export.documentation, TEXT_BYTES);
        if let Some(returns) = &mut export.returns {
            cut(returns, NAME_BYTES);
        }
        export.types.retain(|name| name.len() <= NAME_BYTES);
        export.types.truncate(MOST_TYPES);
        all += export.signature.len() + export.documentation.len();
        if all > ALL_BYTES {
            export.signature.clone_from(&export.name);
            export.documentation.clear();
        }
    }
    Ok(exports)
}

/// Prints the exports of a module in a file as JSON.
pub fn print(language: &str, file: &Path) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    let exports = of(language, &String::from_utf8_lossy(&bytes))?;
    let json = serde_json::to_string(&exports).map_err(|error| error.to_string())?;
    println!("{json}");
    Ok(())
}

fn cut(text: &mut String, most: usize) {
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most));
        text.push('…');
    }
}

fn text<'s>(node: Node<'_>, source: &'s str) -> &'s str {
    source.get(node.byte_range()).unwrap_or_default()
}

fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    node.named_children(&mut node.walk()).collect()
}

/// At most this much of what stands above an item is its documentation, in lines.
const DOCUMENTATION_LINES: usize = 400;

/// Names once each, in their order.
fn once(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// A node's text up to one of its parts, a body mostly.
fn up_to(node: Node<'_>, part: Option<Node<'_>>, source: &str) -> String {
    let end = part.map_or(node.end_byte(), |part| part.start_byte());
    source.get(node.start_byte()..end).unwrap_or_default().trim_end().to_owned()
}

/// The texts of the nodes of these kinds at and beneath a node, once each, in their order. No recursion: what is read may
/// be nested without bound.
fn named(node: Node<'_>, kinds: &[&str], source: &str) -> Vec<String> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut cursor = node.walk();
    loop {
        let here = cursor.node();
        if kinds.contains(&here.kind()) {
            let name = text(here, source);
            if seen.insert(name) {
                found.push(name.to_owned());
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// The lines of a comment `/** … */` without its marks.
fn block_comment(comment: &str) -> String {
    let inner = comment.trim_start_matches("/**").trim_start_matches("/*").trim_end_matches("*/");
    let lines = inner.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix("* ").or(line.strip_prefix('*')).unwrap_or(line)
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests;
