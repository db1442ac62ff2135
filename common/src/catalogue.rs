//! The catalogue of an arm: its SDK's surface, reflected from the SDK's own documentation by that language's own tool.

use crate::arm::Arm;
use crate::operation::{Operation, TABLE};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an entry documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// A call.
    Operation,
    /// A type that calls take or give.
    Type,
    /// A second spelling of a call.
    Alias,
    /// What a code module in scope offers; no SDK has any.
    Export,
}

/// One module of an SDK.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Module {
    /// Its name, as the operations table has it; `core` beside the twelve.
    pub name: String,
    /// The line that brings it into scope.
    pub import: String,
    /// What it is for, in one sentence.
    pub summary: String,
}

/// A parameter of a call, a field of a record, or a variant of a union.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its type, as the language writes it.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<String>,
    /// Whether it may be left out.
    #[serde(default)]
    pub optional: bool,
    /// What it is.
    #[serde(default)]
    pub documentation: String,
}

/// One call, type or alias.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Entry {
    /// The qualified name as this arm spells it.
    pub key: String,
    /// The operation's identity; none for a type.
    #[serde(default)]
    pub operation: Option<String>,
    /// What the entry documents.
    pub kind: EntryKind,
    /// The module that it is in.
    pub module: String,
    /// The bare name.
    pub name: String,
    /// The declaration as the language's users read it.
    pub signature: String,
    /// The first sentence of the documentation.
    pub summary: String,
    /// The whole documentation.
    pub documentation: String,
    /// What the call takes.
    #[serde(default)]
    pub parameters: Vec<Member>,
    /// What the call gives, as the language writes it.
    #[serde(default)]
    pub returns: Option<String>,
    /// Names of the SDK's types that the entry mentions.
    #[serde(default)]
    pub types: Vec<String>,
    /// The fields of a record.
    #[serde(default)]
    pub fields: Vec<Member>,
    /// The variants of a union or the values of an enumeration.
    #[serde(default)]
    pub variants: Vec<Member>,
}

/// The whole surface of an arm's SDK.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Catalogue {
    /// [`crate::FORMAT_VERSION`] of this form.
    pub version: u32,
    /// The arm.
    pub arm: Arm,
    /// What stands between a module and a call.
    pub member_separator: String,
    /// The modules.
    pub modules: Vec<Module>,
    /// Calls, types and aliases.
    pub entries: Vec<Entry>,
}

/// What the gate holds against a catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// An operation that no entry documents.
    #[error("no entry documents `{0}`: add it to the SDK with its documentation")]
    Missing(Operation),
    /// An operation that several entries document.
    #[error("{count} entries document `{operation}`: keep one and mark the others as aliases")]
    Repeated {
        /// The operation.
        operation: Operation,
        /// How many entries document it.
        count: usize,
    },
    /// An entry that names no operation of the table.
    #[error("the entry `{key}` names the operation `{operation}`, which is not in the table")]
    Unknown {
        /// The entry.
        key: String,
        /// What it names.
        operation: String,
    },
    /// A blank description.
    #[error("{0} has no description: write one in the SDK's documentation")]
    Blank(String),
    /// An entry of a module that the catalogue does not list.
    #[error("the entry `{key}` is in the module `{module}`, which the catalogue does not list")]
    UnknownModule {
        /// The entry.
        key: String,
        /// Its module.
        module: String,
    },
    /// Another form.
    #[error("the catalogue has version {0}, this program reads version {v}: build the arm's artifacts again", v = crate::FORMAT_VERSION)]
    Version(u32),
}

