//! Python: the functions, classes and names at the top level; those of `__all__` where the module has it, else those that
//! begin with no underscore.

use super::{Export, Kind, children, named, text, up_to};
use tree_sitter::Node;

pub(super) fn exports(root: Node<'_>, source: &str) -> Vec<Export> {
    let statements = children(root);
    let mut exports: Vec<Export> = Vec::new();
    for export in statements.iter().filter_map(|statement| export(*statement, source)) {
        // What is defined again replaces what was.
        exports.retain(|there| there.name != export.name);
        exports.push(export);
    }
    let listed = statements.iter().find_map(|statement| listed(*statement, source));
    exports.retain(|export| match &listed {
        Some(names) => names.contains(&export.name),
        None => !export.name.starts_with('_'),
    });
    exports
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
            if !name.starts_with('_') || name == "__init__" {
                signature.push_str(&format!("\n    {}", header(method, source)));
            }
        }
    }
    let returns = definition.child_by_field_name("return_type");
    let parameters = definition.child_by_field_name("parameters").map(children).unwrap_or_default();
    let annotations = parameters.into_iter().filter_map(|parameter| parameter.child_by_field_name("type"));
    let mut types: Vec<String> = Vec::new();
    for name in returns.into_iter().chain(annotations).flat_map(|of| named(of, &["identifier"], source)) {
        if !types.contains(&name) {
            types.push(name);
        }
    }
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
