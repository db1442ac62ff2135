//! What an agent keeps across turns, in one of three strategies: the profile grants only the calls of its own. Bodies are
//! objects; the state holds their index.

use super::near::{did_you_mean, near};
use super::tasks::line;
use super::{Turn, error};
use crate::contract::memories::{Memory as NewMemory, MemoryHit, MemoryUsage};
use crate::contract::{ApiError, ErrorCode};
use gg_common::content::ContentKey;
use gg_common::job::{Effect, Follows};
use gg_common::operation::Operation;
use gg_common::profile::MemoryStrategy;
use gg_common::state::{Memory, ModuleOf};

/// What a name may have, in bytes.
const MAX_NAME_BYTES: usize = 100;
/// What a description may have, in bytes: it is a line of the index.
const MAX_DESCRIPTION_BYTES: usize = 500;
/// How many keywords a search may have.
const MOST_KEYWORDS: usize = 64;
/// What an excerpt shows on each side of what was found, in characters.
const EXCERPT_CHARS: usize = 80;

fn usage(turn: &Turn<'_>) -> MemoryUsage {
    let (memories, settings) = (&turn.state.memories, &turn.profile.memories);
    let has_index = settings.strategy != MemoryStrategy::Scratchpad;
    MemoryUsage {
        count: memories.len() as u32,
        max: Some(settings.max),
        chars: memories.chars(),
        max_chars: Some(settings.max_chars),
        index_chars: has_index.then(|| memories.index_chars()),
        max_index_chars: has_index.then_some(settings.max_index_chars),
    }
}

fn known(turn: &Turn<'_>, operation: Operation, name: &str) -> Result<Memory, ApiError> {
    turn.state.memories.get(name).cloned().ok_or_else(|| {
        let near = near(name, turn.state.memories.iter().map(|memory| memory.name.as_str()));
        error(operation, ErrorCode::NotFound, format!("there is no memory `{name}`{}", did_you_mean(&near)))
    })
}

/// A text of a memory.
fn text_of(turn: &mut Turn<'_>, operation: Operation, key: &ContentKey) -> Result<String, ApiError> {
    match turn.objects.get_blocking(key) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(problem) => Err(turn.farm_fault(operation, &problem, "the memory could not be read")),
    }
}

fn stored(turn: &mut Turn<'_>, operation: Operation, text: &str) -> Result<ContentKey, ApiError> {
    turn.store(operation, text.as_bytes().to_vec(), "the memory")
}

/// Puts a memory with this body in its place, if what there is then stays within its bounds. A bound that was passed
/// before, as by a store that grew elsewhere, hinders nothing that does not make it worse.
fn put(turn: &mut Turn<'_>, operation: Operation, mut memory: Memory, body: &str) -> Result<MemoryUsage, ApiError> {
    memory.chars = body.chars().count() as u64;
    let settings = &turn.profile.memories;
    let before = &turn.state.memories;
    let mut after = before.clone();
    after.put(memory.clone());
    let mut rows = vec![
        ("memories", "memories.max", before.len() as u64, after.len() as u64, u64::from(settings.max)),
        ("characters of bodies", "memories.maxChars", before.chars(), after.chars(), settings.max_chars),
    ];
    if settings.strategy != MemoryStrategy::Scratchpad {
        let (was, is) = (before.index_chars(), after.index_chars());
        rows.push(("characters of index", "memories.maxIndexChars", was, is, settings.max_index_chars));
    }
    if let Some((what, name, _, is, most)) = rows.into_iter().find(|(_, _, was, is, most)| is > most && is > was) {
        let message = format!(
            "there would be {is} {what}, more than the {most} that there may be ({name}): shorten or delete some"
        );
        return Err(error(operation, ErrorCode::LimitExceeded, message));
    }
    memory.body = stored(turn, operation, body)?;
    turn.change(operation, Effect::MemoryWritten { memory })?;
    Ok(usage(turn))
}

/// A script or a module of a memory, kept as it is: whether it compiles shows at its first use.
fn kept_source(
    turn: &mut Turn<'_>,
    operation: Operation,
    what: &str,
    source: Option<String>,
) -> Result<Option<ContentKey>, ApiError> {
    let Some(source) = source else { return Ok(None) };
    super::programs::check(turn, operation, what, &source)?;
    Ok(Some(stored(turn, operation, &source)?))
}

