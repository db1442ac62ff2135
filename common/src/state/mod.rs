//! What an agent keeps between its turns, as an index: which views stand, which turns were, what is to be done, what is
//! remembered. Bodies are objects that are read on demand.
//!
//! Both sides share this code. A worker applies each effect to its own copy at once, so that the program sees it, and
//! reports it; the coordinator folds what was reported, and what comes of that is the truth that the next job carries.

mod memories;
mod modules;
mod paged;
mod programs;
mod tasks;
mod thread;
mod views;

pub use memories::{Memories, Memory};
pub use modules::{LoadedModule, ModuleOf, Modules};
pub use paged::{PAGE_ENTRIES, PageError, Paged};
pub use programs::ProgramEntry;
pub use tasks::{Task, TaskStatus, Tasks};
pub use thread::{Thread, ThreadEntry, TurnRange, TurnRanges};
pub use views::{OpenView, ViewKey, Views};

use crate::content::ContentKey;
use crate::job::Effect;
use crate::objects::{ObjectError, Objects};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What an agent keeps between its turns.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct State {
    /// The programs that ran, oldest first; empty where the profile grants no call of `programs`.
    #[serde(skip_serializing_if = "Paged::is_empty")]
    pub programs: Paged<ProgramEntry>,
    /// The closed turns; empty where the profile does not grant archiving.
    #[serde(skip_serializing_if = "Thread::is_empty")]
    pub thread: Thread,
    /// The views that stand in the window.
    #[serde(skip_serializing_if = "Views::is_empty")]
    pub views: Views,
    /// The agent's tasks.
    #[serde(skip_serializing_if = "Tasks::is_empty")]
    pub tasks: Tasks,
    /// The agent's memories.
    #[serde(skip_serializing_if = "Memories::is_empty")]
    pub memories: Memories,
    /// The skills that it read.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub skills: BTreeSet<String>,
    /// The code modules that its reads loaded.
    #[serde(skip_serializing_if = "Modules::is_empty")]
    pub modules: Modules,
}

impl State {
    /// Applies what a call of this turn's programs did.
    pub fn apply(&mut self, turn: u32, effect: &Effect) {
        match effect {
            Effect::ViewOpened { view } => {
                let key = ViewKey { kind: view.kind, selector: view.selector.clone(), region: view.region.clone() };
                self.views.open(OpenView { key, tokens: view.tokens, turn });
            }
            Effect::ViewClosed { view } => self.views.close(view),
            Effect::ThreadArchived { turns } => {
                self.thread.archived.add(turns);
                self.views.move_to(turn, turns);
            }
            Effect::TaskWritten { task } => self.tasks.put(task.clone()),
            Effect::TaskRemoved { id } => self.tasks.remove(id),
            Effect::MemoryWritten { memory } => self.memories.put(memory.clone()),
            Effect::MemoryDeleted { name } => self.memories.delete(name),
            Effect::SkillPinned { name } => {
                self.skills.insert(name.clone());
            }
            Effect::ModuleLoaded { module } => self.modules.put(module.clone()),
            Effect::Finish { .. } | Effect::Approve { .. } | Effect::RequestChanges { .. } => {}
        }
    }

    /// Pages of the index that were filled since this was last asked, to be stored as objects before a job names them.
    pub fn take_unsaved(&mut self) -> Vec<Vec<u8>> {
        let mut pages = self.programs.take_unsaved();
        pages.append(&mut self.thread.entries.take_unsaved());
        pages
    }
}

/// A state longer than this travels as an object, in bytes of JSON: a job must stay small whatever an agent piles up.
pub const INLINE_STATE_BYTES: usize = 24 * 1024;

/// A state as it travels: itself, or an object where it is long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Carried {
    /// The state itself.
    Inline(Box<State>),
    /// The object that holds it, as JSON.
    Object {
        /// Its key.
        key: ContentKey,
        /// Its length in bytes.
        bytes: u64,
    },
}

impl Default for Carried {
    fn default() -> Carried {
        Carried::Inline(Box::default())
    }
}

/// A state that cannot be stored, or is not what it should be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CarryError {
    /// The store failed.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The bytes do not read.
    #[error(
        "the agent's state {key} does not read: {source}; coordinator and worker differ in version, so run both from one release"
    )]
    Unreadable {
        /// The object.
        key: ContentKey,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
}

impl Carried {
    /// The state as it is to travel; what does not travel inline is stored.
    pub async fn pack(state: &State, objects: &Objects) -> Result<Carried, ObjectError> {
        // Serializing maps with text keys and plain structs cannot fail.
        let json = serde_json::to_vec(state).unwrap_or_default();
        if json.len() <= INLINE_STATE_BYTES {
            return Ok(Carried::Inline(Box::new(state.clone())));
        }
        let bytes = json.len() as u64;
        Ok(Carried::Object { key: objects.put(json).await?, bytes })
    }

    /// The state, read where it is an object. For a thread outside the async runtime.
    pub fn unpack_blocking(&self, objects: &Objects) -> Result<State, CarryError> {
        match self {
            Carried::Inline(state) => Ok((**state).clone()),
            Carried::Object { key, .. } => {
                let json = objects.get_blocking(key)?;
                serde_json::from_slice(&json).map_err(|source| CarryError::Unreadable { key: *key, source })
            }
        }
    }
}

#[cfg(test)]
mod tests;
