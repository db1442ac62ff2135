//! The check of the final tree, as the loop sees it.

use super::*;
use gg_common::check::{CheckEnd, Verdict};

async fn ran(status: &str, replies: &[&str]) -> Ran {
    let place = tempfile::tempdir().expect("tempdir");
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let replies = replies.iter().map(|text| reply(text.as_bytes())).collect();
    run_with(place.path(), checked_plan(Ceilings::default(), status), replies, interrupt).await
}

fn verdict(ran: &Ran) -> (Verdict, &CheckEnd) {
    let check = ran.outcome.summary.as_ref().and_then(|summary| summary.check.as_ref()).expect("a check");
    (check.verdict, &check.end)
}

#[tokio::test]
async fn a_tree_is_checked_once_when_the_run_ends_and_before_it_says_so() {
    let passed = ran("0", &["show", "finish"]).await;
    assert_eq!(passed.kinds()[passed.events.len() - 2..], ["checked", "run_ended"]);
    assert_eq!(passed.kinds().iter().filter(|kind| *kind == "checked").count(), 1);
    assert_eq!(verdict(&passed), (Verdict::Passed, &CheckEnd::Exited { status: 0 }));
    let failed = ran("3", &["finish"]).await;
    assert_eq!(verdict(&failed), (Verdict::Failed, &CheckEnd::Exited { status: 3 }));
    assert_eq!(*failed.ending(), Ending::Finished { summary: "done in turn 1".into() }, "how it ended stays");
    let at_the_end_of_its_script = ran("1", &["show"]).await;
    assert_eq!(verdict(&at_the_end_of_its_script).0, Verdict::Failed);
    assert!(failed.read.iter().all(|text| !text.contains("check")), "the model reads nothing of it");
}

#[tokio::test]
async fn what_could_not_run_is_told_apart_and_a_run_that_the_farm_or_the_model_failed_is_not_checked() {
    let refused = ran("no such worker", &["finish"]).await;
    assert_eq!(verdict(&refused), (Verdict::CouldNotRun, &CheckEnd::NotRun { reason: "no such worker".into() }));
    let broken = ran("0", &["break"]).await;
    assert!(matches!(broken.ending(), Ending::InternalError { .. }));
    assert_eq!(verdict(&broken).0, Verdict::CouldNotRun);
    let unanswered = gg_common::model::ModelFailure::Unauthorized;
    let place = tempfile::tempdir().expect("tempdir");
    let clock = TestClock::default();
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let folder = RunFolder::make(&place.path().join("runs"), &clock).expect("folder");
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let plan = checked_plan(Ceilings::default(), "0");
    let model = Failing(Some(unanswered));
    let outcome = session(&farm.house, &model, &plan, &folder, &clock, interrupt).run().await;
    let check = outcome.summary.and_then(|summary| summary.check).expect("a check");
    assert_eq!(check.verdict, Verdict::CouldNotRun);
    assert!(check.end.to_string().contains("model did not answer"), "{}", check.end);
}

#[tokio::test]
async fn a_run_that_was_interrupted_is_not_checked() {
    let place = tempfile::tempdir().expect("tempdir");
    let (asked, interrupt) = watch::channel(Interrupt::None);
    asked.send_replace(Interrupt::AfterTurn);
    let ran = run_with(place.path(), checked_plan(Ceilings::default(), "0"), vec![reply(b"show")], interrupt).await;
    assert!(matches!(ran.outcome.left, Left::Interrupted));
    assert_eq!(ran.kinds(), ["run_started"]);
}
