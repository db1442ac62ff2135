//! What came of a turn, and the event that says it.

use super::AgentState;
use gg_common::event::EventBody;
use gg_common::job::{Body, Effect, ProgramRun, Timings, TurnResult};
use gg_common::outcome::Outcome;

/// What came of a turn: the event that says it, and the parts that are needed after it was written.
pub(super) struct Came {
    pub(super) event: EventBody,
    pub(super) outcome: Outcome,
    pub(super) effects: Vec<Effect>,
    pub(super) followed: Vec<ProgramRun>,
    pub(super) refusals: Vec<String>,
    pub(super) timings: Timings,
    pub(super) elapsed_ms: u64,
}

impl Came {
    pub(super) fn result(result: TurnResult, elapsed_ms: u64) -> Came {
        let TurnResult {
            turn,
            worker,
            outcome,
            effects,
            calls,
            refusals,
            log,
            log_dropped_bytes,
            stderr,
            unconfined,
            followed,
            tree,
            timings,
            ..
        } = result;
        Came {
            outcome: outcome.clone(),
            effects: effects.clone(),
            followed: followed.clone(),
            refusals: refusals.clone(),
            timings,
            elapsed_ms,
            event: EventBody::CodeExecution {
                turn,
                worker: Some(worker),
                outcome,
                effects,
                calls,
                refusals,
                log,
                log_dropped_bytes,
                stderr,
                unconfined,
                followed,
                tree,
                timings,
                elapsed_ms,
            },
        }
    }

    pub(super) fn rejected(outcome: Outcome, state: &AgentState, elapsed_ms: u64) -> Came {
        Came {
            outcome: outcome.clone(),
            effects: Vec::new(),
            followed: Vec::new(),
            refusals: Vec::new(),
            timings: Timings::default(),
            elapsed_ms,
            event: EventBody::CodeExecution {
                turn: u32::try_from(state.progress.turns + 1).unwrap_or(u32::MAX),
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
                tree: state.tree,
                timings: Timings::default(),
                elapsed_ms,
            },
        }
    }
}
