//! What an agent is started from: its arm, what it may call, and its limits.

use crate::arm::Arm;
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
    /// Whether a command may reach the network. Must be false in this version.
    pub network: bool,
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
    /// Skills that the agent can read.
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
    /// Two skills of one name.
    #[error("two skills are named `{0}`: rename one")]
    DuplicateSkill(String),
    /// A limit out of its range.
    #[error(transparent)]
    Limit(#[from] crate::limits::LimitError),
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
            skills: Vec::new(),
            limits: Limits::default(),
        }
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
        let mut names = BTreeSet::new();
        for skill in &self.skills {
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
mod tests {
    use super::*;

    fn python(capabilities: &[Capability]) -> Profile {
        Profile { capabilities: capabilities.iter().copied().collect(), ..Profile::with_everything(Arm::Python) }
    }

    #[test]
    fn a_capability_that_nothing_serves_is_refused_with_a_sentence() {
        let problems = python(&[Capability::Tasks, Capability::Fork]).problems();
        assert_eq!(problems, [ProfileError::NotServed(Capability::Tasks), ProfileError::NotServed(Capability::Fork)]);
        assert!(problems[0].to_string().contains("`tasks` is not served in this version"));
        assert_eq!(Profile::with_everything(Arm::Python).problems(), []);
    }

    #[test]
    fn a_call_is_granted_by_its_binding_alone() {
        let mut profile = python(&[Capability::ReadFile, Capability::ProgramLibrary]);
        assert!(profile.grants_call(Operation::FilesReadFile));
        assert!(profile.grants_call(Operation::ViewsOpenFile));
        assert!(profile.grants_call(Operation::ViewsOpenText));
        assert!(profile.grants_call(Operation::SessionFinish));
        assert!(!profile.grants_call(Operation::FilesWriteFile), "its capability is off");
        assert!(!profile.grants_call(Operation::SessionApprove), "another role's");
        assert!(!profile.grants_call(Operation::DelegationTransitionState), "no machine");
        assert!(!profile.grants_call(Operation::ProgramsRerun), "not served in this version");
        profile.grants.insert(Capability::ReadFile, BTreeSet::from(["files.read_text_file".to_owned()]));
        assert!(profile.grants_call(Operation::FilesReadTextFile));
        assert!(!profile.grants_call(Operation::FilesReadFile), "the grant lists others");
        assert_eq!(profile.problems(), []);
    }

    #[test]
    fn a_grant_must_name_an_enabled_capability_and_one_of_its_calls() {
        let mut profile = python(&[Capability::ReadFile]);
        profile.grants.insert(Capability::ReadFile, BTreeSet::from(["files.write_file".to_owned()]));
        profile.grants.insert(Capability::Shell, BTreeSet::new());
        let problems = profile.problems();
        assert!(matches!(&problems[0], ProfileError::UnknownCall { call, .. } if call == "files.write_file"));
        assert_eq!(problems[1], ProfileError::GrantWithoutCapability(Capability::Shell));
    }

    #[test]
    fn the_tree_follows_reading_and_writing_unless_set_apart() {
        assert_eq!(python(&[]).tree_access(), TreeAccess::None);
        assert_eq!(python(&[Capability::ReadFile]).tree_access(), TreeAccess::ReadOnly);
        let mut profile = python(&[Capability::WriteFile]);
        assert_eq!(profile.tree_access(), TreeAccess::ReadWrite);
        profile.tree = Some(TreeAccess::None);
        assert_eq!(profile.tree_access(), TreeAccess::None);
    }

    #[test]
    fn unknown_fields_and_a_networked_shell_are_refused() {
        let error = serde_json::from_str::<Profile>(r#"{"arm":"python","capabilites":[]}"#).expect_err("misspelt");
        assert!(error.to_string().contains("capabilites"));
        let mut profile = python(&[Capability::Shell]);
        profile.shell = ShellSettings { read_only_paths: vec!["opt".into()], network: true };
        assert_eq!(profile.problems(), [ProfileError::ShellNetwork, ProfileError::RelativePath("opt".into())]);
    }
}
