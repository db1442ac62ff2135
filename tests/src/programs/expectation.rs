//! What stands beside a program: what it is run with, and what must come of it.

use gg_common::job::ViewKind;
use gg_common::limits::Limits;
use gg_common::operation::Role;
use gg_common::outcome::Location;
use gg_common::profile::{Capability, DocViewTypes, MemorySettings, Skill, TaskSettings, TreeAccess};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// An expect file. What it does not state is not compared.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Expectation {
    /// Limits that differ from the defaults.
    pub limits: Limits,
    /// What the profile enables. Default: all that a worker serves.
    pub capabilities: Option<BTreeSet<Capability>>,
    /// The profile's grants. Default: none, so that nothing is narrowed.
    pub grants: BTreeMap<Capability, BTreeSet<String>>,
    /// The agent's role. Default: `standard`.
    pub role: Role,
    /// How the language's own functions reach the tree. Default: by the capabilities.
    pub tree_access: Option<TreeAccess>,
    /// Which types a documentation view opens. Default: `return`.
    pub doc_view_types: DocViewTypes,
    /// The agent's skills. Default: none.
    pub skills: Vec<Skill>,
    /// Settings of `tasks`.
    pub tasks: TaskSettings,
    /// Settings of `memories`.
    pub memories: MemorySettings,
    /// Turns that were closed, oldest first, for the archive. Default: none.
    pub thread: Vec<ClosedTurn>,
    /// The folder under `trees/` that the program starts from. Default: an empty tree.
    pub files: Option<String>,
    /// Programs of earlier turns, oldest first. Default: none.
    pub earlier: Vec<Earlier>,
    /// What is left of the run's wall clock, in milliseconds. Default: unbounded.
    pub wall_left_ms: Option<u64>,
    /// The file is repeated until the program has so many bytes. Default: it is the program as it is.
    pub repeated_to_bytes: Option<usize>,

    /// How the turn ends.
    pub outcome: Option<OutcomeName>,
    /// The error's type.
    pub error_type: Option<String>,
    /// The whole text that the model reads.
    pub error_text: Option<String>,
    /// Parts of it, where the whole differs from run to run.
    pub error_text_contains: Vec<String>,
    /// Where in the program.
    pub location: Option<Location>,
    /// The status that the program left with.
    pub exit_code: Option<i32>,
    /// The whole log.
    pub log: Option<String>,
    /// Parts of it.
    pub log_contains: Vec<String>,
    /// Its length in bytes.
    pub log_length: Option<usize>,
    /// The least that was dropped of it, in bytes.
    pub log_dropped_at_least: Option<u64>,
    /// The whole standard error that was kept.
    pub stderr: Option<String>,
    /// Parts of it.
    pub stderr_contains: Vec<String>,
    /// The views, all of them, in order.
    pub views: Option<Vec<ViewExpected>>,
    /// Operations that were called and not granted, in order.
    pub refusals: Option<Vec<String>>,
    /// How the session is to end.
    pub ending: Option<EndingExpected>,
    /// The programs that ran after the reply's own, in order.
    pub followed: Option<Vec<FollowerExpected>>,
    /// What the agent keeps after the turn.
    pub kept: Option<KeptExpected>,
    /// Files of the tree after the turn.
    pub tree: Vec<FileExpected>,
}

impl Expectation {
    /// The last turn before the program's own.
    pub fn last_turn(&self) -> u32 {
        let earlier = self.earlier.iter().map(|earlier| earlier.turn);
        earlier.chain(self.thread.iter().map(|turn| turn.turn)).max().unwrap_or(0)
    }

    /// Why this can hold nothing to account; none where it can.
    pub fn problem(&self) -> Option<&'static str> {
        match self.outcome {
            None => Some("it states no outcome"),
            Some(OutcomeName::Completed) => None,
            Some(_) if self.error_text.is_none() && self.error_text_contains.is_empty() => {
                Some("it states neither errorText nor errorTextContains, so the model could read anything")
            }
            Some(_) if self.error_type.is_none() => Some("it states no errorType"),
            Some(_) => None,
        }
    }
}

/// The outcomes that a program can have. The farm's own failure is never expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeName {
    /// It ran to its end.
    Completed,
    /// It failed while it ran.
    Failed,
    /// It never ran.
    Rejected,
}

impl OutcomeName {
    /// As an expect file writes it.
    pub fn id(self) -> &'static str {
        match self {
            OutcomeName::Completed => "completed",
            OutcomeName::Failed => "failed",
            OutcomeName::Rejected => "rejected",
        }
    }
}

/// A program of an earlier turn.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Earlier {
    /// The turn.
    pub turn: u32,
    /// Its source.
    pub source: String,
    /// How it failed; absent where it completed.
    #[serde(default)]
    pub error: Option<String>,
}

/// A turn that was closed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClosedTurn {
    /// The turn.
    pub turn: u32,
    /// What the model replied.
    pub reply: String,
    /// What it read then.
    pub shown: String,
    /// The views that it opened and that stand, of 10 tokens each. Default: none.
    #[serde(default)]
    pub views: Vec<StandingView>,
}

/// A view that stands when the program begins.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StandingView {
    /// What it shows.
    pub kind: ViewKind,
    /// Its path, label or name.
    pub selector: String,
    /// Which part.
    #[serde(default)]
    pub region: Option<String>,
}

/// A program that must have run after the reply's own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FollowerExpected {
    /// `rerun`, `skill NAME` or `memory NAME`.
    pub follows: String,
    /// How it ended.
    pub outcome: OutcomeName,
    /// The whole text that the model reads of its failure.
    #[serde(default)]
    pub error_text: Option<String>,
    /// Its whole log.
    #[serde(default)]
    pub log: Option<String>,
}

/// What an agent must keep after the turn: all of it, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct KeptExpected {
    /// Its tasks: `ID STATUS`, and where it waits, ` after ID, ID`.
    pub tasks: Vec<String>,
    /// Its memories: `NAME: DESCRIPTION`.
    pub memories: Vec<String>,
    /// The selectors of its open views.
    pub views: Vec<String>,
    /// The turns that it archived.
    pub archived: String,
    /// The skills that it read.
    pub skills: Vec<String>,
}

/// A view that the model must be shown.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ViewExpected {
    /// What it shows: `file`, `text`, `docs` or `search-results`.
    pub kind: String,
    /// Its path, label or name.
    pub selector: String,
    /// Which part it shows; absent where it shows all.
    #[serde(default)]
    pub region: Option<String>,
    /// The whole text.
    #[serde(default)]
    pub body: Option<String>,
    /// Parts of it.
    #[serde(default)]
    pub body_contains: Vec<String>,
}

/// How the session is to end.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum EndingExpected {
    /// It is not.
    None {},
    /// `session.finish`
    Finish {
        /// What was done.
        summary: String,
    },
    /// `session.approve`
    Approve {
        /// Why.
        summary: String,
    },
    /// `session.request_changes`
    RequestChanges {
        /// Which.
        items: Vec<String>,
    },
}

/// A file of the tree after the turn.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileExpected {
    /// Relative to the tree.
    pub path: String,
    /// What it holds; where absent, nothing may be there.
    #[serde(default)]
    pub contents: Option<String>,
}
