//! A JSON schema as its reader needs it: types with their fields, values and forms. The schemas are made from the types of
//! the code, so a description here is a comment there.

use serde_json::Value;
use std::collections::BTreeMap;

/// A type that has a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Type {
    pub name: String,
    pub meaning: String,
    pub form: Form,
}

/// What the values of a type look like.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    /// A table or an object with these fields.
    Fields(Vec<Field>),
    /// One of these words.
    Words(Vec<Word>),
    /// One of these objects. Which it is says the field `tag` or, where there is none, the name of its only field.
    Variants { tag: Option<String>, variants: Vec<Variant> },
    /// Nothing but what it is made of.
    Plain(Kind),
}

/// A field.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub name: String,
    pub kind: Kind,
    pub needed: bool,
    /// Whether it may say that there is nothing.
    pub nullable: bool,
    /// The default as the type has it.
    pub default: Option<Value>,
    /// The default in the words of the field's comment.
    pub default_words: Option<String>,
    pub meaning: String,
}

/// A word that a value may be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub word: String,
    pub meaning: String,
}

/// One form of several.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variant {
    pub name: String,
    pub meaning: String,
    pub fields: Vec<Field>,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Named(String),
    Simple(&'static str),
    ListOf(Box<Kind>),
    ByName(Box<Kind>),
}

