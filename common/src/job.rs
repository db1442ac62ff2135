//! What travels between coordinator and worker: a turn and its result.

use crate::arm::Arm;
use crate::content::ContentKey;
use crate::operation::Operation;
use crate::outcome::Outcome;
use crate::profile::Profile;
use crate::state::{Carried, LoadedModule, Memory, Task, TurnRanges, ViewKey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Bodies longer than this travel as objects, in bytes.
pub const INLINE_BYTES: usize = 64 * 1024;

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(pub String);
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}
names! {
    /// A run: one session to its end.
    RunId
    /// An agent within a run.
    AgentId
    /// A worker.
    WorkerId
}

/// A text that travels with its carrier or, where it is long, as an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Body {
    /// The text itself.
    Inline(String),
    /// The object that holds it.
    Object {
        /// Its key.
        key: ContentKey,
        /// Its length in bytes.
        bytes: u64,
    },
}

/// A W3C trace context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceContext {
    /// `traceparent`.
    pub traceparent: String,
    /// `tracestate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracestate: Option<String>,
}

/// One turn: a program to prepare and run against an agent's home.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnJob {
    /// [`crate::FORMAT_VERSION`] of this form.
    pub version: u32,
    /// The run.
    pub run: RunId,
    /// The agent.
    pub agent: AgentId,
    /// Raised whenever the agent is placed anew; a result of an older one is dropped.
    pub epoch: u64,
    /// From 1.
    pub turn: u32,
    /// The program, byte for byte.
    pub source: Body,
    /// What the agent was started from.
    pub profile: Profile,
    /// The tree that the turn starts from; none is an empty tree.
    pub tree: Option<ContentKey>,
    /// What the agent keeps between its turns.
    pub state: Carried,
    /// The queue that the result goes to.
    pub reply_to: String,
    /// What is left of the run's wall clock when the job is published, in milliseconds; none is unbounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_left_ms: Option<u64>,
    /// The span that the turn belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceContext>,
}

impl TurnJob {
    /// The arm that runs it.
    pub fn arm(&self) -> Arm {
        self.profile.arm
    }
}

/// What a view shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ViewKind {
    /// A window of a file.
    File,
    /// A text of the program's own.
    Text,
    /// Documentation.
    Docs,
    /// Hits of a documentation search.
    SearchResults,
}

/// Something that the model is to read. A view replaces its predecessor of the same kind, selector and region.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct View {
    /// What it shows.
    pub kind: ViewKind,
    /// A path, a label or a name.
    pub selector: String,
    /// Which part, where it is a part: `lines 10-20`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The text.
    pub body: Body,
    /// Its tokens, by the shared estimator.
    pub tokens: u32,
}

/// Something that a call did to the agent's state. They are applied in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Effect {
    /// A view was opened.
    ViewOpened {
        /// The view.
        view: View,
    },
    /// A view was closed. What this turn opened and closed again leaves no other trace.
    ViewClosed {
        /// Which.
        view: ViewKey,
    },
    /// Turns left the window for the archive. The views and skills that stand in them move to the turn that archived them.
    ThreadArchived {
        /// Those that had not left it before.
        turns: TurnRanges,
    },
    /// A task was added or changed.
    TaskWritten {
        /// As it is now.
        task: Task,
    },
    /// A task was removed; what waited for it waits no longer.
    TaskRemoved {
        /// Its id.
        id: String,
    },
    /// A memory was made or changed.
    MemoryWritten {
        /// As it is now.
        memory: Memory,
    },
    /// A memory was deleted.
    MemoryDeleted {
        /// Its name.
        name: String,
    },
    /// A skill was read, so it stays in the window.
    SkillPinned {
        /// Its name.
        name: String,
    },
    /// A code module was brought into scope, or another version of it in its place.
    ModuleLoaded {
        /// As it is now.
        module: LoadedModule,
    },
    /// The session is to end: the work is done.
    Finish {
        /// What was done.
        summary: String,
    },
    /// The session is to end: the work is good.
    Approve {
        /// Why.
        summary: String,
    },
    /// The session is to end: the work needs changes.
    RequestChanges {
        /// Which.
        items: Vec<String>,
    },
}

impl Effect {
    /// Whether it ends the session.
    pub fn is_ending(&self) -> bool {
        matches!(self, Effect::Finish { .. } | Effect::Approve { .. } | Effect::RequestChanges { .. })
    }
}

/// One call that a program made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallRecord {
    /// `module.operation`.
    pub operation: String,
    /// How often, in a row.
    pub count: u32,
    /// How many of them failed, by error code.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub errors: std::collections::BTreeMap<String, u32>,
    /// What serving them took together, in microseconds.
    pub micros: u64,
}

impl CallRecord {
    /// A record of one operation's calls, of which there are none yet.
    pub fn of(operation: Operation) -> CallRecord {
        CallRecord { operation: operation.id().to_owned(), count: 0, errors: Default::default(), micros: 0 }
    }
}

