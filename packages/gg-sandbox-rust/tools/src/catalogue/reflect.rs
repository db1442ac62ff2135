//! From rustdoc's items to the catalogue's entries, with everything that keeps them from being whole.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use rustdoc_types::{
    Crate, Enum, FORMAT_VERSION, Function, Id, Impl, Item, ItemEnum, Struct, StructKind, Type, VariantKind,
};

use super::documentation::Documentation;
use super::{Catalogue, Entry, Kind, Member, Module, render};

/// The order in which the modules are documented.
const MODULES: [&str; 13] = [
    "core",
    "files",
    "shell",
    "board",
    "tasks",
    "memories",
    "docs",
    "views",
    "context",
    "delegation",
    "skills",
    "programs",
    "session",
];
const SEPARATOR: &str = "::";
/// The error of every call, and as a program writes it under another module's `use` line.
const ERROR: &str = "ApiError";
const ERROR_PATH: &str = "gg::core::ApiError";

/// The catalogue, and what is wrong with the SDK's documentation.
pub fn reflect(rustdoc: &str) -> Result<(Catalogue, Vec<String>)> {
    #[derive(serde::Deserialize)]
    struct Version {
        format_version: u32,
    }
    let Version { format_version } = serde_json::from_str(rustdoc).context("this is not rustdoc's JSON")?;
    if format_version != FORMAT_VERSION {
        bail!(
            "rustdoc writes format {format_version} and this reads {FORMAT_VERSION}: take the version of rustdoc-types that reads it"
        );
    }
    let sdk: Crate = serde_json::from_str(rustdoc)?;
    let mut reflector = Reflector { sdk: &sdk, types: HashMap::new(), problems: vec![] };
    let modules = reflector.modules()?;
    for (name, items) in &modules {
        for item in items {
            if matches!(item.inner, ItemEnum::Struct(_) | ItemEnum::Enum(_)) {
                reflector.types.insert(item.id, format!("{name}{SEPARATOR}{}", name_of(item)));
            }
        }
    }
    let catalogue = Catalogue {
        version: 1,
        arm: "rust",
        member_separator: SEPARATOR,
        modules: modules.iter().map(|(name, _)| reflector.module(name)).collect(),
        entries: modules.iter().flat_map(|(name, items)| reflector.entries(name, items)).collect(),
    };
    Ok((catalogue, reflector.problems))
}

struct Reflector<'a> {
    sdk: &'a Crate,
    /// The keys of the SDK's types.
    types: HashMap<Id, String>,
    problems: Vec<String>,
}

fn name_of(item: &Item) -> &str {
    item.name.as_deref().unwrap_or_default()
}

/// What the alias of this prefix binds an item to.
fn bound<'a>(item: &'a Item, prefix: &str) -> Option<&'a str> {
    item.attrs.iter().find_map(|attribute| {
        let start = attribute.find(prefix)? + prefix.len();
        attribute[start..].split('"').next()
    })
}

impl<'a> Reflector<'a> {
    /// The modules in their order, with their items in the order of the source.
    fn modules(&mut self) -> Result<Vec<(String, Vec<&'a Item>)>> {
        let root = self.sdk.index.get(&self.sdk.root).context("the crate has no root")?;
        let ItemEnum::Module(root) = &root.inner else { bail!("the root is no module") };
        let mut found = HashMap::new();
        for item in self.items(&root.items) {
            if let (ItemEnum::Module(module), Some(name)) = (&item.inner, bound(item, "ggmodule:")) {
                if name != name_of(item) || !MODULES.contains(&name) {
                    self.problems.push(format!("the module {} says that it is {name}", name_of(item)));
                }
                found.insert(name, self.items(&module.items));
            }
        }
        let mut modules = vec![];
        for name in MODULES {
            match found.remove(name) {
                Some(items) => modules.push((name.to_owned(), items)),
                None => self.problems.push(format!("no module has the alias ggmodule:{name}")),
            }
        }
        Ok(modules)
    }

