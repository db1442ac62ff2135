//! Rust: the `pub` items at the top level; a type's with the public functions of its own.

use super::{DOCUMENTATION_LINES, Export, Kind, MOST, TEXT_BYTES, block_comment, children, named, once, text, up_to};
use std::collections::HashMap;
use tree_sitter::Node;

/// The nodes that name a type.
const TYPES: &[&str] = &["type_identifier", "scoped_type_identifier"];

pub(super) fn exports(root: Node<'_>, source: &str) -> Vec<Export> {
    let items = children(root);
    let own = own_blocks(&items, source);
    let public = (0..items.len()).filter(|at| is_public(items[*at], source));
    public.flat_map(|at| export(&items, at, &own, source)).take(MOST).collect()
}

/// The `impl` blocks of each type that are no trait's.
fn own_blocks<'t, 's>(items: &[Node<'t>], source: &'s str) -> HashMap<&'s str, Vec<Node<'t>>> {
    let mut own: HashMap<&str, Vec<Node<'_>>> = HashMap::new();
    for item in items.iter().filter(|item| item.kind() == "impl_item" && item.child_by_field_name("trait").is_none()) {
        if let Some(of) = item.child_by_field_name("type") {
            let of = of.child_by_field_name("type").unwrap_or(of);
            own.entry(text(of, source)).or_default().push(*item);
        }
    }
    own
}

fn is_public(item: Node<'_>, source: &str) -> bool {
    children(item).iter().any(|part| part.kind() == "visibility_modifier" && text(*part, source) == "pub")
}

fn export(items: &[Node<'_>], at: usize, own: &HashMap<&str, Vec<Node<'_>>>, source: &str) -> Vec<Export> {
    let item = items[at];
    let body = item.child_by_field_name("body");
    let kind = match item.kind() {
        "function_item" | "const_item" | "static_item" => Kind::Value,
        "struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item" => Kind::Type,
        "use_declaration" => return reexports(items, at, source),
        _ => return Vec::new(),
    };
    let Some(name) = item.child_by_field_name("name").map(|name| text(name, source).to_owned()) else {
        return Vec::new();
    };
    let mut signature = match item.kind() {
        "function_item" => up_to(item, body, source),
        "const_item" | "static_item" => up_to(item, item.child_by_field_name("value"), source),
        _ => text(item, source).to_owned(),
    };
    signature = signature.trim_end_matches('=').trim_end().to_owned();
    if kind == Kind::Type {
        signature.extend(own_functions(&name, own.get(name.as_str()).map_or(&[], Vec::as_slice), source));
    }
    let returns = item.child_by_field_name("return_type");
    let types = match item.kind() {
        "function_item" => {
            let parts = [returns, item.child_by_field_name("parameters")].into_iter().flatten();
            once(parts.flat_map(|part| named(part, TYPES, source)))
        }
        _ => named(item, TYPES, source).into_iter().filter(|found| *found != name).collect(),
    };
    let documentation = documentation(items, at, source);
    let returns = returns.map(|returns| text(returns, source).to_owned());
    vec![Export { name, kind, signature, documentation, returns, types }]
}

/// `pub use` gives another name, or a name from elsewhere.
fn reexports(items: &[Node<'_>], at: usize, source: &str) -> Vec<Export> {
    let Some(argument) = items[at].child_by_field_name("argument") else { return Vec::new() };
    let list = argument.child_by_field_name("list").filter(|_| argument.kind() == "scoped_use_list");
    let path = argument.child_by_field_name("path").filter(|_| list.is_some());
    let path = path.map_or(String::new(), |path| format!("{}::", text(path, source)));
    let documentation = documentation(items, at, source);
    let export = |named: Node<'_>| {
        let name = named.child_by_field_name("alias").or(named.child_by_field_name("name")).unwrap_or(named);
        Export {
            name: text(name, source).to_owned(),
            kind: Kind::Value,
            signature: format!("pub use {path}{};", text(named, source)),
            documentation: documentation.clone(),
            returns: None,
            types: Vec::new(),
        }
    };
    let names = list.map_or_else(|| vec![argument], children);
    names.into_iter().filter(|name| name.kind() != "use_wildcard").take(MOST).map(export).collect()
}

/// What the public functions of a type's own `impl` blocks declare.
fn own_functions(name: &str, own: &[Node<'_>], source: &str) -> Option<String> {
    let mut lines = String::new();
    for functions in own.iter().filter_map(|item| item.child_by_field_name("body")).map(children) {
        for (at, function) in functions.iter().enumerate() {
            if lines.len() > TEXT_BYTES {
                break;
            }
            if function.kind() == "function_item" && is_public(*function, source) {
                for line in documentation(&functions, at, source).lines() {
                    lines.push_str(&format!("    /// {line}\n"));
                }
                let body = function.child_by_field_name("body");
                lines.push_str(&format!("    {};\n", up_to(*function, body, source)));
            }
        }
    }
    (!lines.is_empty()).then(|| format!("\n\nimpl {name} {{\n{lines}}}"))
}

/// The `///` lines, or the block comment, above an item and its attributes.
fn documentation(items: &[Node<'_>], at: usize, source: &str) -> String {
    let mut lines = Vec::new();
    for node in items[..at].iter().rev().take(DOCUMENTATION_LINES) {
        let comment = text(*node, source);
        match node.kind() {
            "line_comment" if comment.starts_with("///") => {
                lines.push(comment.trim_start_matches("///").trim_end().to_owned());
            }
            "block_comment" if comment.starts_with("/**") => {
                lines.push(block_comment(comment));
                break;
            }
            "attribute_item" => {}
            _ => break,
        }
    }
    let lines = lines.iter().rev().map(|line| line.strip_prefix(' ').unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
