//! What the templates may name.

use gg_common::arm::Arm;
use gg_common::catalogue::{Catalogue, EntryKind};
use gg_common::ceilings::Ceilings;
use gg_common::operation::{Operation, Role, TABLE};
use gg_common::profile::{Profile, TreeAccess};
use serde::Serialize;
use std::collections::BTreeMap;

/// An operation's name within `call` and `offers`.
fn variable(operation: Operation) -> String {
    operation.id().replace('.', "_")
}

/// What the prompts know of an agent: made once, from its profile and its arm's catalogue.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// Its arm.
    pub arm: Arm,
    /// How its arm spells each call that it is granted.
    pub(super) call: BTreeMap<String, String>,
    /// Which calls it is granted, of all.
    pub(super) offers: BTreeMap<String, bool>,
    /// How it reaches its files.
    pub(super) tree: Tree,
    modules: Vec<ModuleLine>,
    skills: Vec<SkillLine>,
    role: RoleFlags,
    limits: LimitTexts,
    ceilings: CeilingTexts,
    /// How its arm spells every call, granted or not: for what a program named itself.
    #[serde(skip)]
    spellings: BTreeMap<String, String>,
}

impl Agent {
    /// What the prompts know of an agent of this profile.
    pub fn new(profile: &Profile, ceilings: &Ceilings, catalogue: &Catalogue) -> Agent {
        let granted = |operation: &Operation| profile.grants_call(*operation);
        let operations = || TABLE.iter().map(|row| row.operation);
        Agent {
            arm: profile.arm,
            call: operations()
                .filter(granted)
                .map(|operation| (variable(operation), catalogue.spelling(operation).to_owned()))
                .collect(),
            offers: operations().map(|operation| (variable(operation), granted(&operation))).collect(),
            tree: Tree::of(profile),
            modules: modules(profile, catalogue),
            skills: if operations().any(|o| o == Operation::SkillsReadSkill && granted(&o)) {
                let line = |skill: &gg_common::profile::Skill| SkillLine {
                    name: skill.name.clone(),
                    description: skill.description.clone(),
                    code: skill.code.is_some(),
                };
                profile.skills.iter().map(line).collect()
            } else {
                Vec::new()
            },
            role: RoleFlags { standard: profile.role == Role::Standard, review: profile.role == Role::Review },
            limits: LimitTexts::of(profile),
            ceilings: CeilingTexts::of(ceilings),
            spellings: operations()
                .map(|operation| (operation.id().to_owned(), catalogue.spelling(operation).to_owned()))
                .collect(),
        }
    }

    /// How the agent's arm spells an operation that a program called.
    pub fn spelling(&self, operation: &str) -> String {
        self.spellings.get(operation).cloned().unwrap_or_else(|| operation.to_owned())
    }
}

/// One module that the agent is offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModuleLine {
    /// The line that brings it into scope.
    pub import: String,
    /// What it is for.
    pub summary: String,
    /// Its calls that the agent is granted, by their bare names; none for a module of types.
    pub calls: Vec<String>,
}

/// The modules with at least one granted call, and those that hold types only, in the catalogue's order.
fn modules(profile: &Profile, catalogue: &Catalogue) -> Vec<ModuleLine> {
    let mut lines = Vec::new();
    for module in &catalogue.modules {
        let calls = |granted_only: bool| {
            catalogue.entries.iter().filter(move |entry| {
                entry.kind == EntryKind::Operation
                    && entry.module == module.name
                    && (!granted_only
                        || entry
                            .operation
                            .as_deref()
                            .and_then(Operation::from_id)
                            .is_some_and(|operation| profile.grants_call(operation)))
            })
        };
        let granted: Vec<String> = calls(true).map(|entry| entry.name.clone()).collect();
        if !granted.is_empty() || calls(false).next().is_none() {
            lines.push(ModuleLine { import: module.import.clone(), summary: module.summary.clone(), calls: granted });
        }
    }
    lines
}

