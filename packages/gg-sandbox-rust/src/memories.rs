//! What an agent keeps across turns: named texts, some with code.
#![doc(alias = "ggmodule:memories")]

use crate::bindings::gg::sandbox::memories as host;
use crate::core::{ApiError, called};

/// The code that a memory carries beside its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CodeOptions {
    /// A module in Rust, a file of items, loaded when the memory is used.
    pub code: Option<String>,
    /// A program that runs after each program that used the memory.
    pub on_use: Option<String>,
}

/// How much is remembered, and how much may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryUsage {
    /// How many memories there are.
    pub count: u32,
    /// How many there may be; `None` where nothing bounds them.
    pub max: Option<u32>,
    /// How many characters they hold together.
    pub chars: u64,
    /// How many they may hold; `None` where nothing bounds them.
    pub max_chars: Option<u64>,
    /// How many characters their index takes; `None` where there is no index.
    pub index_chars: Option<u64>,
    /// How many it may take; `None` where nothing bounds it.
    pub max_index_chars: Option<u64>,
}

/// A memory that matches a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryHit {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// The keywords that were found in it.
    pub matched: Vec<String>,
    /// How often they occur.
    pub occurrences: u32,
    /// The text around the first of them.
    pub excerpt: String,
}

impl MemoryHit {
    /// Reads the body of this memory, and loads its code where it has some.
    ///
    /// # Errors
    ///
    /// [`ApiError`]: `NotFound` where it was deleted meanwhile.
    #[doc(alias = "ggalias:memories.read_memory")]
    #[track_caller]
    pub fn read_memory(&self) -> Result<String, ApiError> {
        read_memory(&self.name)
    }
}

impl MemoryUsage {
    fn from_host(usage: host::MemoryUsage) -> Self {
        MemoryUsage {
            count: usage.count,
            max: usage.max,
            chars: usage.chars,
            max_chars: usage.max_chars,
            index_chars: usage.index_chars,
            max_index_chars: usage.max_index_chars,
        }
    }
}

fn memory(name: &str, description: &str, body: &str, options: CodeOptions) -> host::Memory {
    host::Memory {
        name: name.into(),
        description: description.into(),
        body: body.into(),
        code: options.code,
        on_use: options.on_use,
    }
}

/// Writes a new memory on the scratchpad that the agent always reads, and says how much is remembered now.
///
/// # Arguments
///
/// * `name` - The name by which it is reached.
/// * `description` - What it is about, in a line.
/// * `body` - The text to remember.
/// * `options` - The code that it carries; none by `memories::CodeOptions::default()`.
///
/// # Errors
///
/// [`ApiError`]: `Conflict` where the name is taken, `LimitExceeded` where a bound is reached.
#[doc(alias = "ggop:memories.write_memory")]
#[track_caller]
pub fn write_memory(name: &str, description: &str, body: &str, options: CodeOptions) -> Result<MemoryUsage, ApiError> {
    called(host::write_memory(&memory(name, description, body, options))).map(MemoryUsage::from_host)
}

/// Replaces a memory of the scratchpad as a whole, and says how much is remembered now.
///
/// # Arguments
///
/// * `name` - The memory.
/// * `description` - What it is about, in a line.
/// * `body` - The text to remember.
/// * `options` - The code that it carries; none by `memories::CodeOptions::default()`.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such memory, `LimitExceeded` where a bound is
/// reached.
#[doc(alias = "ggop:memories.update_memory")]
#[track_caller]
pub fn update_memory(name: &str, description: &str, body: &str, options: CodeOptions) -> Result<MemoryUsage, ApiError> {
    called(host::update_memory(&memory(name, description, body, options))).map(MemoryUsage::from_host)
}

/// Makes a memory whose description the agent sees and whose body it reads on demand.
///
/// It says how much is remembered now.
///
/// # Arguments
///
/// * `name` - The name by which it is reached.
/// * `description` - What it is about, in a line.
/// * `body` - The text to remember.
/// * `options` - The code that it carries; none by `memories::CodeOptions::default()`.
///
/// # Errors
///
/// [`ApiError`]: `Conflict` where the name is taken, `LimitExceeded` where a bound is reached.
#[doc(alias = "ggop:memories.create_memory")]
#[track_caller]
pub fn create_memory(name: &str, description: &str, body: &str, options: CodeOptions) -> Result<MemoryUsage, ApiError> {
    called(host::create_memory(&memory(name, description, body, options))).map(MemoryUsage::from_host)
}

/// Reads the body of a memory, and loads its code where it has some.
///
/// # Arguments
///
/// * `name` - The memory.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such memory.
#[doc(alias = "ggop:memories.read_memory")]
#[track_caller]
pub fn read_memory(name: &str) -> Result<String, ApiError> {
    called(host::read_memory(name))
}

/// Replaces the one occurrence of a text in a memory's body, and says how much is remembered now.
///
/// # Arguments
///
/// * `name` - The memory.
/// * `search` - The text to replace, exactly as it stands; it must occur once.
/// * `replace` - The text to put in its place.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where the memory or the text is missing, `Conflict` where the text
/// occurs several times, `LimitExceeded` where a bound is reached.
#[doc(alias = "ggop:memories.edit_memory")]
#[track_caller]
pub fn edit_memory(name: &str, search: &str, replace: &str) -> Result<MemoryUsage, ApiError> {
    called(host::edit_memory(name, search, replace)).map(MemoryUsage::from_host)
}

/// Finds the memories in which a keyword occurs, best first.
///
/// # Arguments
///
/// * `keywords` - The words to look for, at least one.
///
/// # Errors
///
/// [`ApiError`]: `InvalidArgument` where no keyword is given.
#[doc(alias = "ggop:memories.search_memories")]
#[track_caller]
pub fn search_memories(keywords: &[impl AsRef<str>]) -> Result<Vec<MemoryHit>, ApiError> {
    let keywords: Vec<String> = keywords.iter().map(|keyword| keyword.as_ref().to_owned()).collect();
    hits(called(host::search_memories(&keywords)))
}

fn hits(found: Result<Vec<host::MemoryHit>, ApiError>) -> Result<Vec<MemoryHit>, ApiError> {
    Ok(found?
        .into_iter()
        .map(|hit| MemoryHit {
            name: hit.name,
            description: hit.description,
            matched: hit.matched,
            occurrences: hit.occurrences,
            excerpt: hit.excerpt,
        })
        .collect())
}

/// Deletes a memory, and says how much is remembered now.
///
/// # Arguments
///
/// * `name` - The memory.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such memory.
#[doc(alias = "ggop:memories.delete_memory")]
#[track_caller]
pub fn delete_memory(name: &str) -> Result<MemoryUsage, ApiError> {
    called(host::delete_memory(name)).map(MemoryUsage::from_host)
}