    fn items(&self, ids: &[Id]) -> Vec<&'a Item> {
        let sdk: &'a Crate = self.sdk;
        let mut items: Vec<&'a Item> = ids.iter().filter_map(|id| sdk.index.get(id)).collect();
        items.sort_by_key(|item| item.span.as_ref().map(|span| span.begin));
        items
    }

    fn module(&mut self, name: &str) -> Module {
        let item = self
            .sdk
            .index
            .values()
            .find(|item| matches!(item.inner, ItemEnum::Module(_)) && bound(item, "ggmodule:") == Some(name));
        let summary = Documentation::of(item.and_then(|item| item.docs.as_deref())).summary();
        self.written(&summary, || format!("the module {name}"));
        Module { name: name.to_owned(), import: format!("use gg{SEPARATOR}{name};"), summary }
    }

    fn entries(&mut self, module: &str, items: &[&'a Item]) -> Vec<Entry> {
        let mut entries = vec![];
        for item in items {
            match &item.inner {
                ItemEnum::Function(function) => entries.push(self.call(module, None, item, function)),
                ItemEnum::Struct(inner) => {
                    entries.push(self.record(module, item, inner));
                    entries.extend(self.methods(module, item, &inner.impls));
                }
                ItemEnum::Enum(inner) => {
                    entries.push(self.choice(module, item, inner));
                    entries.extend(self.methods(module, item, &inner.impls));
                }
                _ => self.problems.push(format!("{module}::{} is of a kind that the catalogue has not", name_of(item))),
            }
        }
        entries
    }

    /// The inherent methods of a type: second names of calls, and nothing else.
    fn methods(&mut self, module: &str, item: &Item, impls: &[Id]) -> Vec<Entry> {
        let mut entries = vec![];
        for block in self.items(impls) {
            let ItemEnum::Impl(Impl { trait_: None, items, .. }) = &block.inner else { continue };
            for method in self.items(items) {
                if let ItemEnum::Function(function) = &method.inner {
                    entries.push(self.call(module, Some(name_of(item)), method, function));
                }
            }
        }
        entries
    }

    fn call(&mut self, module: &str, of: Option<&str>, item: &Item, function: &Function) -> Entry {
        let own = name_of(item);
        let name = of.map_or(own.to_owned(), |of| format!("{of}{SEPARATOR}{own}"));
        let key = format!("{module}{SEPARATOR}{name}");
        let (kind, operation) = match (of, bound(item, "ggop:"), bound(item, "ggalias:")) {
            (None, Some(operation), None) => (Kind::Operation, Some(operation.to_owned())),
            (_, None, Some(operation)) => (Kind::Alias, Some(operation.to_owned())),
            _ => {
                self.problems.push(format!(
                    "{key} must have the alias ggop:module.key (a function) or ggalias:module.key (a second name)"
                ));
                (Kind::Operation, None)
            }
        };
        let documentation = Documentation::of(item.docs.as_deref());
        self.written(&documentation.text(), || key.clone());

        let taken: Vec<&(String, Type)> = function.sig.inputs.iter().filter(|(name, _)| name != "self").collect();
        let described = documentation.arguments();
        let names = |list: Vec<&str>| list.join(", ");
        if names(taken.iter().map(|(name, _)| name.as_str()).collect())
            != names(described.iter().map(|(name, _)| name.as_str()).collect())
        {
            self.problems.push(format!("{key}: `# Arguments` describes other parameters than it takes"));
        }
        let parameters: Vec<Member> = taken
            .iter()
            .zip(described)
            .map(|((name, type_), (_, documentation))| Member {
                name: name.clone(),
                type_: Some(self.type_of(module, &key, type_)),
                optional: false,
                documentation,
            })
            .collect();
        let returns = function.sig.output.as_ref().map(|type_| self.type_of(module, &key, type_)).unwrap_or_default();
        if !returns.starts_with("Result<") || !returns.ends_with(&format!(", {ERROR_PATH}>")) {
            self.problems.push(format!("{key} gives {returns}: every call gives a Result with {ERROR}"));
        }
        if !documentation.section("Errors").is_some_and(|errors| errors.contains(ERROR)) {
            self.problems.push(format!("{key}: `# Errors` must say when it gives {ERROR}"));
        }
        let list: Vec<String> = function
            .sig
            .inputs
            .iter()
            .map(|(name, type_)| match name.as_str() {
                "self" => "&self".to_owned(),
                name => format!("{name}: {}", self.type_of(module, &key, type_)),
            })
            .collect();
        let mentioned: Vec<&Type> = taken.iter().map(|(_, type_)| type_).chain(&function.sig.output).collect();
        Entry {
            operation,
            kind,
            module: module.to_owned(),
            signature: format!("pub fn {own}({}) -> {returns}", list.join(", ")),
            summary: documentation.summary(),
            documentation: documentation.text(),
            parameters,
            returns: Some(returns),
            types: self.mentioned(&mentioned, &key),
            fields: vec![],
            variants: vec![],
            name,
            key,
        }
    }

    fn record(&mut self, module: &str, item: &Item, inner: &Struct) -> Entry {
        let mut entry = self.type_entry(module, item, &inner.impls);
        let StructKind::Plain { fields, has_stripped_fields } = &inner.kind else {
            self.problems.push(format!("{} has no named fields", entry.key));
            return entry;
        };
        let optional = self.has_default(&inner.impls);
        let mut mentioned = vec![];
        let mut lines = vec![];
        for field in self.items(fields) {
            let ItemEnum::StructField(type_) = &field.inner else { continue };
            let member = self.member(module, &entry.key, field, Some(type_), optional);
            lines.push(format!("    pub {}: {},", member.name, member.type_.as_deref().unwrap_or_default()));
            mentioned.push(type_);
            entry.fields.push(member);
        }
        if *has_stripped_fields {
            lines.push("    // and fields of its own".to_owned());
        }
        entry.signature += &format!("pub struct {} {{\n{}\n}}", entry.name, lines.join("\n"));
        entry.types = self.mentioned(&mentioned, &entry.key);
        entry
    }

    fn choice(&mut self, module: &str, item: &Item, inner: &Enum) -> Entry {
        let mut entry = self.type_entry(module, item, &inner.impls);
        let mut mentioned = vec![];
        let mut lines = vec![];
        for variant in self.items(&inner.variants) {
            let ItemEnum::Variant(shape) = &variant.inner else { continue };
            let carried = match &shape.kind {
                VariantKind::Plain => None,
                VariantKind::Tuple(fields) if fields.len() == 1 => {
                    let field = fields[0].and_then(|id| self.sdk.index.get(&id));
                    field.and_then(|field| match &field.inner {
                        ItemEnum::StructField(type_) => Some(type_),
                        _ => None,
                    })
                }
                _ => {
                    self.problems.push(format!("{}::{} carries more than one value", entry.key, name_of(variant)));
                    None
                }
            };
            let member = self.member(module, &entry.key, variant, carried, false);
            lines.push(match &member.type_ {
                Some(type_) => format!("    {}({type_}),", member.name),
                None => format!("    {},", member.name),
            });
            mentioned.extend(carried);
            entry.variants.push(member);
        }
        entry.signature += &format!("pub enum {} {{\n{}\n}}", entry.name, lines.join("\n"));
        entry.types = self.mentioned(&mentioned, &entry.key);
        entry
    }

    fn type_entry(&mut self, module: &str, item: &Item, impls: &[Id]) -> Entry {
        let key = format!("{module}{SEPARATOR}{}", name_of(item));
        let documentation = Documentation::of(item.docs.as_deref());
        self.written(&documentation.text(), || key.clone());
        let derived = self.derived(impls);
        Entry {
            operation: None,
            kind: Kind::Type,
            module: module.to_owned(),
            name: name_of(item).to_owned(),
            signature: if derived.is_empty() { String::new() } else { format!("#[derive({})]\n", derived.join(", ")) },
            summary: documentation.summary(),
            documentation: documentation.text(),
            parameters: vec![],
            returns: None,
            types: vec![],
            fields: vec![],
            variants: vec![],
            key,
        }
    }

    /// The traits that are derived for a type, in the order in which people write them.
    fn derived(&self, impls: &[Id]) -> Vec<&'static str> {
        const ORDER: [&str; 9] = ["Debug", "Clone", "Copy", "PartialEq", "Eq", "Hash", "PartialOrd", "Ord", "Default"];
        let derived: Vec<&str> = self
            .items(impls)
            .into_iter()
            .filter(|item| item.attrs.iter().any(|attribute| attribute == "#[automatically_derived]"))
            .filter_map(|item| match &item.inner {
                ItemEnum::Impl(block) => block.trait_.as_ref().map(|path| path.name.as_str()),
                _ => None,
            })
            .collect();
        ORDER.into_iter().filter(|name| derived.contains(name)).collect()
    }

    /// Whether a program may leave fields to `..Default::default()`.
    fn has_default(&self, impls: &[Id]) -> bool {
        self.derived(impls).contains(&"Default")
    }

    fn member(&mut self, module: &str, key: &str, item: &Item, type_: Option<&Type>, optional: bool) -> Member {
        let documentation = Documentation::of(item.docs.as_deref()).text();
        self.written(&documentation, || format!("{} of {key}", name_of(item)));
        let type_ = type_.map(|type_| self.type_of(module, key, type_));
        Member { name: name_of(item).to_owned(), type_, optional, documentation }
    }

    /// A type as a program writes it that has the module's `use` line and no other.
    fn type_of(&mut self, module: &str, key: &str, type_: &Type) -> String {
        let names = |id: Id| {
            let key = self.types.get(&id)?;
            let own = key.split(SEPARATOR).next() == Some(module);
            Some(if own { key.clone() } else { format!("gg{SEPARATOR}{key}") })
        };
        render::type_of(type_, &names).unwrap_or_else(|problem| {
            self.problems.push(format!("{key}: {problem}"));
            String::new()
        })
    }

    /// The keys of the SDK's types that types name, but for the entry's own.
    fn mentioned(&self, types: &[&Type], own: &str) -> Vec<String> {
        let mut ids = vec![];
        types.iter().for_each(|type_| render::named(type_, &mut ids));
        let mut keys: Vec<String> = vec![];
        for key in ids.iter().filter_map(|id| self.types.get(id)) {
            if key != own && !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        keys
    }

    fn written(&mut self, text: &str, what: impl Fn() -> String) {
        if text.is_empty() {
            self.problems.push(format!("{} has no description", what()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_form_of_rustdocs_json_fails_by_name() {
        let other = FORMAT_VERSION + 1;
        let error = reflect(&format!("{{\"format_version\": {other}}}")).err().expect("refused").to_string();
        assert!(error.contains(&format!("format {other}")) && error.contains("rustdoc-types"), "{error}");
        assert!(reflect("{}").is_err());
    }

    #[test]
    fn a_public_function_that_names_no_operation_is_a_problem() {
        let span = |line: usize| serde_json::json!({ "filename": "lib.rs", "begin": [line, 0], "end": [line, 1] });
        let item = |id: u32, name: &str, attrs: &[&str], inner: serde_json::Value| {
            serde_json::json!({
                "id": id, "crate_id": 0, "name": name, "span": span(id as usize), "visibility": "public", "docs": "Text.",
                "links": {}, "attrs": attrs, "deprecation": null, "inner": inner,
            })
        };
        let function = serde_json::json!({ "function": {
            "sig": { "inputs": [], "output": null, "is_c_variadic": false },
            "generics": { "params": [], "where_predicates": [] },
            "header": { "is_const": false, "is_unsafe": false, "is_async": false, "abi": "Rust" },
            "has_body": true,
        } });
        let module = |items: &[u32]| serde_json::json!({ "module": { "is_crate": false, "items": items, "is_stripped": false } });
        let sdk = serde_json::json!({
            "root": 0, "crate_version": null, "includes_private": false, "paths": {}, "external_crates": {},
            "format_version": FORMAT_VERSION,
            "index": {
                "0": item(0, "gg", &[], module(&[1])),
                "1": item(1, "files", &["#[doc(alias = \"ggmodule:files\")]"], module(&[2, 3])),
                "2": item(2, "bound", &["#[doc(alias = \"ggop:files.bound\")]"], function.clone()),
                "3": item(3, "free", &[], function),
            },
        });
        let (_, problems) = reflect(&sdk.to_string()).expect("it reads");
        let unbound =
            |name: &str| problems.iter().any(|problem| problem.starts_with(&format!("{name} must have the alias")));
        assert!(unbound("files::free") && !unbound("files::bound"), "{problems:?}");
    }
}
