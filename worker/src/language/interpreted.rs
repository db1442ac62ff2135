//! The preparations of an arm whose guest is the first to parse a program: its bytes, and its modules', as they are.

use super::seam::PrepareContext;
use super::{Module, Prepare, PrepareError, Prepared, Reach};
use gg_source::exports::Export;
use std::path::Path;

/// How an interpreted language spells its modules.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interpreted {
    /// Its grammar.
    pub(super) grammar: &'static str,
    /// What the name of a module's file ends with.
    pub(super) extension: &'static str,
    /// The key of a name.
    pub(super) key: fn(&str) -> String,
    /// How a key is reached.
    pub(super) reach: fn(&str) -> Reach,
}

impl Prepare for Interpreted {
    fn program(&self, _: &mut PrepareContext<'_>, source: &str, modules: &[Module]) -> Result<Prepared, PrepareError> {
        let modules = modules.iter().map(|module| (module.key.clone(), module.source.clone().into_bytes())).collect();
        Ok(Prepared::Source { program: source.as_bytes().to_vec(), places: Vec::new(), modules })
    }

    fn exports(&self, context: &mut PrepareContext<'_>, module: &Module) -> Result<Vec<Export>, PrepareError> {
        let file = format!("{}.{}", module.key, self.extension);
        context.write_source("gg-source", &file, &module.source)?;
        context.exports(self.grammar, Path::new(&file))
    }

    fn module_key(&self, name: &str) -> String {
        (self.key)(name)
    }

    fn reach(&self, key: &str) -> Reach {
        (self.reach)(key)
    }
}

/// Whether a key is a module of the SDK.
pub(super) fn is_sdk_module(key: &str) -> bool {
    key == "gg" || key == "core" || gg_common::operation::TABLE.iter().any(|row| row.module == key)
}
