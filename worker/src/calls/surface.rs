//! What this agent can look up: its SDK's catalogue and, beside it, what the code modules in scope offer.

use super::docs::DocsIndex;
use gg_common::catalogue::{Catalogue, Entry, EntryKind, Module};
use gg_common::operation::TABLE;
use gg_source::exports::{Export, Kind};
use std::sync::Arc;

/// What an agent can look up.
#[derive(Debug, Clone)]
pub struct Surface {
    /// The entries.
    pub catalogue: Arc<Catalogue>,
    /// The index over them.
    pub docs: Arc<DocsIndex>,
}

impl Surface {
    /// The surface of an arm's SDK.
    pub fn new(catalogue: &Arc<Catalogue>, docs: &Arc<DocsIndex>) -> Surface {
        Surface { catalogue: catalogue.clone(), docs: docs.clone() }
    }

    /// The same with these modules and their exports.
    pub(super) fn with(&self, modules: Vec<(Module, Vec<Entry>)>) -> Surface {
        let mut catalogue = Catalogue::clone(&self.catalogue);
        for (module, entries) in modules {
            catalogue.modules.push(module);
            catalogue.entries.extend(entries);
        }
        let docs = Arc::new(DocsIndex::new(&catalogue));
        Surface { catalogue: Arc::new(catalogue), docs }
    }
}

/// Whether a module is a code module and none of the SDK's.
pub(super) fn is_code_module(name: &str) -> bool {
    name != "core" && TABLE.iter().all(|row| row.module != name)
}

/// The entry that an export has.
pub(super) fn entry(key: &str, prefix: &str, export: Export) -> Entry {
    let summary = first_sentence(&export.documentation);
    Entry {
        key: format!("{prefix}{}", export.name),
        operation: None,
        kind: match export.kind {
            Kind::Value => EntryKind::Export,
            Kind::Type => EntryKind::Type,
        },
        module: key.to_owned(),
        name: export.name,
        signature: export.signature,
        summary,
        documentation: export.documentation,
        parameters: Vec::new(),
        returns: export.returns,
        types: export.types,
        fields: Vec::new(),
        variants: Vec::new(),
    }
}

fn first_sentence(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.find(". ") {
        Some(at) => line[..=at].to_owned(),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_is_an_entry_with_its_first_sentence() {
        let export = Export {
            name: "parse".into(),
            kind: Kind::Value,
            signature: "pub fn parse(text: &str) -> Table".into(),
            documentation: "Reads a table. Every\nrow.\n\nAnd more.".into(),
            returns: Some("Table".into()),
            types: vec!["Table".into()],
        };
        let entry = entry("csv_tools", "csv_tools::", export);
        assert_eq!((entry.key.as_str(), entry.summary.as_str()), ("csv_tools::parse", "Reads a table."));
        assert_eq!((entry.kind, entry.operation), (EntryKind::Export, None));
        assert!(is_code_module("csv_tools") && !is_code_module("files") && !is_code_module("core"));
    }
}
