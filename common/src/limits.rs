//! Bounds on a program and a turn. Each is configurable, and the error that it causes names it.

use crate::config::Allowed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// How deep directories may nest at most. It bounds recursion (a level takes up to 12 KiB of stack in a debug build, and
/// threads have 2 MiB) and open descriptors (one a level).
pub const TREE_DEPTH: u64 = 128;

/// Bounds on one program and the turn that it runs in. The names are those that the errors use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Limits {
    /// CPU time of the program plus what it sleeps, in milliseconds; time inside gg calls is not counted. Default: 30,000.
    pub guest_time_ms: u64,
    /// Wall time of one program, gg calls included, in milliseconds. Default: 600,000.
    pub program_wall_ms: u64,
    /// Wall time of a turn with all its programs, in milliseconds. Default: 1,200,000.
    pub turn_wall_ms: u64,
    /// Linear memory of the program, in bytes. Default: 256 MiB.
    pub memory_bytes: u64,
    /// Stack of the program, in bytes: how deep its calls, and those of the interpreter that runs it, may nest. CPython
    /// needs the default for its own bounds on recursion to come first. Default: 8 MiB.
    pub wasm_stack_bytes: u64,
    /// Standard error that is kept, head and tail, in bytes. Default: 8 KiB.
    pub stderr_bytes: u64,
    /// The run's log of one program (standard output and log lines), in bytes; what exceeds it is counted and dropped.
    /// Default: 1 MiB.
    pub log_bytes: u64,
    /// What the tree may hold, in bytes. Default: 1 GiB.
    pub tree_bytes: u64,
    /// How many files, directories and links the tree may hold. Default: 100,000.
    pub tree_entries: u64,
    /// How deep the tree's directories may nest. Default: 128.
    pub tree_depth: u64,
    /// What the private temporary folder may hold, in bytes. Default: 64 MiB.
    pub temp_bytes: u64,
    /// How many entries the private temporary folder may hold. Default: 4,096.
    pub temp_entries: u64,
    /// The longest reply that is taken as a program, in bytes. Default: 1 MiB.
    pub reply_bytes: u64,
    /// What one view may hold, in bytes. Default: 65,536.
    pub view_bytes: u64,
    /// What the views of one turn may hold together, in bytes. Default: 8 MiB.
    pub views_turn_bytes: u64,
    /// What one read of a file gives at most, in bytes. Default: 4 MiB.
    pub read_bytes: u64,
    /// What one gg call may carry from the program, in bytes. Default: 16 MiB.
    pub call_bytes: u64,
    /// A shell command's time where the call states none, in seconds. Default: 120.
    pub shell_timeout_secs: u64,
    /// What is kept of a shell command's output, its tail, in bytes. Default: 16 KiB.
    pub shell_output_bytes: u64,
    /// Memory of a shell command's processes together, in bytes. Default: 1 GiB.
    pub shell_memory_bytes: u64,
    /// Processes and threads of a shell command at one time. Default: 256.
    pub shell_processes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            guest_time_ms: 30_000,
            program_wall_ms: 600_000,
            turn_wall_ms: 1_200_000,
            memory_bytes: 256 * MIB,
            wasm_stack_bytes: 8 * MIB,
            stderr_bytes: 8 * KIB,
            log_bytes: MIB,
            tree_bytes: 1024 * MIB,
            tree_entries: 100_000,
            tree_depth: TREE_DEPTH,
            temp_bytes: 64 * MIB,
            temp_entries: 4_096,
            reply_bytes: MIB,
            view_bytes: 65_536,
            views_turn_bytes: 8 * MIB,
            read_bytes: 4 * MIB,
            call_bytes: 16 * MIB,
            shell_timeout_secs: 120,
            shell_output_bytes: 16 * KIB,
            shell_memory_bytes: 1024 * MIB,
            shell_processes: 256,
        }
    }
}

/// A limit out of its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`limits.{name}` is {value}: it must be between {least} and {most}")]
pub struct LimitError {
    /// The limit's name, as a profile writes it.
    pub name: &'static str,
    /// What was given.
    pub value: u64,
    /// The smallest that works.
    pub least: u64,
    /// The largest that is allowed.
    pub most: u64,
}

