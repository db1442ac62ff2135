//! What an agent remembers: an index whose bodies are objects.

use crate::content::ContentKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Memory {
    /// The name by which it is reached.
    pub name: String,
    /// What it is about, in a line.
    pub description: String,
    /// Characters of its body.
    pub chars: u64,
    /// Its body.
    pub body: ContentKey,
    /// The script that runs after each program that read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_use: Option<ContentKey>,
    /// The code module that a read of it brings into scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<ContentKey>,
}

impl Memory {
    /// The line that the index has of it.
    pub fn index_line(&self) -> String {
        format!("{}: {}", self.name, self.description)
    }
}

/// The memories, in the order in which they were made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Memories(Vec<Memory>);

impl Memories {
    /// These memories.
    pub fn of(memories: Vec<Memory>) -> Memories {
        let mut these = Memories::default();
        memories.into_iter().for_each(|memory| these.put(memory));
        these
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All, in the order in which they were made.
    pub fn iter(&self) -> impl Iterator<Item = &Memory> {
        self.0.iter()
    }

    /// The memory of this name.
    pub fn get(&self, name: &str) -> Option<&Memory> {
        self.0.iter().find(|memory| memory.name == name)
    }

    /// Characters of all bodies.
    pub fn chars(&self) -> u64 {
        self.0.iter().map(|memory| memory.chars).sum()
    }

    /// Characters of the index, with a line's end each.
    pub fn index_chars(&self) -> u64 {
        self.0.iter().map(|memory| memory.index_line().chars().count() as u64 + 1).sum()
    }

    /// Puts a memory in the place of that of its name, or at the end.
    pub fn put(&mut self, memory: Memory) {
        match self.0.iter_mut().find(|there| there.name == memory.name) {
            Some(there) => *there = memory,
            None => self.0.push(memory),
        }
    }

    /// Deletes a memory.
    pub fn delete(&mut self, name: &str) {
        self.0.retain(|memory| memory.name != name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_are_counted_in_characters() {
        let memory = |name: &str, body: &str| Memory {
            name: name.into(),
            description: "né".into(),
            chars: body.chars().count() as u64,
            body: ContentKey::of(body.as_bytes()),
            on_use: None,
            code: None,
        };
        let mut memories = Memories::of(vec![memory("a", "été"), memory("b", "12345"), memory("a", "é")]);
        assert_eq!((memories.len(), memories.chars()), (2, 6));
        assert_eq!(memories.index_chars(), 12);
        memories.delete("a");
        assert_eq!(memories.iter().map(|memory| memory.name.as_str()).collect::<Vec<_>>(), ["b"]);
    }
}
