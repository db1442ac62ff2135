//! What an agent is started from: its arm, what it may call, and its limits.

use crate::arm::Arm;
use crate::config::Allowed;
use crate::limits::Limits;
use crate::operation::{Binding, Operation, Role, Served, TABLE};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Something that a profile enables, and that buys one or more operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Capability {
    /// Read files, as data and as views.
    ReadFile,
    /// Write whole files.
    WriteFile,
    /// Replace one occurrence in a file.
    EditFile,
    /// List directories.
    ListDir,
    /// Search files by a regular expression.
    SearchFiles,
    /// Run commands in the tree.
    Shell,
    /// The board of epics and issues.
    ProjectManagement,
    /// The agent's own list of tasks.
    Tasks,
    /// What an agent keeps across turns.
    Memories,
    /// Close documentation views.
    DocviewClose,
    /// Evict, archive and search what the window holds.
    AgentManagedContext,
    /// Replace the transcript by a summary.
    Compaction,
    /// Start other agents and hear from them.
    Subagents,
    /// Hand over to another agent.
    Exec,
    /// Continue as two.
    Fork,
    /// Read skills.
    Skills,
    /// Read and run earlier programs.
    ProgramLibrary,
}

impl Capability {
    /// Every capability, in the order of the operations table.
    pub const ALL: [Capability; 17] = [
        Capability::ReadFile,
        Capability::WriteFile,
        Capability::EditFile,
        Capability::ListDir,
        Capability::SearchFiles,
        Capability::Shell,
        Capability::ProjectManagement,
        Capability::Tasks,
        Capability::Memories,
        Capability::DocviewClose,
        Capability::AgentManagedContext,
        Capability::Compaction,
        Capability::Subagents,
        Capability::Exec,
        Capability::Fork,
        Capability::Skills,
        Capability::ProgramLibrary,
    ];

    /// The identifier that a profile writes.
    pub fn id(self) -> String {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::String(id)) => id,
            _ => format!("{self:?}"),
        }
    }

    /// The operations that this capability buys.
    pub fn operations(self) -> impl Iterator<Item = Operation> {
        TABLE.iter().filter(move |row| row.binding == Binding::Capability(self)).map(|row| row.operation)
    }

    /// Whether this version serves at least one of its operations.
    pub fn is_served(self) -> bool {
        self.operations().any(|operation| operation.row().served != Served::NotYet)
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

/// How the tree is opened to the program's own file functions (WASI).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TreeAccess {
    /// There is no `/work`.
    None,
    /// `/work` can be read.
    ReadOnly,
    /// `/work` can be read and written.
    ReadWrite,
}

/// Which types a documentation view opens beside the call that it shows, one level deep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DocViewTypes {
    /// The types that the call returns.
    #[default]
    Return,
    /// The types that it returns or takes.
    ReturnAndParameters,
    /// None.
    Off,
}

/// Settings of the `shell` capability.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ShellSettings {
    /// Absolute paths that a command may read beside the system's own. Default: none.
    pub read_only_paths: Vec<String>,
    /// Whether a command may reach the network. Must be false in this version. Default: false.
    pub network: bool,
}

/// Settings of the `tasks` capability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TaskSettings {
    /// How many tasks there may be. Default: 100.
    pub max: u32,
}

impl Default for TaskSettings {
    fn default() -> Self {
        TaskSettings { max: 100 }
    }
}

/// How an agent remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryStrategy {
    /// The agent always reads all that it wrote. Calls: `write_memory`, `update_memory`, `delete_memory`.
    #[default]
    Scratchpad,
    /// The agent always reads an index of names and descriptions, and bodies on demand. Calls: `create_memory`,
    /// `read_memory`, `edit_memory`, `delete_memory`.
    Markdown,
    /// As `markdown`, and `search_memories` finds bodies by keywords.
    KeywordSearch,
}

