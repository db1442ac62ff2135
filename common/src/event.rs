//! The run's event log: what happened, in order, as versioned JSON lines. The run's state is a fold of it.

use crate::ceilings::Ceilings;
use crate::check::{Check, CheckResult};
use crate::content::ContentKey;
use crate::job::{Body, CallRecord, Effect, ProgramRun, RunId, Timings, TurnResult, WorkerId};
use crate::model::{ModelBinding, ModelCall, ModelFailure};
use crate::outcome::Outcome;
use crate::profile::Profile;
use crate::reply::FinishReason;
use crate::state::Memory;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a model call used, in tokens, as its provider counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Usage {
    /// Tokens read, those from the provider's cache included.
    pub input_tokens: u64,
    /// Tokens written, those of its reasoning included where the provider counts them so.
    pub output_tokens: u64,
    /// Tokens read from the provider's cache, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Tokens of the model's reasoning, where the provider says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
}

/// What a run ran on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Platform {
    /// gg-farm's version.
    pub version: String,
    /// The digests of each arm's artifacts, by arm and file.
    pub artifacts: BTreeMap<String, BTreeMap<String, ContentKey>>,
    /// The engine and its version.
    pub engine: String,
    /// The processor's model name.
    pub cpu: String,
    /// The kernel's release.
    pub kernel: String,
}

/// Why a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Ending {
    /// The agent finished.
    Finished {
        /// What it said it did.
        summary: String,
    },
    /// The agent approved somebody's work.
    Approved {
        /// Why.
        summary: String,
    },
    /// The agent asked for changes.
    ChangesRequested {
        /// Which.
        items: Vec<String>,
    },
    /// A ceiling was reached.
    Ceiling {
        /// Its name.
        ceiling: String,
        /// Its value; of `cost`, in millionths.
        limit: u64,
    },
    /// The script of replies came to its end.
    ScriptEnded,
    /// The model did not answer, and asking it again would not help or was tried often enough.
    ModelFailed {
        /// Why.
        failure: ModelFailure,
        /// What failed, where, and what to do.
        message: String,
    },
    /// The farm failed.
    InternalError {
        /// What failed, where, and what to do.
        message: String,
    },
}

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum EventBody {
    /// The run began.
    RunStarted {
        /// What the agent was asked.
        task: Body,
        /// What the agent was started from.
        profile: Box<Profile>,
        /// What bounds the run.
        ceilings: Ceilings,
        /// Who answers; none where it was not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<Box<ModelBinding>>,
        /// The tree that it started with.
        tree: Option<ContentKey>,
        /// What it runs on.
        platform: Platform,
        /// The memories that it started with, from the store that its profile names.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        memories: Vec<Memory>,
        /// How its final tree is checked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<Box<Check>>,
    },
    /// The model replied. Written before the reply runs: a resume never asks for it again.
    Reply {
        /// From 1.
        turn: u32,
        /// The reply, byte for byte where it is UTF-8; else with replacement characters.
        text: Body,
        /// Why the model stopped.
        finish_reason: FinishReason,
        /// What the call used.
        usage: Usage,
        /// How the call went; none where nobody was called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Box<ModelCall>>,
        /// What the model was given to read, in tokens by the shared estimator.
        window_tokens: u64,
        /// How long the run had been driven when the reply came, in milliseconds. Time between an interruption and its
        /// resume does not count.
        #[serde(default)]
        elapsed_ms: u64,
    },
    /// The turn's job was published.
    TurnStarted {
        /// The turn.
        turn: u32,
        /// The epoch that it runs under.
        epoch: u64,
        /// Its attempts so far, this one included.
        attempt: u32,
    },
    /// The turn's program ran, or was rejected.
    CodeExecution {
        /// The turn.
        turn: u32,
        /// The worker that ran it; none where the reply was rejected before it was placed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        worker: Option<WorkerId>,
        /// How it ended.
        #[serde(rename = "result")]
        outcome: Outcome,
        /// What its calls did, in order.
        effects: Vec<Effect>,
        /// The calls, run-length folded.
        calls: Vec<CallRecord>,
        /// Operations that were called and not granted.
        refusals: Vec<String>,
        /// The program's log.
        log: Body,
        /// How many bytes of the log were dropped at its bound.
        log_dropped_bytes: u64,
        /// What was kept of standard error.
        stderr: String,
        /// Whether a shell command ran unconfined, because the operator allowed it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unconfined: bool,
        /// The programs that ran after the reply's own, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        followed: Vec<ProgramRun>,
        /// The tree after the turn.
        tree: Option<ContentKey>,
        /// Where the time went.
        timings: Timings,
        /// How long the run had been driven when the turn was closed, in milliseconds.
        #[serde(default)]
        elapsed_ms: u64,
    },
    /// The run was taken up again after it was interrupted or its process was killed. An open turn's recorded reply runs
    /// again, from the tree of the last closed turn.
    RunResumed {
        /// What it runs on from here.
        platform: Platform,
    },
    /// The run's final tree was checked. It comes before the run's end, so that a run that was killed in its check is checked
    /// again when it is resumed.
    Checked {
        /// What came of it.
        result: Box<CheckResult>,
    },
    /// The run ended.
    RunEnded {
        /// Why.
        ending: Ending,
    },
}

impl EventBody {
    /// What a worker's result says, `elapsed_ms` into the run.
    pub fn execution(result: TurnResult, elapsed_ms: u64) -> EventBody {
        EventBody::CodeExecution {
            turn: result.turn,
            worker: Some(result.worker),
            outcome: result.outcome,
            effects: result.effects,
            calls: result.calls,
            refusals: result.refusals,
            log: result.log,
            log_dropped_bytes: result.log_dropped_bytes,
            stderr: result.stderr,
            unconfined: result.unconfined,
            followed: result.followed,
            tree: result.tree,
            timings: result.timings,
            elapsed_ms,
        }
    }

    /// A turn whose reply no worker saw, `elapsed_ms` into the run; its tree is as it was.
    pub fn rejection(turn: u32, outcome: Outcome, tree: Option<ContentKey>, elapsed_ms: u64) -> EventBody {
        EventBody::CodeExecution {
            turn,
            worker: None,
            outcome,
            effects: Vec::new(),
            calls: Vec::new(),
            refusals: Vec::new(),
            log: Body::Inline(String::new()),
            log_dropped_bytes: 0,
            stderr: String::new(),
            unconfined: false,
            followed: Vec::new(),
            tree,
            timings: Timings::default(),
            elapsed_ms,
        }
    }
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Event {
    /// The version of this form: a reader refuses one that it does not know.
    pub version: u32,
    /// The run.
    pub run: RunId,
    /// From 0, without gaps.
    pub seq: u64,
    /// Milliseconds since 1970, UTC.
    pub at_ms: u64,
    /// What happened.
    pub event: EventBody,
}
