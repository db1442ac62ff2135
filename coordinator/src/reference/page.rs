//! Pages of types: each table, object and set of words under a heading of its own, linked to from where it is used.

use super::Page;
use super::markdown::{anchor, code, grouped, size, table, title, value, words};
use super::schema::{Field, Form, Kind, Type, Variant, types};
use gg_common::config::Allowed;
use schemars::Schema;
use std::collections::{BTreeMap, VecDeque};

/// A type that a page is made of, with all that it refers to.
pub(super) struct Source {
    pub file: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub schema: Schema,
    pub written: Written,
}

/// How it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// By people, in TOML; `at` is the table that it stands in.
    Toml { at: &'static str },
    /// By the program, in JSON.
    Json,
}

/// A type and where it is described.
struct Section {
    of: Type,
    page: &'static str,
    heading: String,
    written: Written,
    /// Where it stands in a TOML file, by dots.
    path: String,
}

/// Every type, each with its place.
pub(super) struct Reference {
    sources: Vec<Source>,
    sections: Vec<Section>,
    allowed: BTreeMap<String, Allowed>,
    /// Types that are described on pages which are not made of types.
    elsewhere: BTreeMap<&'static str, &'static str>,
}

/// More fields than this, and each form of an object is a heading of its own.
const FIELDS_OF_ONE_TABLE: usize = 20;