/// The types that a schema defines, by name, and the name of the one that it is of. `declared` says the order in which
/// types declare their fields, where that is known.
pub(super) fn types(
    schema: &schemars::Schema,
    declared: &BTreeMap<&'static str, &'static [&'static str]>,
) -> (String, BTreeMap<String, Type>) {
    let value = schema.as_value();
    let root = text(value, "title");
    let definitions = value.get("$defs").and_then(Value::as_object).into_iter().flatten();
    let all = definitions.map(|(name, value)| (name.as_str(), value)).chain([(root.as_str(), value)]);
    let types = all.map(|(name, value)| {
        let mut form = form(value);
        if let (Form::Fields(fields), Some(order)) = (&mut form, declared.get(name)) {
            fields.sort_by_key(|field| order.iter().position(|name| *name == field.name));
        }
        (name.to_owned(), Type { name: name.to_owned(), meaning: description(value).0, form })
    });
    let types = types.collect();
    (root, types)
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// What a comment says: the meaning, and the default where it states one.
fn description(value: &Value) -> (String, Option<String>) {
    const DEFAULT: &str = "Default: ";
    let text = text(value, "description").split_whitespace().collect::<Vec<_>>().join(" ");
    // Links of the code's own documentation lead nowhere here.
    let text = text.replace("[`", "`").replace("`]", "`");
    let Some((before, after)) = text.split_once(DEFAULT) else { return (text, None) };
    let (default, rest) = match after.split_once(". ") {
        Some((default, rest)) => (default, rest),
        None => (after.trim_end_matches('.'), ""),
    };
    (format!("{before}{rest}").trim().to_owned(), Some(default.to_owned()))
}

fn form(value: &Value) -> Form {
    if let Some(options) = value.get("oneOf").and_then(Value::as_array) {
        let words: Option<Vec<Vec<Word>>> = options.iter().map(words).collect();
        return match words {
            Some(words) => Form::Words(words.into_iter().flatten().collect()),
            None => variants(options),
        };
    }
    if let Some(words) = words(value) {
        return Form::Words(words);
    }
    if value.get("properties").is_some() { Form::Fields(fields(value)) } else { Form::Plain(kind(value)) }
}

/// The words that an option allows; none where it is no word.
fn words(option: &Value) -> Option<Vec<Word>> {
    let word = |word: &Value, meaning: String| Some(Word { word: word.as_str()?.to_owned(), meaning });
    match (option.get("const"), option.get("enum").and_then(Value::as_array)) {
        (Some(one), _) => word(one, description(option).0).map(|word| vec![word]),
        (None, Some(many)) => many.iter().map(|one| word(one, String::new())).collect(),
        (None, None) => None,
    }
}

/// The field that says in each of the objects which it is.
fn tag(options: &[Value]) -> Option<String> {
    let properties = |option: &Value| option.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let constant = |option: &Value, name: &str| properties(option).get(name).is_some_and(|p| p.get("const").is_some());
    let names = options.first().map(properties).unwrap_or_default();
    names.keys().find(|name| options.iter().all(|option| constant(option, name))).cloned()
}

fn variants(options: &[Value]) -> Form {
    let tag = tag(options);
    let variants = options.iter().map(|option| {
        let meaning = description(option).0;
        let mut fields = fields(option);
        let (name, fields) = match &tag {
            Some(tag) => {
                let name = option.pointer(&format!("/properties/{tag}/const")).and_then(Value::as_str);
                fields.retain(|field| field.name != *tag);
                (name.unwrap_or_default().to_owned(), fields)
            }
            None => match fields.pop() {
                Some(only) => {
                    let inner = option.pointer(&format!("/properties/{}", only.name)).map(self::fields);
                    let inner = inner.filter(|inner| !inner.is_empty());
                    (only.name.clone(), inner.unwrap_or_else(|| vec![only]))
                }
                None => (words(option).into_iter().flatten().map(|word| word.word).collect(), Vec::new()),
            },
        };
        Variant { name, meaning, fields }
    });
    Form::Variants { variants: variants.collect(), tag }
}

/// The fields of an object: those that are needed as they are declared, then the others by name.
fn fields(value: &Value) -> Vec<Field> {
    let needed: Vec<&str> =
        value.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = value.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut fields: Vec<Field> = properties
        .map(|(name, value)| {
            let (meaning, default_words) = description(value);
            Field {
                name: name.clone(),
                kind: kind(value),
                needed: needed.contains(&name.as_str()),
                nullable: nullable(value),
                default: value.get("default").filter(|default| !default.is_null()).cloned(),
                default_words,
                meaning,
            }
        })
        .collect();
    fields.sort_by_key(|field| needed.iter().position(|name| *name == field.name).unwrap_or(usize::MAX));
    fields
}

fn is_null(value: &Value) -> bool {
    value.get("type").and_then(Value::as_str) == Some("null")
}

fn nullable(value: &Value) -> bool {
    let any_of = value.get("anyOf").and_then(Value::as_array).is_some_and(|options| options.iter().any(is_null));
    any_of || value.get("type").and_then(Value::as_array).is_some_and(|names| names.iter().any(|name| name == "null"))
}

fn kind(value: &Value) -> Kind {
    if let Some(name) = value.get("$ref").and_then(Value::as_str) {
        return Kind::Named(name.rsplit('/').next().unwrap_or(name).to_owned());
    }
    if let Some(options) = value.get("anyOf").and_then(Value::as_array) {
        return options.iter().find(|option| !is_null(option)).map_or(Kind::Simple("anything"), kind);
    }
    let name = match value.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        other => other.and_then(Value::as_str),
    };
    let inner = |key: &str| value.get(key).filter(|inner| inner.is_object()).map(kind);
    match name {
        Some("string") => Kind::Simple("text"),
        Some("integer") => Kind::Simple("whole number"),
        Some("number") => Kind::Simple("number"),
        Some("boolean") => Kind::Simple("true or false"),
        Some("array") => Kind::ListOf(Box::new(inner("items").unwrap_or(Kind::Simple("anything")))),
        Some("object") => Kind::ByName(Box::new(inner("additionalProperties").unwrap_or(Kind::Simple("anything")))),
        _ => Kind::Simple("anything"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::{JsonSchema, schema_for};
    use serde::Serialize;

    /// A thing.
    #[derive(JsonSchema, Serialize)]
    struct Thing {
        /// Its size,
        /// in bytes. Default: 1 KiB. It may grow.
        size: Option<u64>,
        /// Its names.
        names: Vec<String>,
        /// What it is.
        what: What,
    }

    #[derive(JsonSchema, Serialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum What {
        /// Round.
        Round {
            /// How wide.
            width: f64,
        },
        /// Flat.
        Flat,
    }

    #[test]
    fn a_schema_gives_fields_in_order_defaults_in_words_and_variants_by_their_tag() {
        let (root, types) = types(&schema_for!(Thing), &BTreeMap::from([("Thing", ["size", "what"].as_slice())]));
        let Form::Fields(fields) = &types[&root].form else { panic!("{types:#?}") };
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        // What no order names comes first, where it is seen.
        assert_eq!(names, ["names", "size", "what"]);
        assert_eq!(fields[1].default_words.as_deref(), Some("1 KiB"));
        assert_eq!(fields[1].meaning, "Its size, in bytes. It may grow.");
        assert_eq!((fields[1].needed, fields[0].needed), (false, true));
        let Form::Variants { tag, variants } = &types["What"].form else { panic!("{types:#?}") };
        assert_eq!(tag.as_deref(), Some("kind"));
        assert_eq!((variants[0].name.as_str(), variants[0].fields.len(), variants[1].fields.len()), ("round", 1, 0));
    }
}
