//! The reference in `docs/reference/`, made from the types that read and write what it describes, from the operations
//! table, and from the command line's own definition. Nothing in it is listed by hand, and a test holds what is committed
//! equal to what is made here.
//!
//! A file's type gets a page by one line in [`pages`].

mod capabilities;
mod commands;
mod declared;
mod markdown;
mod page;
mod schema;
mod statuses;

use declared::fields_of;
use gg_common::ceilings::Ceilings;
use gg_common::config::Allowed;
use gg_common::event::Event;
use gg_common::limits::Limits;
use gg_common::model::ModelBinding;
use gg_common::money::Prices;
use gg_common::profile::{MemorySettings, Profile, ShellSettings, Skill, TaskSettings};
use gg_common::summary::Summary;
use page::{Reference, Source, Written};
use schemars::schema_for;
use std::collections::BTreeMap;

/// What brings the committed pages up to date.
pub const COMMAND: &str = "GG_UPDATE_DOCS=1 scripts/test.sh reference";

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its file in `docs/reference/`.
    pub file: String,
    /// Its text, in Markdown.
    pub text: String,
}

/// What is described, in the order of the index. A type stands on the first page that comes to it; one that has a page of
/// its own, there.
fn reference() -> Reference {
    use Written::{Json, Toml};
    let sources = vec![
        Source {
            file: "run-files.md",
            title: "Run files",
            about: "A TOML file that `coordinator run` takes: one agent, from its task to its end. `coordinator init` makes one.",
            schema: schema_for!(crate::plan::RunFile),
            written: Toml { at: "" },
        },
        Source {
            file: "profiles.md",
            title: "Profiles",
            about: "What an agent is started from: the `[profile]` table of a run file. In a file of its own, for `coordinator prompt --profile`, its fields stand at the top.",
            schema: schema_for!(Profile),
            written: Toml { at: "profile" },
        },
        Source {
            file: "task-folders.md",
            title: "Task folders",
            about: "A folder that `coordinator run` takes, or that a run file names with `taskFolder`: `task.md`, whose front matter is the TOML described here, between two lines of `+++`, and whose text is what the agent reads; `files/`, what its tree begins with; `check/`, what it never sees. `coordinator init` makes one.",
            schema: schema_for!(crate::plan::TaskFile),
            written: Toml { at: "" },
        },
        Source {
            file: "models.md",
            title: "Models",
            about: "Who answers: the `[model]` table of a run file, or of a file that `--model` names.",
            schema: schema_for!(ModelBinding),
            written: Toml { at: "model" },
        },
        Source {
            file: "events.md",
            title: "Events",
            about: "A run's `events.jsonl`: all that happened in it, in order, one event a line. As a schema: [event.json](../schema/event.json).",
            schema: schema_for!(Event),
            written: Json,
        },
        Source {
            file: "summaries.md",
            title: "Summaries",
            about: "A run's `summary.json`: what it came to, folded from its events. As a schema: [summary.json](../schema/summary.json).",
            schema: schema_for!(Summary),
            written: Json,
        },
    ];
    Reference::new(sources, &declared(), &allowed(), &[("Capability", capabilities::FILE)])
}

/// The tables of files, with their fields in the order in which they are declared.
fn declared() -> BTreeMap<&'static str, &'static [&'static str]> {
    BTreeMap::from([
        fields_of::<crate::plan::RunFile>(),
        fields_of::<crate::plan::TaskFile>(),
        fields_of::<crate::plan::CheckTable>(),
        fields_of::<Ceilings>(),
        fields_of::<Profile>(),
        fields_of::<Limits>(),
        fields_of::<ShellSettings>(),
        fields_of::<TaskSettings>(),
        fields_of::<MemorySettings>(),
        fields_of::<Skill>(),
        fields_of::<ModelBinding>(),
        fields_of::<Prices>(),
    ])
}

/// What numbers may be, by where they stand in a run file.
fn allowed() -> BTreeMap<String, Allowed> {
    let within = |table: &str, allowed: Vec<Allowed>| {
        let table = table.to_owned();
        allowed.into_iter().map(move |allowed| (format!("{table}.{}", allowed.name), allowed))
    };
    within("profile", Profile::allowed())
        .chain(within("profile.limits", Limits::allowed()))
        .chain(within("ceilings", Ceilings::allowed()))
        .chain(within("check", crate::plan::CheckTable::allowed()))
        .chain(within("model", crate::model::allowed()))
        .collect()
}

/// All pages.
pub fn pages() -> Vec<Page> {
    let reference = reference();
    let mut pages = reference.pages();
    pages.push(capabilities::page(&reference));
    pages.push(commands::page());
    pages.push(statuses::page());
    pages
}

/// A page from its parts, with where it comes from at its top.
fn page(file: &str, title: &str, about: &str, body: &str) -> Page {
    let text =
        format!("# {title}\n\n{about}\n\n*Made from the code: change that, and then run `{COMMAND}`.*\n\n{body}");
    Page { file: file.to_owned(), text: format!("{}\n", text.trim_end()) }
}

#[cfg(test)]
mod tests;
