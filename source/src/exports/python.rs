//! Python: the functions, classes and names at the top level; those of `__all__` where the module has it, else those that
//! begin with no underscore.

use super::{Export, Kind, MOST, TEXT_BYTES, children, named, once, text, up_to};
use std::collections::{HashMap, HashSet};
use tree_sitter::Node;

pub(super) fn exports(root: Node<'_>, source: &str) -> Vec<Export> {
    let statements = children(root);
    let listed: Option<HashSet<String>> =
        statements.iter().find_map(|statement| listed(*statement, source)).map(|names| names.into_iter().collect());
    let is_offered = |name: &str| match &listed {
        Some(names) => names.contains(name),
        None => !name.starts_with('_'),
    };
    // What is defined again replaces what was.
    let mut last = HashMap::new();
    for (at, statement) in statements.iter().enumerate() {
        if let Some(name) = name_of(*statement, source).filter(|name| is_offered(name)) {
            last.insert(name, at);
        }
    }
    let mut places: Vec<usize> = last.into_values().collect();
    places.sort_unstable();
    places.into_iter().take(MOST).filter_map(|at| export(statements[at], source)).collect()
}

/// The name that a statement defines.
fn name_of<'s>(statement: Node<'_>, source: &'s str) -> Option<&'s str> {
    let named = match assignment(statement) {
        Some(assignment) => assignment.child_by_field_name("left").filter(|left| left.kind() == "identifier"),
        None => statement.child_by_field_name("definition").unwrap_or(statement).child_by_field_name("name"),
    };
    named.map(|name| text(name, source))
}

/// The names of `__all__`.
fn listed(statement: Node<'_>, source: &str) -> Option<Vec<String>> {
    let assignment = assignment(statement)?;
    let left = assignment.child_by_field_name("left")?;
    if text(left, source) != "__all__" {
        return None;
    }
    Some(named(assignment.child_by_field_name("right")?, &["string_content"], source))
}

fn assignment(statement: Node<'_>) -> Option<Node<'_>> {
    let first = statement.named_child(0).filter(|_| statement.kind() == "expression_statement")?;
    (first.kind() == "assignment").then_some(first)
}

fn export(statement: Node<'_>, source: &str) -> Option<Export> {
    if let Some(assignment) = assignment(statement) {
        let left = assignment.child_by_field_name("left").filter(|left| left.kind() == "identifier")?;
        let types = assignment.child_by_field_name("type").map(|of| named(of, &["identifier"], source));
        return Some(Export {
            name: text(left, source).to_owned(),
            kind: Kind::Value,
            signature: text(assignment, source).lines().next().unwrap_or_default().to_owned(),
            documentation: String::new(),
            returns: None,
            types: types.unwrap_or_default(),
        });
    }
    let definition = match statement.kind() {
        "decorated_definition" => statement.child_by_field_name("definition")?,
        _ => statement,
    };
    let kind = match definition.kind() {
        "function_definition" => Kind::Value,
        "class_definition" => Kind::Type,
        _ => return None,
    };
    let body = definition.child_by_field_name("body");
    let mut signature = header(definition, source);
    if kind == Kind::Type {
        let methods = body.map(children).unwrap_or_default();
        let methods = methods.into_iter().filter_map(|member| match member.kind() {
            "decorated_definition" => member.child_by_field_name("definition"),
            _ => Some(member),
        });
        for method in methods.filter(|method| method.kind() == "function_definition") {
            let name = method.child_by_field_name("name").map_or("", |name| text(name, source));
            if signature.len() < TEXT_BYTES && (!name.starts_with('_') || name == "__init__") {
                signature.push_str(&format!("\n    {}", header(method, source)));
            }
        }
    }
    let returns = definition.child_by_field_name("return_type");
    let parameters = definition.child_by_field_name("parameters").map(children).unwrap_or_default();
    let annotations = parameters.into_iter().filter_map(|parameter| parameter.child_by_field_name("type"));
    let types = once(returns.into_iter().chain(annotations).flat_map(|of| named(of, &["identifier"], source)));
    Some(Export {
        name: text(definition.child_by_field_name("name")?, source).to_owned(),
        kind,
        signature,
        documentation: body.and_then(|body| docstring(body, source)).unwrap_or_default(),
        returns: returns.map(|returns| text(returns, source).to_owned()),
        types,
    })
}

/// A definition's line, to its colon.
fn header(definition: Node<'_>, source: &str) -> String {
    let header = up_to(definition, definition.child_by_field_name("body"), source);
    // A comment may stand between the colon and the body.
    header.rsplit_once(':').map_or(header.as_str(), |(before, _)| before).trim_end().to_owned()
}

/// The text that a body begins with, its lines' common indentation taken away.
fn docstring(body: Node<'_>, source: &str) -> Option<String> {
    let first = body.named_child(0).filter(|first| first.kind() == "expression_statement")?;
    let string = first.named_child(0).filter(|string| string.kind() == "string")?;
    let contents = children(string).into_iter().find(|part| part.kind() == "string_content")?;
    let contents = text(contents, source);
    let rest = contents.lines().skip(1).filter(|line| !line.trim().is_empty());
    let indent = rest.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let lines = contents.lines().enumerate().map(|(at, line)| match at {
        0 => line.trim_start(),
        _ => line.get(indent..).unwrap_or_else(|| line.trim_start()),
    });
    Some(lines.collect::<Vec<_>>().join("\n").trim().to_owned())
}