impl MemoryStrategy {
    /// Whether a call of `memories` belongs to the strategy. It says nothing of other modules' calls.
    pub fn has(self, operation: Operation) -> bool {
        use Operation as O;
        match operation {
            O::MemoriesWriteMemory | O::MemoriesUpdateMemory => self == MemoryStrategy::Scratchpad,
            O::MemoriesCreateMemory | O::MemoriesReadMemory | O::MemoriesEditMemory => {
                self != MemoryStrategy::Scratchpad
            }
            O::MemoriesSearchMemories => self == MemoryStrategy::KeywordSearch,
            _ => true,
        }
    }

    /// As a profile writes it.
    pub fn id(self) -> &'static str {
        match self {
            MemoryStrategy::Scratchpad => "scratchpad",
            MemoryStrategy::Markdown => "markdown",
            MemoryStrategy::KeywordSearch => "keyword-search",
        }
    }
}

/// Settings of the `memories` capability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct MemorySettings {
    /// How the agent remembers. Default: `scratchpad`.
    pub strategy: MemoryStrategy,
    /// How many memories there may be. Default: 100.
    pub max: u32,
    /// What their bodies may hold together, in characters. Default: 65,536.
    pub max_chars: u64,
    /// What their index may hold, in characters; a scratchpad has none. Default: 16,384.
    pub max_index_chars: u64,
    /// The store that memories are taken from when a run starts and given to as its turns close: up to 64 small letters,
    /// digits, `-` and `_`. Default: none, they end with their run.
    pub store: Option<String>,
}

impl Default for MemorySettings {
    fn default() -> Self {
        MemorySettings {
            strategy: MemoryStrategy::default(),
            max: 100,
            max_chars: 65_536,
            max_index_chars: 16_384,
            store: None,
        }
    }
}

/// What the number of tasks and of memories may be set to, at most: the model always reads all of them, and a chain of
/// waiting tasks is followed by recursion.
const MOST_ITEMS: u32 = 1_000;
/// What memories may be set to hold, at most, in characters.
const MOST_MEMORY_CHARS: u64 = 16 * 1024 * 1024;

/// What a skill's name may have, in bytes: a memory's may have as many.
const MOST_NAME_BYTES: usize = 100;

fn is_store_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'))
}

/// A skill: a text that teaches the agent something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Skill {
    /// The name by which a program reads it.
    pub name: String,
    /// One sentence: when to read it.
    pub description: String,
    /// What a read gives: Markdown without front matter.
    pub body: String,
    /// A program in the agent's arm that runs after each program that read the skill. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_use: Option<String>,
    /// A module in the agent's arm that a read brings into scope for the programs that run after it. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// The named settings that an agent is started from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Profile {
    /// The language that the agent answers in.
    pub arm: Arm,
    /// What the agent may use. Default: none.
    #[serde(default)]
    pub capabilities: BTreeSet<Capability>,
    /// Narrows a capability to the calls listed (`module.key`). Default: all calls of each capability.
    #[serde(default)]
    pub grants: BTreeMap<Capability, BTreeSet<String>>,
    /// How the session is to end. Default: `standard`.
    #[serde(default)]
    pub role: Role,
    /// How `/work` is opened to the program's own file functions. Default: read-write with `write-file`, else
    /// read-only with `read-file`, else none.
    #[serde(default)]
    pub tree: Option<TreeAccess>,
    /// Which types a documentation view opens beside a call. Default: `return`.
    #[serde(default)]
    pub doc_view_types: DocViewTypes,
    /// Settings of `shell`.
    #[serde(default)]
    pub shell: ShellSettings,
    /// Settings of `tasks`.
    #[serde(default)]
    pub tasks: TaskSettings,
    /// Settings of `memories`.
    #[serde(default)]
    pub memories: MemorySettings,
    /// Skills that the agent can read. Default: none.
    #[serde(default)]
    pub skills: Vec<Skill>,
    /// Bounds on a program and a turn.
    #[serde(default)]
    pub limits: Limits,
}