impl Reference {
    pub(super) fn new(
        sources: Vec<Source>,
        declared: &BTreeMap<&'static str, &'static [&'static str]>,
        allowed: &BTreeMap<String, Allowed>,
        elsewhere: &[(&'static str, &'static str)],
    ) -> Reference {
        let read: Vec<_> = sources.iter().map(|source| types(&source.schema, declared)).collect();
        let roots: Vec<&String> = read.iter().map(|(root, _)| root).collect();
        let elsewhere: BTreeMap<_, _> = elsewhere.iter().copied().collect();
        let mut sections: Vec<Section> = Vec::new();
        for (source, (root, types)) in sources.iter().zip(&read) {
            let at = match source.written {
                Written::Toml { at } => at,
                Written::Json => "",
            };
            let mut open = VecDeque::from([(root.clone(), at.to_owned(), Many::One)]);
            while let Some((name, path, many)) = open.pop_front() {
                let placed = sections.iter().any(|section| section.of.name == name)
                    || elsewhere.contains_key(name.as_str())
                    || (name != *root && roots.contains(&&name));
                let Some(of) = types.get(&name).filter(|_| !placed) else { continue };
                for (field, kind) in kinds(&of.form) {
                    if let Some((name, many)) = named(kind) {
                        let path = if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") };
                        open.push_back((name.to_owned(), path, many));
                    }
                }
                let heading = heading(of, source.written, &path, many);
                sections.push(Section { of: of.clone(), page: source.file, heading, written: source.written, path });
            }
        }
        Reference { sources, sections, allowed: allowed.clone(), elsewhere }
    }

    pub(super) fn pages(&self) -> Vec<Page> {
        let pages = self.sources.iter().map(|source| {
            let sections = self.sections.iter().filter(|section| section.page == source.file);
            let body: Vec<String> = sections.map(|section| self.section(section)).collect();
            super::page(source.file, source.title, source.about, &body.join("\n"))
        });
        pages.collect()
    }

    /// The fields of a table, and where it is described; none where it is no table.
    pub(super) fn fields_of(&self, name: &str, from: &str) -> Option<(String, String)> {
        let section = self.sections.iter().find(|section| section.of.name == name)?;
        let Form::Fields(fields) = &section.of.form else { return None };
        let link = format!("[{}]({}#{})", section.heading, section.page, anchor(&section.heading));
        Some((link, self.fields(fields, section, from)))
    }

    fn section(&self, section: &Section) -> String {
        let mut out = format!("## {}\n\n", section.heading);
        if !section.of.meaning.is_empty() {
            out.push_str(&format!("{}\n\n", section.of.meaning));
        }
        match &section.of.form {
            Form::Fields(fields) => out.push_str(&self.fields(fields, section, section.page)),
            Form::Words(words) => {
                let rows: Vec<_> = words.iter().map(|word| vec![code(&word.word), word.meaning.clone()]).collect();
                out.push_str(&table(&["value", "meaning"], &rows));
            }
            Form::Variants { tag, variants } => out.push_str(&self.variants(tag.as_deref(), variants, section)),
            Form::Plain(kind) => out.push_str(&format!("Written as: {}.\n", self.kind(kind, section.page))),
        }
        out
    }

    fn variants(&self, tag: Option<&str>, variants: &[Variant], section: &Section) -> String {
        let chosen = match tag {
            Some(tag) => format!("An object whose field {} says which of these it is.\n\n", code(tag)),
            None => "An object with one field, whose name says which of these it is.\n\n".to_owned(),
        };
        if variants.iter().map(|variant| variant.fields.len()).sum::<usize>() > FIELDS_OF_ONE_TABLE {
            let parts = variants.iter().map(|variant| {
                let fields = match variant.fields.as_slice() {
                    [] => "It has no fields.\n".to_owned(),
                    fields => self.fields(fields, section, section.page),
                };
                format!("### {}\n\n{}\n\n{fields}", code(&variant.name), variant.meaning)
            });
            return chosen + &parts.collect::<Vec<_>>().join("\n");
        }
        let rows = variants.iter().flat_map(|variant| {
            // A form that is one value has no field to name.
            let alone = matches!(variant.fields.as_slice(), [only] if tag.is_none() && only.name == variant.name);
            let mut first = vec![code(&variant.name), String::new(), String::new(), variant.meaning.clone()];
            if alone {
                first[2] = self.kind(&variant.fields[0].kind, section.page);
            }
            let fields = variant.fields.iter().filter(move |_| !alone).map(|field| {
                vec![String::new(), code(&field.name), self.json_kind(field, section.page), field.meaning.clone()]
            });
            std::iter::once(first).chain(fields).collect::<Vec<_>>()
        });
        chosen + &table(&[tag.unwrap_or("form"), "field", "type", "meaning"], &rows.collect::<Vec<_>>())
    }

    fn fields(&self, fields: &[Field], section: &Section, from: &str) -> String {
        let row = |field: &Field| {
            let (name, meaning) = (code(&field.name), field.meaning.clone());
            match section.written {
                Written::Toml { .. } => {
                    let kind = self.kind(&field.kind, from);
                    vec![name, kind, self.default(field), self.range(field, section), meaning]
                }
                Written::Json => vec![name, self.json_kind(field, from), String::new(), String::new(), meaning],
            }
        };
        table(&["field", "type", "default", "range", "meaning"], &fields.iter().map(row).collect::<Vec<_>>())
    }

    fn default(&self, field: &Field) -> String {
        if field.needed {
            return "needed".to_owned();
        }
        let of_type = field.default.as_ref().and_then(|default| value(&field.name, default));
        let in_words =
            || field.default_words.as_ref().map(|words| if is_number(words) { code(words) } else { words.clone() });
        let otherwise = if self.is_table(&field.kind) { "those of its fields" } else { "none" };
        of_type.or_else(in_words).unwrap_or_else(|| otherwise.to_owned())
    }

    fn is_table(&self, kind: &Kind) -> bool {
        let Kind::Named(name) = kind else { return false };
        self.sections.iter().any(|section| section.of.name == *name && matches!(section.of.form, Form::Fields(_)))
    }

    fn range(&self, field: &Field, section: &Section) -> String {
        let Some(Allowed { least, most, .. }) = self.allowed.get(&format!("{}.{}", section.path, field.name)) else {
            return String::new();
        };
        let told = |number: u64| {
            let in_words = Some(number).filter(|_| field.name.ends_with("Bytes")).and_then(size);
            in_words.unwrap_or_else(|| grouped(number))
        };
        if *most == u64::MAX {
            format!("from {}", told(*least))
        } else {
            format!("{} to {}", told(*least), told(*most))
        }
    }

    fn json_kind(&self, field: &Field, from: &str) -> String {
        let kind = self.kind(&field.kind, from);
        match (field.needed, field.nullable) {
            (true, _) => kind,
            (false, true) => format!("{kind}, or none"),
            (false, false) => format!("{kind}; may be left out"),
        }
    }

    /// A kind in words, linked to where it is described.
    fn kind(&self, kind: &Kind, from: &str) -> String {
        match kind {
            Kind::Simple(words) => (*words).to_owned(),
            Kind::ListOf(inner) => format!("list of {}", self.kind(inner, from)),
            Kind::ByName(inner) => format!("{}, by name", self.kind(inner, from)),
            Kind::Named(name) => {
                let words = words(name);
                if let Some(page) = self.elsewhere.get(name.as_str()) {
                    return format!("[{words}]({page})");
                }
                match self.sections.iter().find(|section| section.of.name == *name) {
                    Some(section) => {
                        let page = if section.page == from { "" } else { section.page };
                        format!("[{words}]({page}#{})", anchor(&section.heading))
                    }
                    None => words,
                }
            }
        }
    }

    /// Every field of the tables that people write, with where it stands.
    #[cfg(test)]
    pub(super) fn written_fields(&self) -> Vec<(String, &Field)> {
        let tables = self.sections.iter().filter(|section| section.written != Written::Json);
        let fields = tables.flat_map(|section| match &section.of.form {
            Form::Fields(fields) => {
                fields.iter().map(|field| (format!("{}.{}", section.path, field.name), field)).collect()
            }
            _ => Vec::new(),
        });
        fields.collect()
    }
}

fn is_number(words: &str) -> bool {
    words.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether there may be many of a table, each under a heading of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Many {
    One,
    List,
    ByName,
}

fn heading(of: &Type, written: Written, path: &str, many: Many) -> String {
    match (written, &of.form) {
        (Written::Toml { .. }, Form::Fields(_)) if path.is_empty() => "At the top".to_owned(),
        (Written::Toml { .. }, Form::Fields(_)) => match many {
            Many::One => code(&format!("[{path}]")),
            Many::List => code(&format!("[[{path}]]")),
            Many::ByName => code(&format!("[{path}.NAME]")),
        },
        _ => title(&words(&of.name)),
    }
}

/// The kinds of a form, each with its field.
fn kinds(form: &Form) -> Vec<(&str, &Kind)> {
    fn of(fields: &[Field]) -> Vec<(&str, &Kind)> {
        fields.iter().map(|field| (field.name.as_str(), &field.kind)).collect()
    }
    match form {
        Form::Fields(fields) => of(fields),
        Form::Variants { variants, .. } => variants.iter().flat_map(|variant| of(&variant.fields)).collect(),
        Form::Plain(kind) => vec![("", kind)],
        Form::Words(_) => Vec::new(),
    }
}

/// The type that a kind names, if it names one.
fn named(kind: &Kind) -> Option<(&str, Many)> {
    match kind {
        Kind::Named(name) => Some((name, Many::One)),
        Kind::ListOf(inner) => named(inner).map(|(name, _)| (name, Many::List)),
        Kind::ByName(inner) => named(inner).map(|(name, _)| (name, Many::ByName)),
        Kind::Simple(_) => None,
    }
}