/// What a turn's time went to, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Timings {
    /// The program's execution without the time that it was parked in gg calls.
    pub duration_ms: f64,
    /// Getting the component ready in the engine.
    pub compile_wait_ms: f64,
    /// Everything that the turn made a compiler do; absent where nothing compiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compile_ms: Option<f64>,
    /// CPU time of the compilers; absent where nothing compiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compile_cpu_ms: Option<f64>,
    /// Waiting for a warm compiler, which is not in `compileMs`; absent where nothing compiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compile_pool_wait_ms: Option<f64>,
    /// Compiles by a compiler that had compiled before; absent where nothing compiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiles_warm: Option<u32>,
    /// Compiles by a process of their own, or the first of one that lives on; absent where nothing compiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiles_cold: Option<u32>,
    /// Builds of code modules that were fetched and not made: the fetch is in `compileMs`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub modules_fetched: u32,
    /// What making the fetched builds had cost where they were made.
    #[serde(default, skip_serializing_if = "is_none_spent")]
    pub modules_fetched_cost_ms: f64,
    /// Restoring the tree where the home was new.
    pub restore_ms: f64,
    /// Scanning and storing the tree.
    pub snapshot_ms: f64,
    /// Serving the program's calls.
    pub calls_ms: f64,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn is_none_spent(ms: &f64) -> bool {
    *ms == 0.0
}

/// Why a program ran after the reply's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Follows {
    /// A program handed over to it by `programs.rerun`: it ran in that one's place.
    Rerun,
    /// It is the on-use script of a skill that a program read.
    Skill {
        /// The skill.
        name: String,
    },
    /// It is the on-use script of a memory that a program read.
    Memory {
        /// The memory.
        name: String,
    },
}

/// A program that ran in a turn after the reply's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProgramRun {
    /// Why.
    pub follows: Follows,
    /// Its source.
    pub source: Body,
    /// Lines of its source.
    pub lines: u32,
    /// Characters of its source.
    pub chars: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether it did not run, since the turn had its programs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_run: bool,
    /// Its standard output and log lines.
    pub log: Body,
    /// How many bytes of the log were dropped at its bound.
    pub log_dropped_bytes: u64,
    /// What was kept of its standard error.
    pub stderr: String,
    /// What it said that it returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<String>,
    /// Its execution without the time that it was parked in gg calls, in milliseconds; it is in the turn's own.
    pub duration_ms: f64,
    /// Getting its component ready in the engine, in milliseconds; it is in the turn's own.
    pub compile_wait_ms: f64,
}

impl ProgramRun {
    /// Whether it ran in the place of the program before it, so that the turn's outcome is its own.
    pub fn is_rerun(&self) -> bool {
        self.follows == Follows::Rerun
    }
}

/// What came of a turn. Where programs ran after the reply's own, the outcome is that of the program that ran last in
/// the reply's place (on-use scripts run in nobody's place), effects, calls, refusals, tree and timings are those of all
/// programs, and log, standard error and the returned value are of the reply's own program: the others have theirs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnResult {
    /// [`crate::FORMAT_VERSION`] of this form.
    pub version: u32,
    /// The run.
    pub run: RunId,
    /// The agent.
    pub agent: AgentId,
    /// The epoch that the turn ran under.
    pub epoch: u64,
    /// The turn.
    pub turn: u32,
    /// The worker that ran it.
    pub worker: WorkerId,
    /// How it ended.
    pub outcome: Outcome,
    /// What the program's calls did, in order. Endings are absent where the program failed.
    pub effects: Vec<Effect>,
    /// The calls, run-length folded.
    pub calls: Vec<CallRecord>,
    /// Operations that were called and not granted, each once, in order.
    pub refusals: Vec<String>,
    /// The program's standard output and log lines.
    pub log: Body,
    /// How many bytes of the log were dropped at its bound.
    pub log_dropped_bytes: u64,
    /// What was kept of standard error: its head and its tail.
    pub stderr: String,
    /// Whether a shell command ran unconfined, because the operator allowed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unconfined: bool,
    /// What the program said that it returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<String>,
    /// The programs that ran after the reply's own, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followed: Vec<ProgramRun>,
    /// The tree after the turn; the tree before it where the farm failed.
    pub tree: Option<ContentKey>,
    /// Where the time went.
    pub timings: Timings,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_field_of_a_job_is_refused() {
        let job = TurnJob {
            version: crate::FORMAT_VERSION,
            run: RunId("r".into()),
            agent: AgentId("a".into()),
            epoch: 1,
            turn: 1,
            source: Body::Inline("print(1)".into()),
            profile: Profile::with_everything(Arm::Python),
            tree: None,
            state: Carried::default(),
            reply_to: "gg.results.c1".into(),
            wall_left_ms: None,
            trace: None,
        };
        let mut json = serde_json::to_value(&job).expect("json");
        assert_eq!(serde_json::from_value::<TurnJob>(json.clone()).expect("reads back"), job);
        json["colour"] = "red".into();
        let error = serde_json::from_value::<TurnJob>(json).expect_err("unknown field").to_string();
        assert!(error.contains("colour"), "{error}");
    }
}
