//! The operations table: what a program can ask of its host, and what buys each call. The vocabulary lives here and, as
//! a contract, in `packages/wit/gg.wit`; a test holds the two equal in both directions.

use crate::profile::Capability;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How an agent's session is to end, which decides the endings that it is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Does the work and finishes.
    #[default]
    Standard,
    /// Judges somebody's work: approves it or asks for changes.
    Review,
}

/// What buys an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// The profile enables the capability and, where it lists calls, lists this one.
    Capability(Capability),
    /// The agent was dispatched in this role.
    Ending(Role),
    /// The agent lives in a state machine that has somewhere to go.
    Machine,
    /// Every agent has it.
    Always,
}

/// Where an operation is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// On the worker, against the agent's home.
    Worker,
    /// By the coordinator, over a call and reply.
    Coordinator,
    /// Not in this version: the call answers `unavailable`.
    NotYet,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The operation.
    pub operation: Operation,
    /// The module's name, in snake case.
    pub module: &'static str,
    /// The name within the module, in snake case.
    pub key: &'static str,
    /// What buys it.
    pub binding: Binding,
    /// Who serves it.
    pub served: Served,
}

macro_rules! operations {
    ($($variant:ident $module:literal . $key:literal $binding:expr, $served:ident;)*) => {
        /// An operation: a function that the host offers to programs. The order is the table's and the frames' numbering.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Operation {
            $(#[doc = concat!("`", $module, ".", $key, "`")] $variant,)*
        }
        /// The whole table, in the order of [`Operation`].
        pub const TABLE: &[Row] = &[
            $(Row { operation: Operation::$variant, module: $module, key: $key, binding: $binding, served: Served::$served },)*
        ];
        impl Operation {
            /// The identity, `module.key`.
            pub const fn id(self) -> &'static str {
                match self { $(Operation::$variant => concat!($module, ".", $key),)* }
            }
        }
    };
}

use Binding::{Always, Capability as Cap, Ending, Machine};
use Capability as C;

operations! {
    FilesReadFile "files"."read_file" Cap(C::ReadFile), Worker;
    FilesReadTextFile "files"."read_text_file" Cap(C::ReadFile), Worker;
    FilesWriteFile "files"."write_file" Cap(C::WriteFile), Worker;
    FilesEditFile "files"."edit_file" Cap(C::EditFile), Worker;
    FilesListDir "files"."list_dir" Cap(C::ListDir), Worker;
    FilesSearch "files"."search" Cap(C::SearchFiles), Worker;
    ShellShell "shell"."shell" Cap(C::Shell), Worker;
    BoardCreateEpic "board"."create_epic" Cap(C::ProjectManagement), NotYet;
    BoardCreateIssue "board"."create_issue" Cap(C::ProjectManagement), NotYet;
    BoardUpdateIssue "board"."update_issue" Cap(C::ProjectManagement), NotYet;
    BoardSetIssueBlockedBy "board"."set_issue_blocked_by" Cap(C::ProjectManagement), NotYet;
    BoardRemoveEpic "board"."remove_epic" Cap(C::ProjectManagement), NotYet;
    BoardRemoveIssue "board"."remove_issue" Cap(C::ProjectManagement), NotYet;
    BoardWaitForIssue "board"."wait_for_issue" Cap(C::ProjectManagement), NotYet;
    TasksAddTask "tasks"."add_task" Cap(C::Tasks), Worker;
    TasksUpdateTask "tasks"."update_task" Cap(C::Tasks), Worker;
    TasksSetBlockedBy "tasks"."set_blocked_by" Cap(C::Tasks), Worker;
    TasksCompleteTask "tasks"."complete_task" Cap(C::Tasks), Worker;
    TasksRemoveTask "tasks"."remove_task" Cap(C::Tasks), Worker;
    MemoriesWriteMemory "memories"."write_memory" Cap(C::Memories), Worker;
    MemoriesUpdateMemory "memories"."update_memory" Cap(C::Memories), Worker;
    MemoriesCreateMemory "memories"."create_memory" Cap(C::Memories), Worker;
    MemoriesReadMemory "memories"."read_memory" Cap(C::Memories), Worker;
    MemoriesEditMemory "memories"."edit_memory" Cap(C::Memories), Worker;
    MemoriesSearchMemories "memories"."search_memories" Cap(C::Memories), Worker;
    MemoriesDeleteMemory "memories"."delete_memory" Cap(C::Memories), Worker;
    DocsSearch "docs"."search" Always, Worker;
    DocsClose "docs"."close" Cap(C::DocviewClose), Worker;
    DocsCloseAll "docs"."close_all" Cap(C::DocviewClose), Worker;
    ViewsOpenFile "views"."open_file" Cap(C::ReadFile), Worker;
    ViewsOpenText "views"."open_text" Always, Worker;
    ViewsOpenDocsView "views"."open_docs_view" Always, Worker;
    ViewsClose "views"."close" Cap(C::AgentManagedContext), Worker;
    ViewsCurrent "views"."current" Cap(C::AgentManagedContext), Worker;
    ContextEvictFileView "context"."evict_file_view" Cap(C::AgentManagedContext), Worker;
    ContextArchiveThread "context"."archive_thread" Cap(C::AgentManagedContext), Worker;
    ContextSearchArchive "context"."search_archive" Cap(C::AgentManagedContext), Worker;
    ContextCompact "context"."compact" Cap(C::Compaction), NotYet;
    DelegationSpawnSubagent "delegation"."spawn_subagent" Cap(C::Subagents), NotYet;
    DelegationWaitForSubagents "delegation"."wait_for_subagents" Cap(C::Subagents), NotYet;
    DelegationSendMessage "delegation"."send_message" Cap(C::Subagents), NotYet;
    DelegationTransitionState "delegation"."transition_state" Machine, NotYet;
    DelegationExec "delegation"."exec" Cap(C::Exec), NotYet;
    DelegationFork "delegation"."fork" Cap(C::Fork), NotYet;
    SkillsReadSkill "skills"."read_skill" Cap(C::Skills), Worker;
    ProgramsHistory "programs"."history" Cap(C::ProgramLibrary), Worker;
    ProgramsGet "programs"."get" Cap(C::ProgramLibrary), Worker;
    ProgramsRerun "programs"."rerun" Cap(C::ProgramLibrary), Worker;
    SessionFinish "session"."finish" Ending(Role::Standard), Worker;
    SessionApprove "session"."approve" Ending(Role::Review), Worker;
    SessionRequestChanges "session"."request_changes" Ending(Role::Review), Worker;
}

