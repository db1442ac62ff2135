//! Rewriting expect files by what was observed, where `GG_BLESS=1` asks for it. Whoever blesses reads what came out.

use super::{KeptExpected, Observed, Program};
use gg_common::job::Effect;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};

/// A log longer than this is not written down.
const LOG_BYTES: usize = 4096;

/// Whether the environment asks for it.
pub(super) fn is_asked() -> bool {
    std::env::var_os("GG_BLESS").is_some_and(|value| value == "1")
}

/// The expect file as it should be: one without an outcome gets all that was observed, another has only those of its
/// texts rewritten that it states.
pub(super) fn blessed(program: &Program, text: &str, observed: &Observed) -> Result<String, toml_edit::TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let is_new = program.expectation.outcome.is_none();
    let had: Vec<String> = document.iter().map(|(key, _)| key.to_owned()).collect();
    let mut inputs: Vec<(String, Item)> = Vec::new();
    if is_new {
        // Tables must follow what is written above them.
        for key in &had {
            inputs.extend(document.remove(key).map(|item| (key.clone(), item)));
        }
        inputs.retain(|(key, item)| {
            let is_value = item.is_value();
            if is_value {
                document.insert(key, item.clone());
            }
            !is_value
        });
    }
    let mut put = |key: &str, item: Item| {
        if is_new || had.iter().any(|had| had == key) {
            document[key] = item;
        }
    };
    put("outcome", value(observed.outcome));
    if let Some(error_type) = &observed.error_type {
        put("errorType", value(error_type));
    }
    if let Some(text) = &observed.error_text {
        put("errorText", value(text));
    }
    if let (Some(status), "failed") = (observed.exit_code, observed.outcome) {
        put("exitCode", value(i64::from(status)));
    }
    if let Some(location) = observed.location {
        let mut table = InlineTable::new();
        table.insert("line", i64::from(location.line).into());
        if let Some(column) = location.column {
            table.insert("column", i64::from(column).into());
        }
        put("location", value(table));
    }
    if observed.log.len() <= LOG_BYTES {
        put("log", value(&observed.log));
    }
    if !is_new || !observed.stderr.is_empty() {
        put("stderr", value(&observed.stderr));
    }
    if is_new && !observed.refusals.is_empty() {
        put("refusals", value(observed.refusals.iter().collect::<Array>()));
    }
    if is_new {
        if let Some(ending) = &observed.ending {
            put("ending", value(ending_of(ending)));
        }
        if observed.kept != KeptExpected::default() {
            document.insert("kept", Item::Table(kept_of(&observed.kept)));
        }
        for (key, item) in inputs {
            document.insert(&key, item);
        }
        if !observed.followed.is_empty() {
            document.insert("followed", Item::ArrayOfTables(followed_of(observed)));
        }
        if !observed.views.is_empty() {
            document.insert("views", Item::ArrayOfTables(views_of(observed)));
        }
    }
    Ok(document.to_string())
}

fn ending_of(ending: &Effect) -> InlineTable {
    let mut table = InlineTable::new();
    let mut put = |kind: &str, key: &str, value: Value| {
        table.insert("type", kind.into());
        table.insert(key, value);
    };
    match ending {
        Effect::Finish { summary } => put("finish", "summary", summary.into()),
        Effect::Approve { summary } => put("approve", "summary", summary.into()),
        Effect::RequestChanges { items } => {
            put("request_changes", "items", Value::Array(items.iter().collect::<Array>()));
        }
        _ => {}
    }
    table
}

fn kept_of(kept: &KeptExpected) -> Table {
    let mut table = Table::new();
    let lists =
        [("tasks", &kept.tasks), ("memories", &kept.memories), ("views", &kept.views), ("skills", &kept.skills)];
    for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        table.insert(key, value(list.iter().collect::<Array>()));
    }
    if !kept.archived.is_empty() {
        table.insert("archived", value(&kept.archived));
    }
    table
}

fn followed_of(observed: &Observed) -> ArrayOfTables {
    let mut followed = ArrayOfTables::new();
    for run in &observed.followed {
        let mut table = Table::new();
        table.insert("follows", value(&run.follows));
        table.insert("outcome", value(run.outcome));
        if let Some(text) = &run.error_text {
            table.insert("errorText", value(text));
        }
        if !run.log.is_empty() {
            table.insert("log", value(&run.log));
        }
        followed.push(table);
    }
    followed
}

fn views_of(observed: &Observed) -> ArrayOfTables {
    let mut views = ArrayOfTables::new();
    for view in &observed.views {
        let mut table = Table::new();
        table.insert("kind", value(&view.kind));
        table.insert("selector", value(&view.selector));
        if let Some(region) = &view.region {
            table.insert("region", value(region));
        }
        if view.body.len() <= LOG_BYTES {
            table.insert("body", value(&view.body));
        }
        views.push(table);
    }
    views
}
