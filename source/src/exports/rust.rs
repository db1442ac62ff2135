//! Rust: the `pub` items at the top level; a type's with the public functions of its own.

use super::{Export, Kind, block_comment, children, named, text, up_to};
use tree_sitter::Node;

/// The nodes that name a type.
const TYPES: &[&str] = &["type_identifier", "scoped_type_identifier"];

pub(super) fn exports(root: Node<'_>, source: &str) -> Vec<Export> {
    let items = children(root);
    items.iter().filter(|item| is_public(**item, source)).flat_map(|item| export(*item, &items, source)).collect()
}

fn is_public(item: Node<'_>, source: &str) -> bool {
    children(item).iter().any(|part| part.kind() == "visibility_modifier" && text(*part, source) == "pub")
}

fn export(item: Node<'_>, items: &[Node<'_>], source: &str) -> Vec<Export> {
    let body = item.child_by_field_name("body");
    let kind = match item.kind() {
        "function_item" | "const_item" | "static_item" => Kind::Value,
        "struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item" => Kind::Type,
        "use_declaration" => return reexports(item, source),
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
        signature.extend(own_functions(&name, items, source));
    }
    let returns = item.child_by_field_name("return_type");
    let types = match item.kind() {
        "function_item" => {
            let parts = [returns, item.child_by_field_name("parameters")].into_iter().flatten();
            let mut types: Vec<String> = Vec::new();
            parts.flat_map(|part| named(part, TYPES, source)).for_each(|name| {
                if !types.contains(&name) {
                    types.push(name);
                }
            });
            types
        }
        _ => named(item, TYPES, source).into_iter().filter(|found| *found != name).collect(),
    };
    let documentation = documentation(item, source);
    let returns = returns.map(|returns| text(returns, source).to_owned());
    vec![Export { name, kind, signature, documentation, returns, types }]
}

/// `pub use` gives another name, or a name from elsewhere.
fn reexports(item: Node<'_>, source: &str) -> Vec<Export> {
    let Some(argument) = item.child_by_field_name("argument") else { return Vec::new() };
    let names: Vec<Node<'_>> =
        if argument.kind() == "scoped_use_list" { argument.child_by_field_name("list").map(children) } else { None }
            .unwrap_or_else(|| vec![argument]);
    let export = |named: Node<'_>| {
        let name = named.child_by_field_name("alias").or(named.child_by_field_name("name")).unwrap_or(named);
        Export {
            name: text(name, source).to_owned(),
            kind: Kind::Value,
            signature: text(item, source).to_owned(),
            documentation: documentation(item, source),
            returns: None,
            types: Vec::new(),
        }
    };
    names.into_iter().filter(|name| name.kind() != "use_wildcard").map(export).collect()
}

/// What the public functions of a type's own `impl` blocks declare.
fn own_functions(name: &str, items: &[Node<'_>], source: &str) -> Vec<String> {
    let own = items.iter().filter(|item| {
        item.kind() == "impl_item"
            && item.child_by_field_name("trait").is_none()
            && item.child_by_field_name("type").is_some_and(|of| {
                let of = of.child_by_field_name("type").unwrap_or(of);
                text(of, source) == name
            })
    });
    let functions = own.filter_map(|item| item.child_by_field_name("body")).flat_map(children);
    let functions = functions.filter(|f| f.kind() == "function_item" && is_public(*f, source));
    let lines: Vec<String> = functions
        .map(|function| {
            let documentation = documentation(function, source);
            let doc: String = documentation.lines().map(|line| format!("    /// {line}\n")).collect();
            format!("{doc}    {};\n", up_to(function, function.child_by_field_name("body"), source))
        })
        .collect();
    if lines.is_empty() { Vec::new() } else { vec![format!("\n\nimpl {name} {{\n{}}}", lines.concat())] }
}

/// The `///` lines, or the block comment, above an item and its attributes.
fn documentation(item: Node<'_>, source: &str) -> String {
    let mut lines = Vec::new();
    let mut above = item.prev_named_sibling();
    while let Some(node) = above {
        let comment = text(node, source);
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
        above = node.prev_named_sibling();
    }
    let lines = lines.iter().rev().map(|line| line.strip_prefix(' ').unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
