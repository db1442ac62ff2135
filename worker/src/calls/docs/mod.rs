//! The documentation of what this agent can call. What the profile does not grant is never found and never shown.

mod index;

pub use index::DocsIndex;

use super::modules;
use super::near::near;
use super::surface::is_code_module;
use super::views;
use super::{Turn, error};
use crate::contract::docs::{DocHit, DocPage, DocQuery, EntryKind as ContractKind};
use crate::contract::{ApiError, ErrorCode};
use gg_common::catalogue::{Catalogue, Entry, EntryKind, Module};
use gg_common::job::ViewKind;
use gg_common::operation::Operation;
use gg_common::profile::{DocViewTypes, Profile};
use gg_common::state::OpenView;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Hits where the query states no limit.
const DEFAULT_LIMIT: u32 = 20;
/// The most that a query may ask for.
const MAX_LIMIT: u32 = 100;

/// The longest name that is looked for, in bytes. There is none that is nearly as long.
const NAME_BYTES: usize = 255;
/// The longest query, in bytes.
const QUERY_BYTES: usize = 1_024;

/// Whether the agent is shown an entry: a granted call or alias, or a type that some granted call reaches.
fn visible(catalogue: &Catalogue, profile: &Profile, entry: &Entry) -> bool {
    match entry.kind {
        EntryKind::Operation | EntryKind::Alias => {
            entry.operation.as_deref().and_then(Operation::from_id).is_some_and(|o| profile.grants_call(o))
        }
        EntryKind::Export => true,
        EntryKind::Type => {
            // A type of `core` belongs to every call, and one of a code module to who brought that into scope.
            entry.module == "core"
                || is_code_module(&entry.module)
                || reachable_types(catalogue, profile).contains(entry.key.as_str())
        }
    }
}

/// Whether an entry names this one as a type of its own. A reflector writes a type by its key or by its bare name.
fn names(entry: &Entry, named: &Entry) -> bool {
    named.kind == EntryKind::Type && entry.types.iter().any(|name| *name == named.key || *name == named.name)
}

/// The types that granted calls name, and those that these name, to any depth.
fn reachable_types<'a>(catalogue: &'a Catalogue, profile: &Profile) -> BTreeSet<&'a str> {
    let granted = catalogue.entries.iter().filter(|entry| {
        entry.kind == EntryKind::Operation
            && entry.operation.as_deref().and_then(Operation::from_id).is_some_and(|o| profile.grants_call(o))
    });
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Entry> = granted.collect();
    while let Some(entry) = open.pop() {
        for named in catalogue.entries.iter().filter(|e| names(entry, e)) {
            if reached.insert(named.key.as_str()) {
                open.push(named);
            }
        }
    }
    reached
}

/// The entry of a qualified or bare name; else at most three near names.
pub(super) fn find<'a>(catalogue: &'a Catalogue, profile: &Profile, name: &str) -> Result<&'a Entry, Vec<&'a str>> {
    if name.len() > NAME_BYTES {
        return Err(Vec::new());
    }
    let shown: Vec<&Entry> = catalogue.entries.iter().filter(|e| visible(catalogue, profile, e)).collect();
    let wanted = name.trim();
    let by_key = shown.iter().find(|e| e.key == wanted || e.operation.as_deref() == Some(wanted));
    if let Some(entry) = by_key.or_else(|| shown.iter().find(|e| e.name == wanted)) {
        return Ok(entry);
    }
    // A near bare name is shown qualified, so that it can be asked for as it stands.
    let mut found = near(wanted, shown.iter().map(|e| e.key.as_str()));
    for bare in near(wanted, shown.iter().map(|e| e.name.as_str())) {
        found.extend(shown.iter().filter(|e| e.name == bare).map(|e| e.key.as_str()));
    }
    let mut seen = BTreeSet::new();
    found.retain(|key| seen.insert(*key));
    found.truncate(3);
    Err(found)
}

/// The types that a view of this entry opens beside it.
pub(super) fn types_beside<'a>(catalogue: &'a Catalogue, profile: &Profile, entry: &Entry) -> Vec<&'a Entry> {
    let mentions =
        |text: &str, name: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    let wanted = |name: &str| match (profile.doc_view_types, entry.kind) {
        (DocViewTypes::Off, _) => false,
        (_, EntryKind::Type) | (DocViewTypes::ReturnAndParameters, _) => true,
        (DocViewTypes::Return, _) => entry.returns.as_deref().is_some_and(|returns| mentions(returns, name)),
    };
    let types = catalogue.entries.iter().filter(|e| e.kind == EntryKind::Type && e.key != entry.key);
    types.filter(|e| names(entry, e) && wanted(&e.name)).collect()
}

/// An entry as the model reads it.
pub(super) fn page(catalogue: &Catalogue, entry: &Entry) -> String {
    let mut text = String::new();
    if let Some(module) = catalogue.modules.iter().find(|m| m.name == entry.module) {
        let _ = writeln!(text, "{}", module.import);
    }
    let _ = writeln!(text, "{}\n\n{}", entry.signature.trim_end(), entry.documentation.trim_end());
    let said = one_line(&entry.documentation);
    for (title, members) in
        [("Parameters", &entry.parameters), ("Fields", &entry.fields), ("Variants", &entry.variants)]
    {
        // The documentation may describe them already, in its language's own way.
        let members: Vec<_> =
            members.iter().filter(|member| !said.contains(&one_line(&member.documentation))).collect();
        if members.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{title}:");
        for member in members {
            let type_ = member.type_.as_deref().map(|t| format!(": {t}")).unwrap_or_default();
            let optional = if member.optional { " (optional)" } else { "" };
            let _ = writeln!(text, "- {}{type_}{optional}: {}", member.name, member.documentation.trim());
        }
    }
    text
}

