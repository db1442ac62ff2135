//! What an agent keeps between its turns, on its way: from the store that its profile names, into jobs, into the window, and
//! back into the store.

use super::{AgentState, RunError};
use crate::farm::House;
use crate::prompts::{Kept, KeptMemory, KeptTask};
use gg_common::content::ContentKey;
use gg_common::job::{Body, Effect, RunId};
use gg_common::memory_store::{MemoryChange, StoredMemory};
use gg_common::objects::Objects;
use gg_common::profile::{Capability, MemoryStrategy, Profile};
use gg_common::state::{Carried, Memory, TaskStatus};
use std::collections::HashMap;

/// A source longer than this travels as an object, in bytes: beside it, a job carries a profile and a state.
const INLINE_SOURCE_BYTES: usize = 16 * 1024;

/// The store that an agent of this profile remembers in, if it does.
fn store(profile: &Profile) -> Option<&str> {
    profile.memories.store.as_deref().filter(|_| profile.capabilities.contains(&Capability::Memories))
}

/// The memories that a run of this profile starts with. Their bodies are stored as objects.
pub(super) async fn remembered(house: &House, profile: &Profile) -> Result<Vec<Memory>, RunError> {
    let Some(store) = store(profile) else { return Ok(Vec::new()) };
    let mut memories = Vec::new();
    for stored in house.memories.load(store).await? {
        let StoredMemory { name, description, body, on_use, code } = stored;
        let chars = body.chars().count() as u64;
        let body = house.objects.put(body.into_bytes()).await?;
        let on_use = stored_text(&house.objects, on_use).await?;
        let code = stored_text(&house.objects, code).await?;
        memories.push(Memory { name, description, chars, body, on_use, code });
    }
    Ok(memories)
}

/// Gives what a turn did to memories to the store. A turn that is given again changes nothing.
pub(super) async fn remember(
    house: &House,
    profile: &Profile,
    run: &RunId,
    turn: u32,
    effects: &[Effect],
) -> Result<(), RunError> {
    let Some(store) = store(profile) else { return Ok(()) };
    let mut changes = Vec::new();
    for effect in effects {
        match effect {
            Effect::MemoryWritten { memory } => {
                changes.push(MemoryChange::Written(StoredMemory {
                    name: memory.name.clone(),
                    description: memory.description.clone(),
                    body: text(&house.objects, &memory.body).await?,
                    on_use: text_of(&house.objects, memory.on_use.as_ref()).await?,
                    code: text_of(&house.objects, memory.code.as_ref()).await?,
                }));
            }
            Effect::MemoryDeleted { name } => changes.push(MemoryChange::Deleted(name.clone())),
            _ => {}
        }
    }
    if !changes.is_empty() {
        house.memories.apply(store, run, turn, &changes).await?;
    }
    Ok(())
}

async fn stored_text(objects: &Objects, text: Option<String>) -> Result<Option<ContentKey>, RunError> {
    match text {
        Some(text) => Ok(Some(objects.put(text.into_bytes()).await?)),
        None => Ok(None),
    }
}

async fn text_of(objects: &Objects, key: Option<&ContentKey>) -> Result<Option<String>, RunError> {
    match key {
        Some(key) => Ok(Some(text(objects, key).await?)),
        None => Ok(None),
    }
}

async fn text(objects: &Objects, key: &ContentKey) -> Result<String, RunError> {
    Ok(String::from_utf8_lossy(&objects.get(key).await?).into_owned())
}

/// The state as the next job carries it; what it names is stored.
pub(super) async fn carry(house: &House, state: &mut AgentState) -> Result<Carried, RunError> {
    for page in state.kept.take_unsaved() {
        house.objects.put(page).await?;
    }
    Ok(Carried::pack(&state.kept, &house.objects).await?)
}

/// The program as its job carries it.
pub(super) async fn carry_source(house: &House, source: &str) -> Result<Body, RunError> {
    if source.len() <= INLINE_SOURCE_BYTES {
        return Ok(Body::Inline(source.to_owned()));
    }
    let key = house.objects.put(source.as_bytes().to_vec()).await?;
    Ok(Body::Object { key, bytes: source.len() as u64 })
}

/// What the model reads of what the agent keeps.
#[derive(Debug, Default)]
pub(super) struct Keeping {
    /// The bodies of the scratchpad, so that each is read once.
    bodies: HashMap<ContentKey, String>,
}

impl Keeping {
    /// What stands at the end of the window.
    pub(super) async fn shown(
        &mut self,
        house: &House,
        state: &AgentState,
        profile: &Profile,
    ) -> Result<Kept, RunError> {
        let is_whole = profile.memories.strategy == MemoryStrategy::Scratchpad;
        let kept = &state.kept;
        self.bodies.retain(|key, _| kept.memories.iter().any(|memory| memory.body == *key));
        let mut memories = Vec::new();
        for memory in kept.memories.iter() {
            let body = if is_whole { Some(self.body(house, &memory.body).await?) } else { None };
            let (name, description) = (memory.name.clone(), memory.description.clone());
            memories.push(KeptMemory { name, description, body });
        }
        let task = |task: &gg_common::state::Task| KeptTask {
            id: task.id.clone(),
            title: task.title.clone(),
            status: match task.status {
                TaskStatus::Pending => "pending",
                TaskStatus::InProgress => "in progress",
                TaskStatus::Done => "done",
            },
            // What is done blocks nothing any more.
            waits_for: task
                .blocked_by
                .iter()
                .filter(|id| kept.tasks.get(id).is_some_and(|blocker| blocker.status != TaskStatus::Done))
                .cloned()
                .collect(),
            description: task.description.as_deref().map(indented),
        };
        Ok(Kept {
            tasks: kept.tasks.iter().map(task).collect(),
            memories,
            is_whole,
            archived: kept.thread.archived.to_string(),
        })
    }

    async fn body(&mut self, house: &House, key: &ContentKey) -> Result<String, RunError> {
        if let Some(body) = self.bodies.get(key) {
            return Ok(body.clone());
        }
        let body = text(&house.objects, key).await?;
        let body = body.strip_suffix('\n').unwrap_or(&body).to_owned();
        self.bodies.insert(*key, body.clone());
        Ok(body)
    }
}

/// A text beneath an item of a list.
fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n  ")
}