/// Why a profile cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// Nothing serves the capability in this version.
    #[error(
        "the capability `{0}` is not served in this version, so every call of it would answer `unavailable`: remove it from `capabilities`"
    )]
    NotServed(Capability),
    /// `grants` names a capability that is not enabled.
    #[error("`grants` narrows `{0}`, which `capabilities` does not enable: add it there or remove the grant")]
    GrantWithoutCapability(Capability),
    /// `grants` lists something that the capability does not buy.
    #[error("`grants.{capability}` lists `{call}`, which is none of its calls: write one or more of {}", .choices.join(", "))]
    UnknownCall {
        /// The capability.
        capability: Capability,
        /// What was listed.
        call: String,
        /// What could have been.
        choices: Vec<String>,
    },
    /// A shell that reaches the network.
    #[error("`shell.network` is not served in this version: commands reach no network, so set it to false")]
    ShellNetwork,
    /// A path that is not absolute.
    #[error("`shell.readOnlyPaths` holds `{0}`, which is not absolute: write it from the root")]
    RelativePath(String),
    /// A setting that is out of its range.
    #[error("`{name}` is {value}: it must be between {least} and {most}")]
    Setting {
        /// The setting, as a profile writes it.
        name: &'static str,
        /// What was given.
        value: u64,
        /// The smallest that works.
        least: u64,
        /// The largest that is allowed.
        most: u64,
    },
    /// A store's name that cannot be a file's.
    #[error("`memories.store` is `{0}`: write up to 64 small letters, digits, `-` and `_`")]
    StoreName(String),
    /// A skill's source without a line in it.
    #[error("`{field}` of the skill `{skill}` is empty: write its source, or leave the field out")]
    BlankSource {
        /// The skill.
        skill: String,
        /// Which source.
        field: &'static str,
    },
    /// A skill's name that nobody could write.
    #[error("a skill is named `{}`: a name is a line of 1 to {MOST_NAME_BYTES} bytes", name.chars().take(40).collect::<String>().escape_debug())]
    SkillName {
        /// The name.
        name: String,
    },
    /// A skill's source that no program could be as long as.
    #[error(
        "`{field}` of the skill `{skill}` has {bytes} bytes, more than the {most} of `limits.replyBytes`: shorten it, or raise the limit"
    )]
    LongSource {
        /// The skill.
        skill: String,
        /// Which source.
        field: &'static str,
        /// How long it is.
        bytes: u64,
        /// How long it may be.
        most: u64,
    },
    /// Two skills of one name.
    #[error("two skills are named `{0}`: rename one")]
    DuplicateSkill(String),
    /// A limit out of its range.
    #[error(transparent)]
    Limit(#[from] crate::limits::LimitError),
}

impl ProfileError {
    /// The path of the field that it is about; the last step may be the text of an item.
    pub fn field(&self) -> Vec<String> {
        let path = |steps: &[&str]| steps.iter().map(|step| (*step).to_owned()).collect();
        match self {
            ProfileError::NotServed(capability) => path(&["capabilities", &capability.id()]),
            ProfileError::GrantWithoutCapability(capability) => path(&["grants", &capability.id()]),
            ProfileError::UnknownCall { capability, call, .. } => path(&["grants", &capability.id(), call]),
            ProfileError::ShellNetwork => path(&["shell", "network"]),
            ProfileError::RelativePath(item) => path(&["shell", "readOnlyPaths", item]),
            ProfileError::Setting { name, .. } => name.split('.').map(str::to_owned).collect(),
            ProfileError::StoreName(_) => path(&["memories", "store"]),
            ProfileError::BlankSource { .. }
            | ProfileError::SkillName { .. }
            | ProfileError::LongSource { .. }
            | ProfileError::DuplicateSkill(_) => path(&["skills"]),
            ProfileError::Limit(error) => path(&["limits", error.name]),
        }
    }
}