impl Catalogue {
    /// Everything that keeps the catalogue from being the table's: each operation exactly once (aliases apart), no blank
    /// description.
    pub fn problems(&self) -> Vec<CatalogueError> {
        let mut problems = Vec::new();
        if self.version != crate::FORMAT_VERSION {
            problems.push(CatalogueError::Version(self.version));
        }
        let mut counts: BTreeMap<Operation, usize> = BTreeMap::new();
        for entry in &self.entries {
            match (entry.kind, entry.operation.as_deref().map(|id| (id, Operation::from_id(id)))) {
                (EntryKind::Operation, Some((_, Some(operation)))) => *counts.entry(operation).or_default() += 1,
                (EntryKind::Alias, Some((_, Some(_)))) | (EntryKind::Type, None) => {}
                (_, named) => problems.push(CatalogueError::Unknown {
                    key: entry.key.clone(),
                    operation: named.map_or_else(|| "none".to_owned(), |(id, _)| id.to_owned()),
                }),
            }
            if !self.modules.iter().any(|module| module.name == entry.module) {
                problems.push(CatalogueError::UnknownModule { key: entry.key.clone(), module: entry.module.clone() });
            }
            let mut texts =
                vec![(format!("`{}`", entry.key), &entry.documentation), (format!("`{}`", entry.key), &entry.summary)];
            for member in entry.parameters.iter().chain(&entry.fields).chain(&entry.variants) {
                texts.push((format!("`{}` of `{}`", member.name, entry.key), &member.documentation));
            }
            problems.extend(
                texts
                    .into_iter()
                    .filter(|(_, text)| text.trim().is_empty())
                    .map(|(what, _)| CatalogueError::Blank(what)),
            );
        }
        for module in &self.modules {
            if module.summary.trim().is_empty() || module.import.trim().is_empty() {
                problems.push(CatalogueError::Blank(format!("the module `{}`", module.name)));
            }
        }
        for row in TABLE {
            match counts.get(&row.operation) {
                None => problems.push(CatalogueError::Missing(row.operation)),
                Some(1) => {}
                Some(count) => problems.push(CatalogueError::Repeated { operation: row.operation, count: *count }),
            }
        }
        problems
    }

    /// The entry that documents an operation.
    pub fn of_operation(&self, operation: Operation) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| entry.kind == EntryKind::Operation && entry.operation.as_deref() == Some(operation.id()))
    }

    /// How this arm spells an operation; its identity where the catalogue lacks it.
    pub fn spelling(&self, operation: Operation) -> &str {
        self.of_operation(operation).map_or(operation.id(), |entry| &entry.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A catalogue that the gate passes.
    fn whole() -> Catalogue {
        let entry = |row: &crate::operation::Row| Entry {
            key: row.operation.id().to_owned(),
            operation: Some(row.operation.id().to_owned()),
            kind: EntryKind::Operation,
            module: row.module.to_owned(),
            name: row.key.to_owned(),
            signature: format!("{}()", row.key),
            summary: "Does it.".into(),
            documentation: "Does it. Well.".into(),
            parameters: vec![],
            returns: None,
            types: vec![],
            fields: vec![],
            variants: vec![],
        };
        let names: std::collections::BTreeSet<_> = TABLE.iter().map(|row| row.module).collect();
        Catalogue {
            version: crate::FORMAT_VERSION,
            arm: Arm::Python,
            member_separator: ".".into(),
            modules: names
                .into_iter()
                .map(|name| Module {
                    name: name.into(),
                    import: format!("from gg import {name}"),
                    summary: "Things.".into(),
                })
                .collect(),
            entries: TABLE.iter().map(entry).collect(),
        }
    }

    #[test]
    fn the_gate_passes_a_whole_catalogue() {
        assert_eq!(whole().problems(), []);
    }

    #[test]
    fn the_gate_catches_a_missing_a_repeated_an_unknown_and_a_blank_entry() {
        let mut missing = whole();
        let gone = missing.entries.remove(3);
        assert_eq!(missing.problems(), [CatalogueError::Missing(Operation::FilesEditFile)]);

        let mut repeated = whole();
        repeated.entries.push(gone.clone());
        assert_eq!(repeated.problems(), [CatalogueError::Repeated { operation: Operation::FilesEditFile, count: 2 }]);
        repeated.entries.last_mut().expect("entry").kind = EntryKind::Alias;
        assert_eq!(repeated.problems(), [], "an alias is counted apart");

        let mut unknown = whole();
        unknown.entries.push(Entry { operation: Some("files.rename".into()), ..gone });
        assert!(
            matches!(&unknown.problems()[..], [CatalogueError::Unknown { operation, .. }] if operation == "files.rename")
        );

        let mut blank = whole();
        blank.entries[0].documentation = " ".into();
        assert_eq!(blank.problems(), [CatalogueError::Blank("`files.read_file`".into())]);
    }
}
