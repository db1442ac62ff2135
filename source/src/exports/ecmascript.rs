//! JavaScript and TypeScript (its declaration files too): what `export` stands before, and what export clauses name.

use super::{Export, Kind, MOST, TEXT_BYTES, block_comment, children, cut, named, once, text, up_to};
use std::collections::HashMap;
use tree_sitter::Node;

pub(super) fn exports(root: Node<'_>, source: &str) -> Vec<Export> {
    let statements = children(root);
    let mut declared = None;
    let mut exports: Vec<Export> = Vec::new();
    for at in (0..statements.len()).filter(|at| statements[*at].kind() == "export_statement") {
        if exports.len() >= MOST {
            break;
        }
        exports.extend(of_statement(&statements, at, &mut declared, source));
    }
    exports
}

/// What the statements of a module declare, by name.
type Declared = HashMap<String, Export>;

fn declared(statements: &[Node<'_>], source: &str) -> Declared {
    let of = |at: usize| of_declaration(statements[at], &documentation(statements, at, source), source);
    (0..statements.len()).flat_map(of).map(|export| (export.name.clone(), export)).collect()
}

fn of_statement(statements: &[Node<'_>], at: usize, all: &mut Option<Declared>, source: &str) -> Vec<Export> {
    let statement = statements[at];
    let documentation = documentation(statements, at, source);
    let is_default = statement.children(&mut statement.walk()).any(|part| part.kind() == "default");
    if let Some(declaration) = statement.child_by_field_name("declaration") {
        let mut found = of_declaration(declaration, &documentation, source);
        if is_default {
            found.iter_mut().for_each(|export| export.name = "default".to_owned());
        }
        return found;
    }
    if is_default {
        let signature = text(statement, source).lines().next().unwrap_or_default().to_owned();
        return vec![plain("default", signature, documentation)];
    }
    let clause = children(statement).into_iter().find(|part| part.kind() == "export_clause");
    let specifiers = clause.map(children).unwrap_or_default();
    let specifiers = specifiers.into_iter().filter(|part| part.kind() == "export_specifier").take(MOST);
    let all = all.get_or_insert_with(|| declared(statements, source));
    let elsewhere = statement.child_by_field_name("source").map(|from| format!(" from {}", text(from, source)));
    specifiers
        .filter_map(|specifier| {
            let of = text(specifier.child_by_field_name("name")?, source);
            let name = specifier.child_by_field_name("alias").map_or(of, |alias| text(alias, source));
            let found = all.get(of).filter(|_| elsewhere.is_none()).cloned().unwrap_or_else(|| {
                let from = elsewhere.as_deref().unwrap_or_default();
                plain(of, format!("export {{ {} }}{from};", text(specifier, source)), String::new())
            });
            Some(Export { name: name.trim_matches(['"', '\'']).to_owned(), ..found })
        })
        .collect()
}

fn plain(name: &str, signature: String, documentation: String) -> Export {
    Export { name: name.to_owned(), kind: Kind::Value, signature, documentation, returns: None, types: Vec::new() }
}

fn of_declaration(declaration: Node<'_>, documentation: &str, source: &str) -> Vec<Export> {
    let kind = match declaration.kind() {
        "function_declaration" | "generator_function_declaration" | "function_signature" => Kind::Value,
        "class_declaration"
        | "abstract_class_declaration"
        | "interface_declaration"
        | "type_alias_declaration"
        | "enum_declaration" => Kind::Type,
        "lexical_declaration" | "variable_declaration" => return variables(declaration, documentation, source),
        "ambient_declaration" => {
            let inner = children(declaration);
            return inner.into_iter().flat_map(|inner| of_declaration(inner, documentation, source)).collect();
        }
        _ => return Vec::new(),
    };
    let Some(name) = declaration.child_by_field_name("name").map(|name| text(name, source).to_owned()) else {
        return Vec::new();
    };
    let body = declaration.child_by_field_name("body");
    let signature = match declaration.kind() {
        "class_declaration" | "abstract_class_declaration" => class(declaration, body, source),
        "interface_declaration" | "type_alias_declaration" | "enum_declaration" => text(declaration, source).to_owned(),
        _ => up_to(declaration, body, source),
    };
    let returns = declaration.child_by_field_name("return_type");
    let of = [returns, declaration.child_by_field_name("parameters")];
    let whole = (kind == Kind::Type).then_some(declaration);
    let found = of.into_iter().flatten().chain(whole).flat_map(|part| named(part, &["type_identifier"], source));
    let types = once(found.filter(|found| *found != name));
    let returns = returns.map(|returns| text(returns, source).trim_start_matches(':').trim().to_owned());
    vec![Export { name, kind, signature, documentation: documentation.to_owned(), returns, types }]
}

/// A class with its members' declarations.
fn class(declaration: Node<'_>, body: Option<Node<'_>>, source: &str) -> String {
    let mut lines = vec![format!("{} {{", up_to(declaration, body, source))];
    for member in body.map(children).unwrap_or_default() {
        let is_private = member
            .child_by_field_name("name")
            .or(member.child_by_field_name("property"))
            .is_some_and(|name| name.kind() == "private_property_identifier")
            || children(member).iter().any(|part| {
                part.kind() == "accessibility_modifier" && matches!(text(*part, source), "private" | "protected")
            });
        let is_member = matches!(
            member.kind(),
            "method_definition"
                | "method_signature"
                | "public_field_definition"
                | "field_definition"
                | "abstract_method_signature"
        );
        if is_member && !is_private {
            let end = member.child_by_field_name("body").or(member.child_by_field_name("value"));
            lines.push(format!("  {};", up_to(member, end, source).trim_end_matches('=').trim_end()));
        }
    }
    lines.push("}".to_owned());
    lines.join("\n")
}

fn variables(declaration: Node<'_>, documentation: &str, source: &str) -> Vec<Export> {
    let declarators = children(declaration).into_iter().filter(|part| part.kind() == "variable_declarator");
    let word = text(declaration, source).split_whitespace().next().unwrap_or("const").to_owned();
    declarators
        .filter_map(|declarator| {
            let name = declarator.child_by_field_name("name").filter(|name| name.kind() == "identifier")?;
            let value = declarator.child_by_field_name("value");
            let function = value.filter(|value| matches!(value.kind(), "arrow_function" | "function_expression"));
            let of = function.unwrap_or(declarator);
            let end = match function {
                Some(function) => function.child_by_field_name("body"),
                None => value.filter(|value| text(*value, source).len() > 200 || declarator.child_count() > 3),
            };
            let range = declarator.start_byte()..end.map_or(declarator.end_byte(), |end| end.start_byte());
            let head = source.get(range).unwrap_or_default().trim_end().trim_end_matches("=>").trim_end();
            let head = head.trim_end_matches('=').trim_end();
            let annotation = declarator.child_by_field_name("type");
            let returns = of.child_by_field_name("return_type");
            let parts = [returns, of.child_by_field_name("parameters"), annotation];
            Some(Export {
                name: text(name, source).to_owned(),
                kind: Kind::Value,
                signature: format!("{word} {head}"),
                documentation: documentation.to_owned(),
                returns: returns.map(|returns| text(returns, source).trim_start_matches(':').trim().to_owned()),
                types: parts.into_iter().flatten().flat_map(|part| named(part, &["type_identifier"], source)).collect(),
            })
        })
        .collect()
}

/// The `/** … */` right above a statement.
fn documentation(statements: &[Node<'_>], at: usize, source: &str) -> String {
    let above = at.checked_sub(1).and_then(|above| statements.get(above)).filter(|above| above.kind() == "comment");
    let comment = above.map_or("", |above| text(*above, source));
    let mut text = if comment.starts_with("/**") { block_comment(comment) } else { String::new() };
    cut(&mut text, TEXT_BYTES);
    text
}
