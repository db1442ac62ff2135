//! What the model's window holds: file views are evicted, turns archived, and the archive searched.

use super::memories::excerpt;
use super::views::close_where;
use super::{Turn, error, files};
use crate::contract::context::{ArchiveHit, ArchivePage, Reclaimed, TurnRange as ContractRange};
use crate::contract::{ApiError, ErrorCode};
use gg_common::content::ContentKey;
use gg_common::job::{Effect, ViewKind};
use gg_common::operation::Operation;
use gg_common::state::{OpenView, ThreadEntry, TurnRange, TurnRanges};

/// The most that a search of the archive gives.
const MOST_HITS: usize = 8;
/// How many words a query may have.
const MOST_WORDS: usize = 64;
/// What a hit shows on each side of what was found, in characters.
const HIT_CHARS: usize = 1_000;

fn count(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// `context.evict_file_view`: the views of a file, or of all files.
pub fn evict_file_view(turn: &mut Turn<'_>, path: Option<String>) -> Result<Reclaimed, ApiError> {
    let operation = Operation::ContextEvictFileView;
    let path = path.map(|path| files::selector(operation, &path)).transpose()?;
    let of = |view: &OpenView| {
        view.key.kind == ViewKind::File && path.as_ref().is_none_or(|path| view.key.selector == *path)
    };
    let closed = close_where(turn, of);
    let mut paths: Vec<String> = closed.iter().map(|view| view.key.selector.clone()).collect();
    paths.sort_unstable();
    paths.dedup();
    let reclaimed_tokens = closed.iter().map(|view| view.tokens).sum();
    let detail = match (&path, closed.len()) {
        (Some(path), 0) => format!("No view of `{path}` is open."),
        (None, 0) => "No view of a file is open.".to_owned(),
        (_, closed) => format!("Closed {} of {}.", count(closed, "view"), count(paths.len(), "file")),
    };
    Ok(Reclaimed { items: closed.len() as u32, reclaimed_tokens, paths, detail })
}

fn thread(turn: &mut Turn<'_>, operation: Operation) -> Result<Vec<ThreadEntry>, ApiError> {
    turn.state
        .thread
        .entries
        .all_blocking(turn.objects)
        .map_err(|problem| turn.farm_fault(operation, &problem, "the thread could not be read"))
}

/// `context.archive_thread`: what the turns said leaves the window and can be searched; what they showed and is still open
/// moves to this turn.
pub fn archive_thread(turn: &mut Turn<'_>, ranges: Vec<ContractRange>) -> Result<Reclaimed, ApiError> {
    let operation = Operation::ContextArchiveThread;
    let invalid = |message: String| Err(error(operation, ErrorCode::InvalidArgument, message));
    if ranges.is_empty() {
        return invalid("no turns are named: give at least one range, such as 1 to 3".to_owned());
    }
    let last_closed = turn.number.saturating_sub(1);
    for ContractRange { first, last } in &ranges {
        if first > last {
            return invalid(format!("the range {first} to {last} ends before it begins: write {last} to {first}"));
        }
        if *first == 0 || *last > last_closed {
            let there = match last_closed {
                0 => "this is the first turn, so there are none yet".to_owned(),
                last_closed => format!("turns 1 to {last_closed} are closed"),
            };
            return invalid(format!("the range {first} to {last} names turns that cannot be archived: {there}"));
        }
    }
    let wanted: TurnRanges = ranges.iter().map(|range| TurnRange { first: range.first, last: range.last }).collect();
    let archived = &turn.state.thread.archived;
    let turns: TurnRanges = wanted
        .iter()
        .flat_map(|range| range.first..=range.last)
        .filter(|number| !archived.contains(*number))
        .map(|number| TurnRange { first: number, last: number })
        .collect();
    let items = turns.iter().map(|range| range.last - range.first + 1).sum();
    if items == 0 {
        let detail = "These turns were archived before.".to_owned();
        return Ok(Reclaimed { items, reclaimed_tokens: 0, paths: Vec::new(), detail });
    }
    let entries = thread(turn, operation)?;
    let reclaimed_tokens = entries.iter().filter(|entry| turns.contains(entry.turn)).map(|entry| entry.tokens).sum();
    let moved = turn.state.views.iter().filter(|view| turns.contains(view.turn)).count();
    let stay = match moved {
        0 => String::new(),
        moved => format!(" {} that stood there moved to this turn.", count(moved, "view")),
    };
    let detail = format!("Archived {} ({turns}).{stay}", count(items as usize, "turn"));
    turn.change(operation, Effect::ThreadArchived { turns })?;
    Ok(Reclaimed { items, reclaimed_tokens, paths: Vec::new(), detail })
}

/// `context.search_archive`: messages in which words of the query occur, in any case of letters; the more words the better,
/// then the more occurrences, then the later.
pub fn search_archive(turn: &mut Turn<'_>, query: String) -> Result<ArchivePage, ApiError> {
    let operation = Operation::ContextSearchArchive;
    let query = query.to_lowercase();
    let mut words: Vec<String> = query
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.sort_unstable();
    words.dedup();
    if words.is_empty() {
        return Err(error(operation, ErrorCode::InvalidArgument, "the query has no word: say what to look for"));
    }
    if words.len() > MOST_WORDS {
        let message =
            format!("the query has {} words, more than the {MOST_WORDS} that it may have: say less", words.len());
        return Err(error(operation, ErrorCode::LimitExceeded, message));
    }
    if turn.state.thread.archived.is_empty() {
        return Ok(ArchivePage { archive_empty: true, hits: Vec::new() });
    }
    let mut found = Vec::new();
    for entry in thread(turn, operation)? {
        if !turn.state.thread.archived.contains(entry.turn) {
            continue;
        }
        if turn.time_left().is_zero() {
            let message = "the program's wall clock was spent before the archive was searched: archive less";
            return Err(error(operation, ErrorCode::LimitExceeded, message));
        }
        let seq = u64::from(entry.turn) * 2;
        for (seq, role, key) in [(seq - 1, "model", entry.reply), (seq, "user", entry.shown)] {
            let small = message(turn, operation, &key)?.to_lowercase();
            let counts = words.iter().map(|word| small.matches(word.as_str()).count()).filter(|count| *count > 0);
            let (matched, occurrences) = counts.fold((0, 0), |(words, all), count| (words + 1, all + count));
            if matched > 0 {
                found.push((matched, occurrences, seq, role, key));
            }
        }
    }
    found.sort_by_key(|(matched, occurrences, seq, ..)| std::cmp::Reverse((*matched, *occurrences, *seq)));
    found.truncate(MOST_HITS);
    let mut hits = Vec::new();
    for (_, _, seq, role, key) in found {
        let text = excerpt(&message(turn, operation, &key)?, &words, HIT_CHARS);
        hits.push(ArchiveHit { seq, role: role.to_owned(), text });
    }
    Ok(ArchivePage { archive_empty: false, hits })
}

/// A message of the thread.
fn message(turn: &mut Turn<'_>, operation: Operation, key: &ContentKey) -> Result<String, ApiError> {
    match turn.objects.get_blocking(key) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(problem) => Err(turn.farm_fault(operation, &problem, "the archive could not be read")),
    }
}