#[derive(Debug, Clone, Serialize)]
struct SkillLine {
    name: String,
    description: String,
    /// Whether a read brings a code module into scope.
    code: bool,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tree {
    exists: bool,
    read_only: bool,
    read_write: bool,
}

impl Tree {
    fn of(profile: &Profile) -> Tree {
        let access = profile.tree_access();
        // Whether the language has file functions of its own.
        let own_files = match profile.arm {
            Arm::Javascript | Arm::Typescript => false,
            Arm::Python | Arm::Rust => true,
        };
        let reaches_files =
            TABLE.iter().any(|row| matches!(row.module, "files" | "shell") && profile.grants_call(row.operation));
        Tree {
            exists: access != TreeAccess::None || reaches_files,
            read_only: own_files && access == TreeAccess::ReadOnly,
            read_write: own_files && access == TreeAccess::ReadWrite,
        }
    }
}

#[derive(Debug, Clone, Serialize)]
struct RoleFlags {
    standard: bool,
    review: bool,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct LimitTexts {
    guest_time: String,
    program_wall: String,
    memory: String,
    view: String,
    views_turn: String,
}

impl LimitTexts {
    fn of(profile: &Profile) -> LimitTexts {
        let limits = &profile.limits;
        LimitTexts {
            guest_time: duration(limits.guest_time_ms),
            program_wall: duration(limits.program_wall_ms),
            memory: size(limits.memory_bytes),
            view: size(limits.view_bytes),
            views_turn: size(limits.views_turn_bytes),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct CeilingTexts {
    turns: u64,
    consecutive_error_turns: u64,
    error_turns: u64,
    wall_clock: String,
}

impl CeilingTexts {
    fn of(ceilings: &Ceilings) -> CeilingTexts {
        CeilingTexts {
            turns: ceilings.turns,
            consecutive_error_turns: ceilings.consecutive_error_turns,
            error_turns: ceilings.error_turns,
            wall_clock: duration(ceilings.wall_clock_secs.saturating_mul(1_000)),
        }
    }
}

/// A duration in the largest unit that states it exactly.
pub(crate) fn duration(ms: u64) -> String {
    let (count, unit) = match ms {
        ms if ms >= 120_000 && ms.is_multiple_of(60_000) => (ms / 60_000, "minute"),
        ms if ms >= 1_000 && ms.is_multiple_of(1_000) => (ms / 1_000, "second"),
        ms => (ms, "millisecond"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// A size in the largest unit that states it exactly.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        bytes if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        bytes if bytes >= 1 << 10 && bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} bytes"),
    }
}

/// What `system-code.hbs` and the segments may name.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SystemContext<'a> {
    language: &'static str,
    program_name: &'static str,
    checker: Option<&'static str>,
    pub(super) segment: String,
    call: &'a BTreeMap<String, String>,
    offers: &'a BTreeMap<String, bool>,
    tree: &'a Tree,
    modules: &'a [ModuleLine],
    skills: &'a [SkillLine],
    /// Whether code comes with a skill.
    skill_code: bool,
    role: &'a RoleFlags,
    limits: &'a LimitTexts,
    ceilings: &'a CeilingTexts,
}

impl SystemContext<'_> {
    pub(super) fn of<'a>(agent: &'a Agent, checker: Option<&'static str>) -> SystemContext<'a> {
        SystemContext {
            language: agent.arm.display_name(),
            program_name: agent.arm.program_name(),
            checker,
            segment: String::new(),
            call: &agent.call,
            offers: &agent.offers,
            tree: &agent.tree,
            modules: &agent.modules,
            skills: &agent.skills,
            skill_code: agent.skills.iter().any(|skill| skill.code),
            role: &agent.role,
            limits: &agent.limits,
            ceilings: &agent.ceilings,
        }
    }
}

/// What `task.hbs` may name.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskContext<'a> {
    pub(super) task: &'a str,
    pub(super) has_files: bool,
    pub(super) tree: &'a Tree,
}

/// What `code-nothing-shown.hbs` may name.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NothingShownContext<'a> {
    pub(super) printer: &'static str,
    pub(super) call: &'a BTreeMap<String, String>,
    pub(super) offers: &'a BTreeMap<String, bool>,
}

/// Why a turn was an error turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Band {
    /// What kind of error, and whose.
    pub heading: String,
    /// The error, verbatim.
    pub text: String,
}

/// A view as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenView {
    /// What it shows, in a word.
    pub kind: &'static str,
    /// A path, a label or a name.
    pub selector: String,
    /// Which part.
    pub region: Option<String>,
    /// The text.
    pub body: String,
}

/// A view or a skill that a later turn opened again or closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Moved {
    /// What stood there.
    pub what: &'static str,
    /// A path, a label or a name.
    pub selector: String,
    /// Which part.
    pub region: Option<String>,
    /// The turn that did so.
    pub turn: u32,
    /// Whether it was closed, and stands nowhere.
    pub closed: bool,
}

/// A skill that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PinnedSkill {
    /// Its name.
    pub name: String,
    /// Its text.
    pub body: String,
}

/// What `turn.hbs` may name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnContext {
    /// Why it was an error turn, if it was one.
    pub band: Option<Band>,
    /// The errors of its on-use scripts.
    pub scripts: Vec<Band>,
    /// What the turn opened and no later turn opened again, in the order of the first opening.
    pub views: Vec<OpenView>,
    /// What the turn opened and a later turn opened again or closed.
    pub moved: Vec<Moved>,
    /// Skills that the turn read.
    pub skills: Vec<PinnedSkill>,
    /// The notice that there is nothing to read.
    pub nothing_shown: Option<String>,
    /// Calls that were refused, as the arm spells them.
    pub refused: Vec<String>,
    /// What the agent should know of its ceilings.
    pub notices: Vec<String>,
}

/// A task as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptTask {
    /// Its id.
    pub id: String,
    /// What is to be done.
    pub title: String,
    /// How far it is, in words.
    pub status: &'static str,
    /// The tasks that are to be done first and are not done.
    pub waits_for: Vec<String>,
    /// More about it.
    pub description: Option<String>,
}

/// A memory as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptMemory {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// Its body, where it is shown whole.
    pub body: Option<String>,
}

/// What an agent keeps, as it stands at the end of what the model reads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    /// Its tasks.
    pub tasks: Vec<KeptTask>,
    /// Its memories.
    pub memories: Vec<KeptMemory>,
    /// Whether memories are shown with their bodies.
    pub is_whole: bool,
    /// The turns that were archived; empty where none was.
    pub archived: String,
}

/// What `kept.hbs` may name.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct KeptContext<'a> {
    pub(super) tasks: &'a [KeptTask],
    pub(super) memories: &'a [KeptMemory],
    pub(super) is_whole: bool,
    pub(super) archived: &'a str,
    pub(super) call: &'a BTreeMap<String, String>,
    pub(super) offers: &'a BTreeMap<String, bool>,
}
