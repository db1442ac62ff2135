//! Events of every kind in any order, for properties of what is folded from them.

use gg_common::arm::Arm;
use gg_common::ceilings::Ceilings;
use gg_common::check::CheckResult;
use gg_common::content::ContentKey;
use gg_common::event::{Ending, Event, EventBody, Platform, Usage};
use gg_common::job::{Body, Effect, RunId, Timings, View, ViewKind, WorkerId};
use gg_common::outcome::{Outcome, ProgramError};
use gg_common::profile::Profile;
use gg_common::reply::FinishReason;
use gg_common::state::{TurnRange, TurnRanges};
use proptest::prelude::*;

fn platform() -> Platform {
    Platform {
        version: String::new(),
        artifacts: Default::default(),
        engine: String::new(),
        cpu: String::new(),
        kernel: String::new(),
    }
}

/// A run's first event.
pub(crate) fn started() -> EventBody {
    EventBody::RunStarted {
        task: Body::Inline("t".into()),
        profile: Box::new(Profile::with_everything(Arm::Python)),
        ceilings: Ceilings::default(),
        model: None,
        tree: None,
        platform: platform(),
        memories: Vec::new(),
        check: None,
    }
}

fn effects() -> impl Strategy<Value = Vec<Effect>> {
    let view = |selector: String| Effect::ViewOpened {
        view: View { kind: ViewKind::Text, selector, region: None, body: Body::Inline(String::new()), tokens: 1 },
    };
    let archive =
        |first: u32| Effect::ThreadArchived { turns: TurnRanges::from_iter([TurnRange { first, last: first + 1 }]) };
    let effect = prop_oneof![
        "[a-c]".prop_map(view),
        (1u32..5).prop_map(archive),
        "[a-c]".prop_map(|name| Effect::MemoryDeleted { name }),
        "[a-c]".prop_map(|id| Effect::TaskRemoved { id }),
        Just(Effect::Finish { summary: "done".into() }),
    ];
    proptest::collection::vec(effect, 0..4)
}

fn reply((turn, text, tokens): (u32, String, u64)) -> EventBody {
    EventBody::Reply {
        turn,
        text: Body::Inline(text),
        finish_reason: if tokens == 0 { FinishReason::Refusal } else { FinishReason::Stop },
        usage: Usage { input_tokens: tokens, output_tokens: tokens / 2, ..Usage::default() },
        call: None,
        window_tokens: tokens,
        elapsed_ms: tokens,
    }
}

fn execution((turn, effects, ok, tree): (u32, Vec<Effect>, bool, u8)) -> EventBody {
    let outcome = if ok {
        Outcome::Completed
    } else {
        let (error_type, error_text) = (ProgramError::Error, "x".to_owned());
        Outcome::Failed { error_type, error_text, location: None, exit_code: None }
    };
    EventBody::CodeExecution {
        turn,
        worker: (tree % 3 > 0).then(|| WorkerId("w".into())),
        outcome,
        effects,
        calls: vec![],
        refusals: vec![],
        log: Body::Inline(String::new()),
        log_dropped_bytes: 0,
        stderr: String::new(),
        unconfined: false,
        followed: vec![],
        tree: (tree > 0).then(|| ContentKey::of(&[tree])),
        // Binary fractions add up alike in any order.
        timings: Timings { duration_ms: f64::from(tree) / 4.0, ..Timings::default() },
        elapsed_ms: u64::from(tree),
    }
}

/// An event of the run `r`.
pub(crate) fn event(seq: usize, at_ms: u64, body: EventBody) -> Event {
    let (version, run) = (gg_common::FORMAT_VERSION, RunId("r".into()));
    Event { version, run, seq: seq as u64, at_ms, event: body }
}

/// A log: the run's start, then anything. The clock goes as it likes.
pub(crate) fn logs() -> impl Strategy<Value = Vec<Event>> {
    let body = prop_oneof![
        4 => (1u32..9, "[a-c]{0,3}", 0u64..9).prop_map(reply),
        4 => (1u32..9, effects(), any::<bool>(), 0u8..4).prop_map(execution),
        2 => (1u32..9).prop_map(|turn| EventBody::TurnStarted { turn, epoch: 1, attempt: 1 }),
        1 => Just(EventBody::RunResumed { platform: platform() }),
        1 => Just(EventBody::Checked { result: Box::new(CheckResult::not_run(None, "no")) }),
        1 => Just(EventBody::RunEnded { ending: Ending::ScriptEnded }),
    ];
    proptest::collection::vec((body, 0u64..100), 0..160).prop_map(|bodies| {
        std::iter::once((started(), 50))
            .chain(bodies)
            .enumerate()
            .map(|(seq, (body, at_ms))| event(seq, at_ms, body))
            .collect()
    })
}