/// A code module as the model reads it: how it is reached, and what it offers. What does not fit is counted.
pub(super) fn module_page(module: &Module, entries: &[Entry], most_bytes: u64) -> String {
    let mut text = format!("{}\n{}\n", module.import, module.summary);
    for (at, entry) in entries.iter().enumerate() {
        let mut told = format!("\n{}\n{}\n", entry.key, entry.signature.trim_end());
        for line in entry.documentation.lines() {
            let _ = writeln!(told, "{}", format!("    {line}").trim_end());
        }
        // The line that counts has room.
        if (text.len() + told.len() + 64) as u64 > most_bytes {
            let _ = writeln!(text, "\n… {} more: look them up by name", entries.len() - at);
            break;
        }
        text.push_str(&told);
    }
    if entries.is_empty() {
        text.push_str("\nIt offers nothing.\n");
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn contract_kind(kind: EntryKind) -> ContractKind {
    match kind {
        EntryKind::Operation | EntryKind::Export => ContractKind::Operation,
        EntryKind::Type => ContractKind::Type,
        EntryKind::Alias => ContractKind::Alias,
    }
}

/// `docs.search`: ranks what the agent can call by what it does, and opens the view of search results.
pub fn search(turn: &mut Turn<'_>, query: DocQuery) -> Result<DocPage, ApiError> {
    let operation = Operation::DocsSearch;
    let blank = query.query.trim().is_empty();
    if blank && query.module.is_none() && query.type_.is_none() && query.kind.is_none() {
        return Err(error(
            operation,
            ErrorCode::InvalidArgument,
            "the query is empty and no filter is set: say what the call should do",
        ));
    }
    if query.query.len() > QUERY_BYTES {
        return Err(error(
            operation,
            ErrorCode::InvalidArgument,
            format!(
                "the query has {} bytes, more than the {QUERY_BYTES} that it may: say in some words what the call should do",
                query.query.len()
            ),
        ));
    }
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
    if limit == 0 || limit > MAX_LIMIT {
        return Err(error(
            operation,
            ErrorCode::InvalidArgument,
            format!("limit is {limit}: it must be between 1 and {MAX_LIMIT}"),
        ));
    }
    let (surface, profile) = (modules::surface(turn, operation)?, turn.profile);
    let catalogue = &*surface.catalogue;
    let mut hits = Vec::new();
    if matches!(query.kind, None | Some(ContractKind::Module)) && query.type_.is_none() {
        let granted = |name: &str| {
            is_code_module(name)
                || catalogue
                    .entries
                    .iter()
                    .any(|e| e.module == name && e.kind == EntryKind::Operation && visible(catalogue, profile, e))
        };
        for (score, module) in surface.docs.rank_modules(catalogue, &query.query) {
            if granted(&module.name) && query.module.as_deref().is_none_or(|m| m == module.name) {
                let hit = DocHit {
                    key: module.name.clone(),
                    kind: ContractKind::Module,
                    module: module.name.clone(),
                    name: module.name.clone(),
                    summary: module.summary.clone(),
                };
                hits.push((score, hit));
            }
        }
    }
    for (score, entry) in surface.docs.rank(catalogue, &query.query) {
        let passes = query.module.as_deref().is_none_or(|m| m == entry.module)
            && query.type_.as_deref().is_none_or(|t| {
                entry.types.iter().any(|named| named == t || named.rsplit(['.', ':']).next() == Some(t))
                    || catalogue.entries.iter().any(|e| e.key == t && names(entry, e))
            })
            && query.kind.is_none_or(|kind| kind == contract_kind(entry.kind));
        if passes && visible(catalogue, profile, entry) {
            let hit = DocHit {
                key: entry.key.clone(),
                kind: contract_kind(entry.kind),
                module: entry.module.clone(),
                name: entry.name.clone(),
                summary: entry.summary.clone(),
            };
            hits.push((score, hit));
        }
    }
    hits.sort_by(|a, b| b.0.total_cmp(&a.0));
    let total = hits.len() as u32;
    let offset = query.offset.unwrap_or(0);
    let hits: Vec<DocHit> = hits.into_iter().map(|(_, hit)| hit).skip(offset as usize).take(limit as usize).collect();
    let mut text = format!("{total} found for {:?}\n", query.query);
    for hit in &hits {
        let _ = writeln!(text, "- {}: {}", hit.key, hit.summary);
    }
    views::open(turn, operation, ViewKind::SearchResults, "docs.search", None, &text)?;
    Ok(DocPage { total, offset, hits })
}

/// `docs.close`: the documentation of a call or a type, or the search results by the name of their call.
pub fn close(turn: &mut Turn<'_>, key: String) -> Result<u32, ApiError> {
    let surface = modules::surface(turn, Operation::DocsClose)?;
    let named = find(&surface.catalogue, turn.profile, &key).ok().map(|entry| entry.key.as_str());
    let of = |view: &OpenView| {
        is_documentation(view) && (view.key.selector == key || Some(view.key.selector.as_str()) == named)
    };
    Ok(views::close_where(turn, of).len() as u32)
}

/// `docs.close_all`: all documentation, search results among it.
pub fn close_all(turn: &mut Turn<'_>) -> Result<u32, ApiError> {
    Ok(views::close_where(turn, is_documentation).len() as u32)
}

fn is_documentation(view: &OpenView) -> bool {
    matches!(view.key.kind, ViewKind::Docs | ViewKind::SearchResults)
}
