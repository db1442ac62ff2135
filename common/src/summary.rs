//! What a run came to: one object, folded from the run's events.

use crate::arm::Arm;
use crate::check::CheckResult;
use crate::content::ContentKey;
use crate::event::{Ending, Platform};
use crate::job::{Body, RunId};
use crate::money::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Tokens of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenTotals {
    /// Read by the model, as its provider counts them.
    pub input: u64,
    /// Written by the model, as its provider counts them.
    pub output: u64,
    /// Of those read, from the provider's cache.
    #[serde(default)]
    pub cached: u64,
    /// Of the model's reasoning, where its provider says so.
    #[serde(default)]
    pub reasoning: u64,
    /// Given to the model to read in all its turns, by the shared estimator.
    pub window: u64,
    /// Of the views that programs opened, by the shared estimator.
    pub views: u64,
}

/// The model calls of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelTotals {
    /// Calls that were answered; none of a scripted model is one.
    pub calls: u32,
    /// Requests that failed and were made again.
    pub retries: u32,
    /// What the calls cost, in the currency of the binding's prices; null where it states none.
    #[serde(default)]
    pub cost: Option<Money>,
    /// Replies that were refusals.
    pub refusals: u32,
    /// From the requests that were answered to the last bytes of their answers, in milliseconds.
    pub latency_ms: f64,
    /// Waiting, for the binding's own limits and before requests were made again, in milliseconds.
    pub waited_ms: f64,
    /// The models that answered, as their providers name them, with how often.
    pub models: BTreeMap<String, u32>,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Summary {
    /// The version of this form: a reader refuses one that it does not know.
    pub version: u32,
    /// The run.
    pub id: RunId,
    /// What the agent was asked.
    pub task: Body,
    /// The language that it answered in.
    pub arm: Arm,
    /// Why the run ended; null where it was interrupted, or could not be recorded to its end.
    pub ending: Option<Ending>,
    /// What came of the check of the final tree; null where the task has none, or the run did not end.
    #[serde(default)]
    pub check: Option<CheckResult>,
    /// Turns that were closed.
    pub turns: u32,
    /// How often the run was taken up again.
    #[serde(default)]
    pub resumes: u32,
    /// Programs that a worker took to prepare and run, those that followed a reply's own among them: the denominator of the
    /// times below. A reply that was rejected before it was placed (empty, cut off, too long, not UTF-8) is a turn and no
    /// execution.
    pub code_executions: u32,
    /// How the turns ended: `completed`, or the error type, with how many ended so.
    pub outcomes: BTreeMap<String, u32>,
    /// Of those that ended by the farm's failure, the ones that the program is suspected of: a compiler died on it and
    /// compiled a program of our own after it.
    #[serde(default)]
    pub suspected: u32,
    /// The programs' execution without the time that they were parked in gg calls, in milliseconds.
    pub duration_ms: f64,
    /// Getting components ready in the engine, in milliseconds.
    pub compile_wait_ms: f64,
    /// What the turns made a compiler do, in milliseconds; 0 for an arm that compiles nothing.
    pub compile_ms: f64,
    /// CPU time of the compilers, in milliseconds; 0 for an arm that compiles nothing.
    #[serde(default)]
    pub compile_cpu_ms: f64,
    /// Compiles by a compiler that had compiled before.
    #[serde(default)]
    pub compiles_warm: u32,
    /// Compiles by a process of their own, or the first of one that lives on.
    #[serde(default)]
    pub compiles_cold: u32,
    /// Builds of code modules that were fetched and not made.
    #[serde(default)]
    pub modules_fetched: u32,
    /// What making the fetched builds had cost where they were made, in milliseconds.
    #[serde(default)]
    pub modules_fetched_cost_ms: f64,
    /// Tokens.
    pub tokens: TokenTotals,
    /// The model calls.
    #[serde(default)]
    pub model: ModelTotals,
    /// The tree after the last closed turn; null where it is empty.
    pub tree: Option<ContentKey>,
    /// What the run ran on; where it was resumed, what it ran on last.
    pub platform: Platform,
    /// The first event, in milliseconds since 1970, UTC.
    pub started_at_ms: u64,
    /// The last event, in milliseconds since 1970, UTC.
    pub ended_at_ms: u64,
}