/// A memory as a program gave it, and its body.
fn given(turn: &mut Turn<'_>, operation: Operation, new: NewMemory) -> Result<(Memory, String), ApiError> {
    let name = line(operation, "name", new.name, MAX_NAME_BYTES)?;
    let description = line(operation, "description", new.description, MAX_DESCRIPTION_BYTES)?;
    if turn.profile.memories.strategy == MemoryStrategy::Scratchpad && (new.on_use.is_some() || new.code.is_some()) {
        let message = "no call reads a memory of a scratchpad, so its code would never be in scope and its on-use script would never run: leave both out";
        return Err(error(operation, ErrorCode::InvalidArgument, message));
    }
    let on_use = kept_source(turn, operation, "on-use script", new.on_use)?;
    let code = kept_source(turn, operation, super::programs::CODE, new.code)?;
    let memory = Memory { name, description, chars: 0, body: ContentKey::of(b""), on_use, code };
    Ok((memory, new.body))
}

fn new(turn: &mut Turn<'_>, operation: Operation, memory: NewMemory, instead: &str) -> Result<MemoryUsage, ApiError> {
    let (memory, body) = given(turn, operation, memory)?;
    if turn.state.memories.get(&memory.name).is_some() {
        let message = format!("there is a memory `{}` already: {instead}, or take another name", memory.name);
        return Err(error(operation, ErrorCode::Conflict, message));
    }
    put(turn, operation, memory, &body)
}

/// `memories.write_memory`: onto the scratchpad.
pub fn write_memory(turn: &mut Turn<'_>, memory: NewMemory) -> Result<MemoryUsage, ApiError> {
    new(turn, Operation::MemoriesWriteMemory, memory, "update it")
}

/// `memories.update_memory`: a memory of the scratchpad as a whole.
pub fn update_memory(turn: &mut Turn<'_>, memory: NewMemory) -> Result<MemoryUsage, ApiError> {
    let operation = Operation::MemoriesUpdateMemory;
    let (memory, body) = given(turn, operation, memory)?;
    known(turn, operation, &memory.name)?;
    put(turn, operation, memory, &body)
}

/// `memories.create_memory`: one whose body is read on demand.
pub fn create_memory(turn: &mut Turn<'_>, memory: NewMemory) -> Result<MemoryUsage, ApiError> {
    new(turn, Operation::MemoriesCreateMemory, memory, "edit it, or delete it first")
}

/// `memories.read_memory`: the body; its code comes into scope, and its on-use script runs after the program.
pub fn read_memory(turn: &mut Turn<'_>, name: String) -> Result<String, ApiError> {
    let operation = Operation::MemoriesReadMemory;
    let memory = known(turn, operation, &name)?;
    let body = text_of(turn, operation, &memory.body)?;
    if let Some(code) = &memory.code {
        let code = text_of(turn, operation, code)?;
        super::modules::load(turn, operation, ModuleOf::Memory { name: name.clone() }, &code)?;
    }
    if let Some(script) = &memory.on_use {
        let script = text_of(turn, operation, script)?;
        turn.following.queue_script(Follows::Memory { name }, script);
    }
    Ok(body)
}

/// `memories.edit_memory`: the one occurrence of a text.
pub fn edit_memory(
    turn: &mut Turn<'_>,
    name: String,
    search: String,
    replace: String,
) -> Result<MemoryUsage, ApiError> {
    let operation = Operation::MemoriesEditMemory;
    if search.is_empty() {
        let message =
            "the text to replace is empty: give the text as it stands, with enough around it to be the only one";
        return Err(error(operation, ErrorCode::InvalidArgument, message));
    }
    let memory = known(turn, operation, &name)?;
    let body = text_of(turn, operation, &memory.body)?;
    match body.matches(&search).count() {
        1 => put(turn, operation, memory, &body.replacen(&search, &replace, 1)),
        0 => {
            let message =
                format!("the text does not occur in `{name}`: read it, and give the text exactly as it stands");
            Err(error(operation, ErrorCode::NotFound, message))
        }
        count => {
            let message = format!("the text occurs {count} times in `{name}`: give more of what stands around it");
            Err(error(operation, ErrorCode::Conflict, message))
        }
    }
}

