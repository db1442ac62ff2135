//! The code modules that an agent has in scope: what its reads loaded, each under the key that a program writes.

use crate::content::ContentKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whose code a module is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ModuleOf {
    /// A skill's.
    Skill {
        /// The skill.
        name: String,
    },
    /// A memory's.
    Memory {
        /// The memory.
        name: String,
    },
}

impl ModuleOf {
    /// The name that the key is made from.
    pub fn name(&self) -> &str {
        match self {
            ModuleOf::Skill { name } | ModuleOf::Memory { name } => name,
        }
    }
}

/// A code module that is in scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LoadedModule {
    /// What a program reaches it by.
    pub key: String,
    /// Whose it is.
    pub of: ModuleOf,
    /// Its source.
    pub source: ContentKey,
    /// Its documentation: the entries of its exports, as JSON.
    pub exports: ContentKey,
}

/// The modules in scope, in the order in which they were first loaded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Modules(Vec<LoadedModule>);

impl Modules {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All, in the order in which they were first loaded.
    pub fn iter(&self) -> impl Iterator<Item = &LoadedModule> {
        self.0.iter()
    }

    /// The module under this key.
    pub fn get(&self, key: &str) -> Option<&LoadedModule> {
        self.0.iter().find(|module| module.key == key)
    }

    /// The module of this skill or memory.
    pub fn of(&self, of: &ModuleOf) -> Option<&LoadedModule> {
        self.0.iter().find(|module| module.of == *of)
    }

    /// Puts a module in the place of that of its key, or at the end.
    pub fn put(&mut self, module: LoadedModule) {
        match self.0.iter_mut().find(|there| there.key == module.key) {
            Some(there) => *there = module,
            None => self.0.push(module),
        }
    }
}
