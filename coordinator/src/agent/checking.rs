//! The check of the final tree, when a run ends.

use super::stage::until;
use super::{Drive, Interrupt, Stage};
use gg_common::check::{Check, CheckJob, CheckResult};
use gg_common::content::ContentKey;
use gg_common::event::Ending;

/// What the check says of the final tree; none where somebody would not wait for it.
pub(super) async fn checked(
    drive: &Drive<'_>,
    check: Check,
    tree: Option<ContentKey>,
    ending: &Ending,
    stage: Stage<'_>,
) -> Option<CheckResult> {
    if let Some(reason) = unfair(ending) {
        return Some(CheckResult::not_run(None, reason));
    }
    drive.observer.stage(&stage);
    let job = CheckJob {
        version: gg_common::FORMAT_VERSION,
        run: drive.folder.run().clone(),
        check,
        tree,
        limits: drive.plan.profile.limits.clone(),
    };
    let mut interrupt = drive.interrupt.clone();
    tokio::select! {
        result = drive.house.farm.check(job) => Some(result),
        () = until(&mut interrupt, Interrupt::Now) => None,
    }
}

/// Why a check would say nothing of the agent's work, if it would not.
fn unfair(ending: &Ending) -> Option<&'static str> {
    match ending {
        Ending::ModelFailed { .. } => Some("the run ended since its model did not answer, so its tree was not checked"),
        Ending::InternalError { .. } => Some("the run ended since the farm failed, so its tree was not checked"),
        Ending::Finished { .. }
        | Ending::Approved { .. }
        | Ending::ChangesRequested { .. }
        | Ending::Ceiling { .. }
        | Ending::ScriptEnded => None,
    }
}