/// `memories.search_memories`: those in which a keyword occurs, in any case of letters; the more keywords the better, then
/// the more occurrences.
pub fn search_memories(turn: &mut Turn<'_>, keywords: Vec<String>) -> Result<Vec<MemoryHit>, ApiError> {
    let operation = Operation::MemoriesSearchMemories;
    if keywords.len() > MOST_KEYWORDS {
        let message =
            format!("{} keywords are given, more than the {MOST_KEYWORDS} that a search may have", keywords.len());
        return Err(error(operation, ErrorCode::LimitExceeded, message));
    }
    let mut words: Vec<String> = Vec::new();
    for keyword in keywords {
        let word = keyword.trim().to_lowercase();
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    if words.is_empty() {
        return Err(error(operation, ErrorCode::InvalidArgument, "there is no keyword: give at least one word"));
    }
    let memories: Vec<Memory> = turn.state.memories.iter().cloned().collect();
    let mut hits = Vec::new();
    for memory in memories {
        let body = text_of(turn, operation, &memory.body)?;
        hits.extend(hit(memory, &body, &words));
    }
    hits.sort_by(|a, b| {
        (b.matched.len(), b.occurrences).cmp(&(a.matched.len(), a.occurrences)).then(a.name.cmp(&b.name))
    });
    Ok(hits)
}

fn hit(memory: Memory, body: &str, words: &[String]) -> Option<MemoryHit> {
    let all = format!("{}\n{}\n{body}", memory.name, memory.description).to_lowercase();
    let matched: Vec<String> = words.iter().filter(|word| all.contains(word.as_str())).cloned().collect();
    if matched.is_empty() {
        return None;
    }
    let occurrences = words.iter().map(|word| all.matches(word.as_str()).count()).sum::<usize>() as u32;
    let excerpt = excerpt(body, words, EXCERPT_CHARS);
    Some(MemoryHit { name: memory.name, description: memory.description, matched, occurrences, excerpt })
}

/// The text around the first of the words, `around` characters on each side; the beginning where none occurs. The words are
/// in small letters.
pub(super) fn excerpt(text: &str, words: &[String], around: usize) -> String {
    // Small letters may have another length than their capitals, so that a position in the text is found in the text.
    let begins = |rest: &str, word: &str| {
        let mut letters = rest.chars().flat_map(char::to_lowercase);
        word.chars().all(|letter| letters.next() == Some(letter))
    };
    let found =
        text.char_indices().find_map(|(at, _)| Some((at, words.iter().find(|word| begins(&text[at..], word))?)));
    let (at, length) = found.map_or((0, 0), |(at, word)| (at, word.chars().count()));
    let first = text[..at].char_indices().rev().take(around).last().map_or(at, |(first, _)| first);
    let last = text[at..].char_indices().nth(length + around).map_or(text.len(), |(last, _)| at + last);
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", dots(first > 0), text[first..last].trim(), dots(last < text.len()))
}

/// `memories.delete_memory`
pub fn delete_memory(turn: &mut Turn<'_>, name: String) -> Result<MemoryUsage, ApiError> {
    let operation = Operation::MemoriesDeleteMemory;
    known(turn, operation, &name)?;
    turn.change(operation, Effect::MemoryDeleted { name })?;
    Ok(usage(turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_stands_around_the_first_word_in_whole_characters() {
        let words = ["größe".to_owned(), "zwei".to_owned()];
        assert_eq!(excerpt("Die GRÖßE ist zwei.", &words, 4), "Die GRÖßE ist…");
        assert_eq!(excerpt("nichts davon", &words, 6), "nichts…");
        assert_eq!(excerpt("İzwei", &words, 0), "…zwei");
        assert_eq!(excerpt("", &words, 5), "");
    }

    #[test]
    fn a_hit_counts_keywords_and_their_occurrences() {
        let memory = Memory {
            name: "Deploy".into(),
            description: "how to deploy".into(),
            chars: 0,
            body: ContentKey::of(b""),
            on_use: None,
            code: None,
        };
        let words = ["deploy".to_owned(), "key".to_owned(), "absent".to_owned()];
        let found = hit(memory.clone(), "The key is in the Key ring.", &words).expect("a hit");
        assert_eq!((found.matched.join(" "), found.occurrences), ("deploy key".to_owned(), 4));
        assert_eq!(hit(memory, "", &["absent".to_owned()]), None);
    }
}