/// A turn must end well before a broker takes its delivery back (30 minutes).
const LONGEST_TURN_MS: u64 = 25 * 60 * 1000;

impl Limits {
    /// What each limit may be.
    pub fn allowed() -> Vec<Allowed> {
        Limits::default().rows().into_iter().map(|(name, _, least, most)| Allowed { name, least, most }).collect()
    }

    /// Every limit that is out of its range.
    pub fn problems(&self) -> Vec<LimitError> {
        self.rows()
            .into_iter()
            .filter(|(_, value, least, most)| value < least || value > most)
            .map(|(name, value, least, most)| LimitError { name, value, least, most })
            .collect()
    }

    /// Each limit: its name, its value, the least and the most.
    fn rows(&self) -> Vec<(&'static str, u64, u64, u64)> {
        vec![
            ("guestTimeMs", self.guest_time_ms, 1, LONGEST_TURN_MS),
            ("programWallMs", self.program_wall_ms, 1, LONGEST_TURN_MS),
            ("turnWallMs", self.turn_wall_ms, 1, LONGEST_TURN_MS),
            // Below 64 MiB CPython's own image does not fit; above 4 GiB a 32-bit memory cannot grow.
            ("memoryBytes", self.memory_bytes, 16 * MIB, 4096 * MIB),
            // A guest does not start with less; more is address space that no honest program nests through.
            ("wasmStackBytes", self.wasm_stack_bytes, 256 * KIB, 64 * MIB),
            ("stderrBytes", self.stderr_bytes, 256, MIB),
            ("logBytes", self.log_bytes, KIB, 64 * MIB),
            ("treeBytes", self.tree_bytes, KIB, 1024 * 1024 * MIB),
            ("treeEntries", self.tree_entries, 1, 10_000_000),
            ("treeDepth", self.tree_depth, 1, TREE_DEPTH),
            ("tempBytes", self.temp_bytes, 64 * KIB, 4096 * MIB),
            ("tempEntries", self.temp_entries, 16, 1_000_000),
            ("replyBytes", self.reply_bytes, 1, 16 * MIB),
            ("viewBytes", self.view_bytes, 1, MIB),
            ("viewsTurnBytes", self.views_turn_bytes, 1, 64 * MIB),
            ("readBytes", self.read_bytes, KIB, 16 * MIB),
            ("callBytes", self.call_bytes, 64 * KIB, 64 * MIB),
            ("shellTimeoutSecs", self.shell_timeout_secs, 1, LONGEST_TURN_MS / 1000),
            ("shellOutputBytes", self.shell_output_bytes, 256, MIB),
            ("shellMemoryBytes", self.shell_memory_bytes, 16 * MIB, 1024 * 1024 * MIB),
            ("shellProcesses", self.shell_processes, 2, 100_000),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_in_range_and_a_limit_out_of_range_is_named() {
        assert_eq!(Limits::default().problems(), []);
        let limits = Limits { guest_time_ms: 0, turn_wall_ms: LONGEST_TURN_MS + 1, ..Limits::default() };
        let names: Vec<_> = limits.problems().iter().map(|p| p.name).collect();
        assert_eq!(names, ["guestTimeMs", "turnWallMs"]);
        assert_eq!(limits.problems()[0].to_string(), "`limits.guestTimeMs` is 0: it must be between 1 and 1500000");
    }

    #[test]
    fn every_limit_has_a_range() {
        let fields = serde_json::to_value(Limits::default()).expect("json").as_object().expect("object").len();
        let zero: Limits = serde_json::from_value(
            serde_json::to_value(Limits::default())
                .expect("json")
                .as_object()
                .expect("object")
                .keys()
                .map(|k| (k.clone(), serde_json::Value::from(0u64)))
                .collect(),
        )
        .expect("limits");
        assert_eq!(zero.problems().len(), fields, "a field without a row in `problems`");
    }
}
