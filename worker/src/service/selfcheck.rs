//! The self-check of an arm: a program of its own is prepared and run as any other.

use super::Worker;
use crate::language::language;
use gg_common::arm::Arm;
use gg_common::job::{AgentId, Body, Effect, RunId, TurnJob};
use gg_common::outcome::Outcome;
use gg_common::profile::Profile;

/// Runs the arm's self-check program; an error says what it did instead.
pub fn check(worker: &Worker, arm: Arm) -> Result<(), String> {
    let job = TurnJob {
        version: gg_common::FORMAT_VERSION,
        run: RunId("selfcheck".into()),
        agent: AgentId(arm.id().into()),
        epoch: 1,
        turn: 1,
        source: Body::Inline(language(arm).selfcheck_program().to_owned()),
        profile: Profile::with_everything(arm),
        tree: None,
        state: Default::default(),
        reply_to: String::new(),
        wall_left_ms: None,
        trace: None,
    };
    let result = worker.run_turn(&job);
    worker.release_agent(&job.run, &job.agent);
    match result.outcome {
        Outcome::Completed => {}
        other => return Err(format!("{}: {}", other.error_type().unwrap_or_default(), text(&other))),
    }
    let shown = result.effects.iter().any(|effect| {
        matches!(effect, Effect::ViewOpened { view } if view.selector == "selfcheck" && view.body == Body::Inline("ok".into()))
    });
    if shown {
        Ok(())
    } else {
        Err(format!("its program completed and did not show what it should: {:?}", result.effects))
    }
}

fn text(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Internal { error_text, .. } => error_text,
        other => other.model_text().unwrap_or_default(),
    }
}