impl Profile {
    /// A profile of this arm with every capability that a worker serves.
    pub fn with_everything(arm: Arm) -> Profile {
        Profile {
            arm,
            capabilities: Capability::ALL.into_iter().filter(|c| c.is_served()).collect(),
            grants: BTreeMap::new(),
            role: Role::Standard,
            tree: None,
            doc_view_types: DocViewTypes::default(),
            shell: ShellSettings::default(),
            tasks: TaskSettings::default(),
            memories: MemorySettings::default(),
            skills: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// What each number of a capability's settings may be.
    pub fn allowed() -> Vec<Allowed> {
        let settings = Profile::with_everything(Arm::Python).settings();
        settings.into_iter().map(|(name, _, most)| Allowed { name, least: 1, most }).collect()
    }

    /// The numbers of the capabilities' settings: each with its value and the most.
    fn settings(&self) -> [(&'static str, u64, u64); 4] {
        [
            ("tasks.max", u64::from(self.tasks.max), u64::from(MOST_ITEMS)),
            ("memories.max", u64::from(self.memories.max), u64::from(MOST_ITEMS)),
            ("memories.maxChars", self.memories.max_chars, MOST_MEMORY_CHARS),
            ("memories.maxIndexChars", self.memories.max_index_chars, MOST_MEMORY_CHARS),
        ]
    }

    /// Everything that is wrong with the profile, in the order of its fields.
    pub fn problems(&self) -> Vec<ProfileError> {
        let mut problems = Vec::new();
        for capability in &self.capabilities {
            if !capability.is_served() {
                problems.push(ProfileError::NotServed(*capability));
            }
        }
        for (capability, calls) in &self.grants {
            if !self.capabilities.contains(capability) {
                problems.push(ProfileError::GrantWithoutCapability(*capability));
            }
            let choices: Vec<String> = capability.operations().map(|o| o.id().to_owned()).collect();
            for call in calls.iter().filter(|call| !choices.contains(call)) {
                problems.push(ProfileError::UnknownCall {
                    capability: *capability,
                    call: call.clone(),
                    choices: choices.clone(),
                });
            }
        }
        if self.shell.network {
            problems.push(ProfileError::ShellNetwork);
        }
        for path in self.shell.read_only_paths.iter().filter(|p| !p.starts_with('/')) {
            problems.push(ProfileError::RelativePath(path.clone()));
        }
        let outside = |(_, value, most): &(_, u64, u64)| !(1..=*most).contains(value);
        for (name, value, most) in self.settings().into_iter().filter(outside) {
            problems.push(ProfileError::Setting { name, value, least: 1, most });
        }
        if let Some(store) = self.memories.store.as_ref().filter(|store| !is_store_name(store)) {
            problems.push(ProfileError::StoreName(store.clone()));
        }
        let mut names = BTreeSet::new();
        for skill in &self.skills {
            let name = &skill.name;
            if name.trim().is_empty() || name.len() > MOST_NAME_BYTES || name.contains(char::is_control) {
                problems.push(ProfileError::SkillName { name: name.clone() });
            }
            for (field, source) in [("onUse", &skill.on_use), ("code", &skill.code)] {
                let Some(source) = source else { continue };
                let (bytes, most) = (source.len() as u64, self.limits.reply_bytes);
                if source.trim().is_empty() {
                    problems.push(ProfileError::BlankSource { skill: name.clone(), field });
                } else if bytes > most {
                    problems.push(ProfileError::LongSource { skill: name.clone(), field, bytes, most });
                }
            }
            if !names.insert(&skill.name) {
                problems.push(ProfileError::DuplicateSkill(skill.name.clone()));
            }
        }
        problems.extend(self.limits.problems().into_iter().map(ProfileError::from));
        problems
    }

    /// Whether the agent may make this call. The one predicate: the host refuses by it, and documentation hides by it.
    pub fn grants_call(&self, operation: Operation) -> bool {
        let row = operation.row();
        if row.served == Served::NotYet {
            return false;
        }
        match row.binding {
            Binding::Always => true,
            Binding::Machine => false,
            Binding::Ending(role) => role == self.role,
            Binding::Capability(capability) => {
                self.capabilities.contains(&capability)
                    && self.memories.strategy.has(operation)
                    && self.grants.get(&capability).is_none_or(|calls| calls.contains(operation.id()))
            }
        }
    }

    /// How `/work` is opened to the program's own file functions.
    pub fn tree_access(&self) -> TreeAccess {
        self.tree.unwrap_or(if self.capabilities.contains(&Capability::WriteFile) {
            TreeAccess::ReadWrite
        } else if self.capabilities.contains(&Capability::ReadFile) {
            TreeAccess::ReadOnly
        } else {
            TreeAccess::None
        })
    }
}

#[cfg(test)]
mod tests;
