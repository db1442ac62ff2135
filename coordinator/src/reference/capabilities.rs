//! The page of capabilities: what each buys, by the operations table, and its settings.

use super::Page;
use super::markdown::{anchor, code, table};
use super::page::Reference;
use super::schema::{Form, types};
use gg_common::operation::{Binding, Operation, Role, Row, Served, TABLE};
use gg_common::profile::{Capability, MemoryStrategy};
use schemars::schema_for;
use std::collections::BTreeMap;

pub(super) const FILE: &str = "capabilities.md";

/// The type of a capability's settings.
fn settings(capability: Capability) -> Option<&'static str> {
    match capability {
        Capability::Shell => Some("ShellSettings"),
        Capability::Tasks => Some("TaskSettings"),
        Capability::Memories => Some("MemorySettings"),
        Capability::Skills => Some("Skill"),
        Capability::ReadFile
        | Capability::WriteFile
        | Capability::EditFile
        | Capability::ListDir
        | Capability::SearchFiles
        | Capability::ProjectManagement
        | Capability::DocviewClose
        | Capability::AgentManagedContext
        | Capability::Compaction
        | Capability::Subagents
        | Capability::Exec
        | Capability::Fork
        | Capability::ProgramLibrary => None,
    }
}

pub(super) fn page(reference: &Reference) -> Page {
    let about = "What a profile can enable under `capabilities`. Each buys calls, which `grants` can narrow; an agent has no \
                 others but those at the end of this page. A profile that enables what this version does not serve is refused.";
    let meanings = meanings();
    let rows: Vec<Vec<String>> = Capability::ALL
        .into_iter()
        .map(|capability| {
            let id = capability.id();
            let linked = format!("[{}](#{})", code(&id), anchor(&id));
            vec![linked, meanings.get(&id).cloned().unwrap_or_default(), served(capability).to_owned()]
        })
        .collect();
    let mut body = table(&["capability", "what it is", "served"], &rows);
    for capability in Capability::ALL {
        body.push_str(&section(reference, capability, &meanings));
    }
    body.push_str("\n## Without a capability\n\n");
    let others = |row: &&Row| !matches!(row.binding, Binding::Capability(_));
    let rows: Vec<_> = TABLE.iter().filter(others).map(|row| vec![call(row), who(row.binding)]).collect();
    body.push_str(&table(&["call", "who has it"], &rows));
    super::page(FILE, "Capabilities", about, &body)
}

/// What each capability is, as its comment says.
fn meanings() -> BTreeMap<String, String> {
    let (root, mut types) = types(&schema_for!(Capability), &BTreeMap::new());
    match types.remove(&root).map(|of| of.form) {
        Some(Form::Words(words)) => words.into_iter().map(|word| (word.word, word.meaning)).collect(),
        _ => BTreeMap::new(),
    }
}

fn served(capability: Capability) -> &'static str {
    if capability.is_served() { "yes" } else { "not in this version" }
}

fn call(row: &Row) -> String {
    let later = if row.served == Served::NotYet { " (not in this version)" } else { "" };
    format!("{}{later}", code(row.operation.id()))
}

fn who(binding: Binding) -> String {
    match binding {
        Binding::Always => "every agent".to_owned(),
        Binding::Ending(Role::Standard) => "an agent of the role `standard`".to_owned(),
        Binding::Ending(Role::Review) => "an agent of the role `review`".to_owned(),
        Binding::Machine => "an agent that lives in a state machine".to_owned(),
        Binding::Capability(capability) => code(&capability.id()),
    }
}

/// The strategies under which an agent has a call of `memories`; nothing where it has it under all.
fn strategies(operation: Operation) -> String {
    let all = [MemoryStrategy::Scratchpad, MemoryStrategy::Markdown, MemoryStrategy::KeywordSearch];
    let has: Vec<String> = all.into_iter().filter(|s| s.has(operation)).map(|s| code(s.id())).collect();
    if has.len() == all.len() { String::new() } else { has.join(", ") }
}

fn section(reference: &Reference, capability: Capability, meanings: &BTreeMap<String, String>) -> String {
    let id = capability.id();
    let meaning = meanings.get(&id).cloned().unwrap_or_default();
    let calls: Vec<Vec<String>> =
        capability.operations().map(|operation| vec![call(operation.row()), strategies(operation)]).collect();
    let calls = if calls.iter().all(|row| row[1].is_empty()) {
        let calls: Vec<&str> = calls.iter().map(|row| row[0].as_str()).collect();
        format!("Calls: {}\n", calls.join(", "))
    } else {
        table(&["call", "with the strategy"], &calls)
    };
    let settings = settings(capability).and_then(|name| reference.fields_of(name, FILE));
    let settings = settings.map(|(link, fields)| format!("\nSettings, under {link}:\n\n{fields}"));
    format!("\n## {}\n\n{meaning}\n\n{calls}{}", code(&id), settings.unwrap_or_default())
}