impl Operation {
    /// The row of this operation.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The operation of this number in the frames, if there is one.
    pub fn from_number(number: u8) -> Option<Operation> {
        TABLE.get(usize::from(number)).map(|row| row.operation)
    }

    /// The operation of this identity, if there is one.
    pub fn from_id(id: &str) -> Option<Operation> {
        TABLE.iter().map(|row| row.operation).find(|operation| operation.id() == id)
    }

    /// Whether the operation is served when the run's wall clock is spent: only what ends or explains a turn is.
    pub fn served_after_wall_clock(self) -> bool {
        self != Operation::ViewsOpenFile && matches!(self.row().module, "views" | "docs" | "session" | "programs")
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use wit_parser::{Resolve, WorldItem};

    /// `module.key` of every function of the world `guest`, and the modules that declare none.
    fn functions_of_the_wit() -> (BTreeSet<String>, BTreeSet<String>) {
        let mut resolve = Resolve::default();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../packages/wit/gg.wit");
        let package = resolve.push_file(path).expect("gg.wit parses");
        let mut worlds = vec![];
        for name in ["guest", "program"] {
            let world = resolve.select_world(&[package], Some(name)).expect("the world is there");
            let mut functions = BTreeSet::new();
            let mut empty = BTreeSet::new();
            for item in resolve.worlds[world].imports.values() {
                let WorldItem::Interface { id, .. } = item else { continue };
                let interface = &resolve.interfaces[*id];
                let module = interface.name.clone().expect("named").replace('-', "_");
                if interface.functions.is_empty() {
                    empty.insert(module.clone());
                }
                functions.extend(interface.functions.keys().map(|f| format!("{module}.{}", f.replace('-', "_"))));
            }
            worlds.push((functions, empty));
        }
        assert_eq!(worlds[0], worlds[1], "the two worlds share the interfaces");
        worlds.swap_remove(0)
    }

    #[test]
    fn the_wit_and_the_table_are_equal_in_both_directions() {
        let (functions, empty) = functions_of_the_wit();
        let calls: BTreeSet<String> = functions.into_iter().filter(|f| !f.starts_with("feedback.")).collect();
        let table: BTreeSet<String> = TABLE.iter().map(|row| format!("{}.{}", row.module, row.key)).collect();
        assert_eq!(calls, table);
        assert_eq!(empty, BTreeSet::from(["core".to_owned()]), "only core declares no function");
    }

    #[test]
    fn the_table_has_fifty_one_operations_in_twelve_modules_in_the_order_of_the_enum() {
        assert_eq!(TABLE.len(), 51);
        assert_eq!(TABLE.iter().map(|row| row.module).collect::<BTreeSet<_>>().len(), 12);
        for (number, row) in TABLE.iter().enumerate() {
            assert_eq!(row.operation as usize, number);
            assert_eq!(Operation::from_number(number as u8), Some(row.operation));
            assert_eq!(Operation::from_id(row.operation.id()), Some(row.operation));
        }
    }

    #[test]
    fn only_what_ends_or_explains_a_turn_outlives_the_wall_clock() {
        assert!(Operation::ViewsOpenText.served_after_wall_clock());
        assert!(Operation::SessionFinish.served_after_wall_clock());
        assert!(!Operation::ViewsOpenFile.served_after_wall_clock());
        assert!(!Operation::FilesReadFile.served_after_wall_clock());
        assert!(!Operation::ShellShell.served_after_wall_clock());
    }
}
