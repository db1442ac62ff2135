mod checks;
mod kept;

use super::*;
use crate::agent::Stage;
use crate::model::{Model, ModelError, ModelReply, Request, Scripted};
use crate::plan::{CheckTable, PlannedCheck};
use crate::testing::{TestClock, TestFarm, completed, source, view};
use async_trait::async_trait;
use gg_common::arm::Arm;
use gg_common::ceilings::Ceilings;
use gg_common::event::{Event, EventBody, Usage};
use gg_common::job::{Body, Effect, TurnJob, TurnResult};
use gg_common::outcome::{Outcome as TurnOutcome, ProgramError};
use gg_common::profile::Profile;
use gg_common::reply::FinishReason;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;

#[derive(Debug)]
struct Quiet;

impl Observer for Quiet {
    fn stage(&self, _stage: &Stage<'_>) {}
}

/// A scripted model that keeps what it was given to read.
struct Recorded {
    script: Scripted,
    read: Mutex<Vec<String>>,
}

#[async_trait]
impl Model for Recorded {
    async fn reply(&self, request: Request<'_>) -> Result<Option<ModelReply>, ModelError> {
        let last = request.messages.last().map(|message| message.text.to_string()).unwrap_or_default();
        self.read.lock().expect("lock").push(last);
        self.script.reply(request).await
    }
}

fn reply(bytes: &[u8]) -> ModelReply {
    let usage = Usage { input_tokens: 10, output_tokens: 3, ..Usage::default() };
    ModelReply { bytes: bytes.to_vec(), usage, ..ModelReply::default() }
}

/// What a program of these tests does is what it says.
fn answer(job: &TurnJob) -> Vec<TurnResult> {
    let mut result = completed(job);
    for word in source(job).split_whitespace() {
        match word {
            "show" => result.effects.push(view("note", None, &format!("shown in turn {}", job.turn))),
            "finish" => result.effects.push(Effect::Finish { summary: format!("done in turn {}", job.turn) }),
            "approve" => result.effects.push(Effect::Approve { summary: "good".to_owned() }),
            "object" => result.effects.push(Effect::RequestChanges { items: vec!["name it".to_owned()] }),
            "refuse" => result.refusals.push("files.search".to_owned()),
            "write" => result.tree = Some(gg_common::content::ContentKey::of(source(job).as_bytes())),
            "fail" => {
                result.outcome = TurnOutcome::Failed {
                    error_type: ProgramError::Error,
                    error_text: "ValueError: no".to_owned(),
                    location: None,
                    exit_code: None,
                };
            }
            "break" => {
                result.outcome = TurnOutcome::Internal { error_text: "the disk broke".to_owned(), suspect: None };
            }
            "vanish" => return vec![],
            _ => {}
        }
    }
    vec![result]
}

struct Ran {
    outcome: Outcome,
    events: Vec<Event>,
    read: Vec<String>,
    folder: RunFolder,
    came_by: Vec<String>,
}

impl Ran {
    fn ending(&self) -> &Ending {
        match &self.outcome.left {
            Left::Ended(ending) => ending,
            left => panic!("{left:?}"),
        }
    }

    fn kinds(&self) -> Vec<String> {
        let kind = |event: &Event| serde_json::to_value(&event.event).expect("json")["type"].to_string();
        self.events.iter().map(|event| kind(event).trim_matches('"').to_owned()).collect()
    }
}

fn plan(ceilings: Ceilings) -> RunPlan {
    let profile = Profile::with_everything(Arm::Python);
    RunPlan { task: "Do it.".to_owned(), files: None, profile, ceilings, check: None }
}

/// The same, and its final tree is checked by a command that leaves with this status.
fn checked_plan(ceilings: Ceilings, status: &str) -> RunPlan {
    let (files, command) = ("check".into(), status.to_owned());
    RunPlan { check: Some(PlannedCheck { files, command, table: CheckTable::default() }), ..plan(ceilings) }
}

/// A run from its beginning, which nobody watches.
fn session<'a>(
    house: &'a House,
    model: &'a dyn Model,
    plan: &'a RunPlan,
    folder: &'a RunFolder,
    clock: &'a TestClock,
    interrupt: watch::Receiver<Interrupt>,
) -> Session<'a> {
    Session { house, model, plan, folder, clock, observer: &Quiet, interrupt, past: vec![] }
}

async fn run_with(place: &Path, plan: RunPlan, replies: Vec<ModelReply>, interrupt: watch::Receiver<Interrupt>) -> Ran {
    let clock = TestClock::default();
    let farm = TestFarm::start(place, Arc::new(answer)).await;
    let folder = RunFolder::make(&place.join("runs"), &clock).expect("folder");
    let model = Recorded { script: Scripted::new(replies), read: Mutex::default() };
    let outcome = session(&farm.house, &model, &plan, &folder, &clock, interrupt).run().await;
    let events = farm.house.ledger.read(folder.run(), 0).await.expect("events");
    let came_by = farm.came_by.lock().expect("lock").clone();
    Ran { outcome, events, read: model.read.into_inner().expect("lock"), folder, came_by }
}

async fn run(place: &Path, ceilings: Ceilings, replies: &[&str]) -> Ran {
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let replies = replies.iter().map(|text| reply(text.as_bytes())).collect();
    run_with(place, plan(ceilings), replies, interrupt).await
}

#[tokio::test]
async fn a_run_goes_through_its_turns_to_its_end_and_is_written_down() {
    let place = tempfile::tempdir().expect("tempdir");
    let ran =
        run(place.path(), Ceilings::default(), &["show", "fail finish", "write refuse", "show finish", "never"]).await;
    assert_eq!(*ran.ending(), Ending::Finished { summary: "done in turn 4".into() });
    let mut kinds = vec!["run_started"];
    for _ in 0..4 {
        kinds.extend(["reply", "turn_started", "code_execution"]);
    }
    kinds.push("run_ended");
    assert_eq!(ran.kinds(), kinds);
    assert_eq!(ran.came_by, ["gg.place.python", "gg.worker.w1", "gg.worker.w1", "gg.worker.w1"]);

    assert!(ran.read[0].starts_with("# Task"));
    assert!(ran.read[1].contains("shown in turn 1"));
    assert_eq!(ran.read[2], "Program error:\n\nValueError: no");
    assert!(ran.read[3].contains("refused: `files.search`"), "{}", ran.read[3]);
    assert_eq!(ran.read.len(), 4, "nobody is asked after the end");

    let summary = ran.outcome.summary.expect("summary");
    assert_eq!((summary.turns, summary.code_executions), (4, 4));
    assert_eq!(
        summary.outcomes.into_iter().collect::<Vec<_>>(),
        [("completed".to_owned(), 3), ("program_error".to_owned(), 1)]
    );
    assert_eq!((summary.duration_ms, summary.compile_wait_ms, summary.compile_ms), (8.0, 2.0, 0.0));
    assert_eq!((summary.tokens.input, summary.tokens.output), (40, 12));
    assert!(summary.tokens.views > 0 && summary.tokens.window > 0);
    let path = ran.folder.path();
    let written: serde_json::Value =
        serde_json::from_slice(&std::fs::read(path.join("summary.json")).expect("summary.json")).expect("json");
    assert_eq!(written["compileMs"], 0.0);
    assert_eq!(written["ending"]["kind"], "finished");
    assert_eq!(std::fs::read(path.join("programs/0003.py")).expect("program"), b"write refuse");
    let tree = summary.tree.expect("tree").to_string();
    assert_eq!(std::fs::read_to_string(path.join("tree/key")).expect("tree"), tree);
}

#[tokio::test]
async fn a_clock_that_steps_back_harms_nothing() {
    let place = tempfile::tempdir().expect("tempdir");
    let clock = crate::testing::BackwardClock::default();
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let folder = RunFolder::make(&place.path().join("runs"), &clock).expect("folder");
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let (model, plan) = (Scripted::new(vec![reply(b"show"), reply(b"finish")]), plan(Ceilings::default()));
    let (house, observer) = (&farm.house, &Quiet);
    let session = Session {
        house,
        model: &model,
        plan: &plan,
        folder: &folder,
        clock: &clock,
        observer,
        interrupt,
        past: vec![],
    };
    let outcome = session.run().await;
    assert!(matches!(outcome.left, Left::Ended(Ending::Finished { .. })), "{:?}", outcome.left);
    let events = farm.house.ledger.read(folder.run(), 0).await.expect("events");
    let times: Vec<u64> = events.iter().map(|event| event.at_ms).collect();
    assert!(times.windows(2).all(|pair| pair[1] < pair[0]), "it did step back: {times:?}");
    assert!(events.iter().enumerate().all(|(index, event)| event.seq == index as u64));
    let summary = outcome.summary.expect("summary");
    assert_eq!((summary.turns, summary.started_at_ms), (2, summary.ended_at_ms));
    let again = RunFolder::make(&place.path().join("runs"), &clock).expect("folder");
    assert!(again.run() < folder.run(), "a later run's name may sort before, and is another");
}

#[tokio::test]
async fn each_ceiling_and_the_scripts_end_end_a_run_by_their_names() {
    let place = tempfile::tempdir().expect("tempdir");
    let ceilings = Ceilings { turns: 4, consecutive_error_turns: 2, error_turns: 3, ..Ceilings::default() };
    for (replies, name, limit) in [
        (&["a", "b", "c", "d", "e"][..], "turns", 4),
        (&["fail", "fail", "a"][..], "consecutiveErrorTurns", 2),
        (&["fail", " ", "a"][..], "consecutiveErrorTurns", 2),
    ] {
        let ran = run(place.path(), ceilings, replies).await;
        assert_eq!(*ran.ending(), Ending::Ceiling { ceiling: name.into(), limit }, "{replies:?}");
    }
    let apart = Ceilings { turns: 9, ..ceilings };
    let ran = run(place.path(), apart, &["fail", "a", "fail", "a", "fail", "a"]).await;
    assert_eq!(*ran.ending(), Ending::Ceiling { ceiling: "errorTurns".into(), limit: 3 });
    assert!(ran.read.iter().any(|text| text.contains("One more error turn ends the run.")));
    let ran = run(place.path(), Ceilings::default(), &["a"]).await;
    assert_eq!(*ran.ending(), Ending::ScriptEnded);
    assert_eq!(ran.outcome.summary.expect("summary").turns, 1);
}

#[tokio::test]
async fn each_ceiling_on_tokens_ends_a_run_by_its_name() {
    let place = tempfile::tempdir().expect("tempdir");
    // Each call reads ten tokens and writes three.
    let read = Ceilings { input_tokens: Some(20), ..Ceilings::default() };
    let written = Ceilings { output_tokens: Some(9), ..Ceilings::default() };
    for (ceilings, name, limit, turns) in [(read, "inputTokens", 20, 2), (written, "outputTokens", 9, 3)] {
        let ran = run(place.path(), ceilings, &["a", "b", "c", "d"]).await;
        assert_eq!(*ran.ending(), Ending::Ceiling { ceiling: name.into(), limit });
        assert_eq!(ran.outcome.summary.expect("summary").turns, turns, "{name}");
    }
}

#[tokio::test]
async fn each_ending_ends_a_run_and_is_revoked_where_its_program_fails() {
    let place = tempfile::tempdir().expect("tempdir");
    for (word, ending) in [
        ("finish", Ending::Finished { summary: "done in turn 2".into() }),
        ("approve", Ending::Approved { summary: "good".into() }),
        ("object", Ending::ChangesRequested { items: vec!["name it".into()] }),
    ] {
        let ran = run(place.path(), Ceilings::default(), &[&format!("{word} fail"), word, "never"]).await;
        assert_eq!(*ran.ending(), ending, "the failed program's did not count");
        assert_eq!(ran.read.len(), 2, "{word}");
    }
}

#[tokio::test]
async fn a_reply_that_is_no_program_is_an_error_turn_that_no_worker_sees() {
    let place = tempfile::tempdir().expect("tempdir");
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let cut = ModelReply { finish_reason: FinishReason::Length, ..reply(b"cut of") };
    let replies = vec![reply(b"caf\xff"), reply(&vec![b'x'; 5 << 20]), reply(b""), cut, reply(b"finish")];
    let ran = run_with(place.path(), plan(Ceilings::default()), replies, interrupt).await;
    assert_eq!(*ran.ending(), Ending::Finished { summary: "done in turn 5".into() });
    let summary = ran.outcome.summary.as_ref().expect("summary");
    assert_eq!((summary.turns, summary.code_executions), (5, 1));
    for name in ["reply_not_utf8", "reply_too_large", "reply_empty", "reply_truncated", "completed"] {
        assert_eq!(summary.outcomes.get(name), Some(&1), "{name}");
    }
    assert!(ran.read[1].starts_with("Reply rejected:\n\nThe reply is not UTF-8: the byte at offset 3"));
    assert!(ran.read[2].contains("5242880 bytes") && ran.read[2].contains("replyBytes"));
    let rejected = std::fs::read(ran.folder.path().join("programs/0001.rejected")).expect("kept");
    assert_eq!(rejected, b"caf\xff");
    let long = ran.events.iter().find_map(|event| match &event.event {
        EventBody::Reply { turn: 2, text, .. } => Some(text.clone()),
        _ => None,
    });
    assert!(matches!(long, Some(Body::Object { bytes: 5_242_880, .. })), "a long reply is an object");
}

#[tokio::test]
async fn the_farms_failure_ends_the_run_and_the_model_reads_nothing_of_it() {
    let place = tempfile::tempdir().expect("tempdir");
    let ran =
        run(place.path(), Ceilings { error_turns: 1, ..Ceilings::default() }, &["show", "break finish", "a"]).await;
    assert_eq!(*ran.ending(), Ending::InternalError { message: "the disk broke".into() });
    assert_eq!(ran.read.len(), 2);
    assert_eq!(ran.kinds().last().map(String::as_str), Some("run_ended"));
    assert_eq!(ran.outcome.summary.expect("summary").outcomes.get("internal_error"), Some(&1));
}

#[tokio::test]
async fn an_interrupt_leaves_a_log_without_an_end() {
    let place = tempfile::tempdir().expect("tempdir");
    let (asked, interrupt) = watch::channel(Interrupt::None);
    let running = run_with(place.path(), plan(Ceilings::default()), vec![reply(b"show"), reply(b"vanish")], interrupt);
    let (ran, ()) = tokio::join!(running, async {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        asked.send_replace(Interrupt::Now);
    });
    assert!(matches!(ran.outcome.left, Left::Interrupted));
    assert_eq!(ran.kinds().last().map(String::as_str), Some("turn_started"));
    let summary = ran.outcome.summary.expect("summary");
    assert_eq!((summary.turns, summary.ending), (1, None));

    let (asked, interrupt) = watch::channel(Interrupt::None);
    asked.send_replace(Interrupt::AfterTurn);
    let ran = run_with(place.path(), plan(Ceilings::default()), vec![reply(b"show")], interrupt).await;
    assert!(matches!(ran.outcome.left, Left::Interrupted));
    assert_eq!(ran.kinds(), ["run_started"]);
}

#[tokio::test]
async fn earlier_programs_and_the_wall_clock_travel_with_the_job() {
    let place = tempfile::tempdir().expect("tempdir");
    let clock = TestClock::default();
    clock.advance_ms(5);
    let jobs: Arc<Mutex<Vec<TurnJob>>> = Arc::default();
    let seen = jobs.clone();
    let farm = TestFarm::start(
        place.path(),
        Arc::new(move |job| {
            seen.lock().expect("lock").push(job.clone());
            answer(job)
        }),
    )
    .await;
    let folder = RunFolder::make(&place.path().join("runs"), &clock).expect("folder");
    let model = Scripted::new(vec![reply(b"one\ntwo"), reply(b" "), reply(b"fail"), reply(b"finish")]);
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let plan = plan(Ceilings { wall_clock_secs: 60, ..Ceilings::default() });
    let house = &farm.house;
    let session = session(house, &model, &plan, &folder, &clock, interrupt);
    session.run().await;
    let jobs = jobs.lock().expect("lock").clone();
    assert_eq!(jobs.iter().map(|job| (job.turn, job.epoch)).collect::<Vec<_>>(), [(1, 1), (3, 1), (4, 1)]);
    assert_eq!(jobs[0].wall_left_ms, Some(60_000));
    let gg_common::state::Carried::Inline(state) = &jobs[2].state else { panic!("a short state travels itself") };
    let kept = state.programs.recent();
    let programs: Vec<_> = kept.iter().map(|p| (p.turn, p.lines, p.chars, p.ok, p.error.as_deref())).collect();
    assert_eq!(programs, [(1, 2, 7, true, None), (3, 1, 4, false, Some("program_error"))]);
    let kept = house.objects.get(&kept[0].source).await.expect("kept");
    assert_eq!(&kept[..], b"one\ntwo");
}

#[tokio::test]
async fn a_log_that_cannot_be_written_is_told_with_what_to_do() {
    let place = tempfile::tempdir().expect("tempdir");
    let clock = TestClock::default();
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let folder = RunFolder::make(&place.path().join("runs"), &clock).expect("folder");
    // Another process holds the run's log.
    let other = gg_common::ledger::LocalLedger::new(&place.path().join("runs"), Default::default());
    gg_common::ledger::Ledger::read(&other, folder.run(), 0).await.expect("held");
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let (model, plan) = (Scripted::new(vec![reply(b"finish")]), plan(Ceilings::default()));
    let house = &farm.house;
    let session = session(house, &model, &plan, &folder, &clock, interrupt);
    let outcome = session.run().await;
    let Left::Failed(error) = outcome.left else { panic!("{:?}", outcome.left) };
    assert!(error.to_string().contains("another process"), "{error}");
}

/// A model that fails, or never answers.
struct Failing(Option<gg_common::model::ModelFailure>);

#[async_trait]
impl Model for Failing {
    async fn reply(&self, _request: Request<'_>) -> Result<Option<ModelReply>, ModelError> {
        match self.0 {
            Some(failure) => Err(ModelError { failure, message: "http://h/v1: it answered 401".to_owned() }),
            None => std::future::pending().await,
        }
    }

    fn binding(&self) -> Option<gg_common::model::ModelBinding> {
        Some(gg_common::model::ModelBinding::scripted("r".into()))
    }
}

async fn run_failing(place: &Path, failure: Option<gg_common::model::ModelFailure>) -> (Outcome, Vec<Event>) {
    let clock = TestClock::default();
    let farm = TestFarm::start(place, Arc::new(answer)).await;
    let folder = RunFolder::make(&place.join("runs"), &clock).expect("folder");
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let plan = plan(Ceilings { wall_clock_secs: 60, ..Ceilings::default() });
    let (house, model) = (&farm.house, Failing(failure));
    let session = session(house, &model, &plan, &folder, &clock, interrupt);
    let outcome = session.run().await;
    let events = house.ledger.read(folder.run(), 0).await.expect("events");
    (outcome, events)
}

#[tokio::test]
async fn a_model_that_does_not_answer_ends_the_run_with_why() {
    let place = tempfile::tempdir().expect("tempdir");
    let failure = gg_common::model::ModelFailure::Unauthorized;
    let (outcome, events) = run_failing(place.path(), Some(failure)).await;
    let message = "the model did not answer: http://h/v1: it answered 401".to_owned();
    let ended = EventBody::RunEnded { ending: Ending::ModelFailed { failure, message } };
    assert_eq!(events.last().map(|event| &event.event), Some(&ended));
    assert!(matches!(outcome.left, Left::Ended(Ending::ModelFailed { .. })));
    let EventBody::RunStarted { model: Some(model), .. } = &events[0].event else { panic!("{:?}", events[0]) };
    assert_eq!(model.replies.as_deref(), Some(Path::new("r")), "the log says who answers");
}

#[tokio::test(start_paused = true)]
async fn the_wall_clock_does_not_wait_for_a_model() {
    let place = tempfile::tempdir().expect("tempdir");
    let (outcome, _) = run_failing(place.path(), None).await;
    let Left::Ended(ending) = outcome.left else { panic!("{:?}", outcome.left) };
    assert_eq!(ending, Ending::Ceiling { ceiling: "wallClockSecs".into(), limit: 60 });
}

#[tokio::test]
async fn model_calls_are_recorded_with_their_replies_and_add_up_in_the_summary() {
    use gg_common::model::{ModelCall, ModelFailure, ModelRetry};
    let place = tempfile::tempdir().expect("tempdir");
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let retry = ModelRetry {
        failure: ModelFailure::RateLimited,
        status: Some(429),
        message: "slow down".to_owned(),
        latency_ms: 5.0,
        waited_ms: 40.0,
    };
    let call = ModelCall {
        model: Some("m-1".to_owned()),
        seed: Some(7),
        latency_ms: 100.0,
        limit_wait_ms: 2.0,
        retries: vec![retry],
        ..ModelCall::default()
    };
    let usage = Usage { input_tokens: 10, output_tokens: 3, cached_tokens: Some(8), reasoning_tokens: Some(2) };
    let called = |text: &[u8], finish_reason| ModelReply {
        usage,
        finish_reason,
        call: Some(Box::new(call.clone())),
        ..reply(text)
    };
    let replies = vec![called(b"", FinishReason::Refusal), called(b"finish", FinishReason::Stop)];
    let ran = run_with(place.path(), plan(Ceilings::default()), replies, interrupt).await;
    let EventBody::Reply { call: recorded, finish_reason, .. } = &ran.events[1].event else { panic!("a reply") };
    assert_eq!((recorded.as_deref(), *finish_reason), (Some(&call), FinishReason::Refusal));
    assert!(ran.read[1].starts_with("Reply rejected:\n\nThe reply was a refusal"), "{}", ran.read[1]);
    let summary = ran.outcome.summary.expect("summary");
    assert_eq!(summary.outcomes.get("reply_refused"), Some(&1));
    let tokens = summary.tokens;
    assert_eq!((tokens.input, tokens.output, tokens.cached, tokens.reasoning), (20, 6, 16, 4));
    let model = summary.model;
    assert_eq!((model.calls, model.retries, model.refusals), (2, 2, 1));
    assert_eq!((model.latency_ms, model.waited_ms), (200.0, 84.0));
    assert_eq!(model.models.into_iter().collect::<Vec<_>>(), [("m-1".to_owned(), 2)]);
}

/// What a run came to, apart from times and attempts.
fn closed_turns(events: &[Event]) -> Vec<String> {
    let mut closed = Vec::new();
    for event in events {
        if let EventBody::CodeExecution { turn, outcome, effects, refusals, tree, .. } = &event.event {
            closed.push(format!("{turn} {outcome:?} {effects:?} {refusals:?} {tree:?}"));
        }
        if let EventBody::Checked { result } = &event.event {
            closed.push(format!("checked {:?}", result.end));
        }
    }
    closed
}

#[tokio::test]
async fn a_run_that_was_left_anywhere_comes_to_the_same_end() {
    const REPLIES: &[&[u8]] =
        &[b"show", b"fail", b"", b"caf\xff", b"write show", b"refuse", b"fail show", b"show write finish"];
    let replies = || REPLIES.iter().map(|bytes| reply(bytes)).collect::<Vec<_>>();
    let ceilings = Ceilings { turns: 9, consecutive_error_turns: 4, error_turns: 5, ..Ceilings::default() };
    let place = tempfile::tempdir().expect("tempdir");
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let whole = run_with(place.path(), checked_plan(ceilings, "3"), replies(), interrupt).await;
    assert_eq!(*whole.ending(), Ending::Finished { summary: "done in turn 8".into() });
    let log = std::fs::read_to_string(whole.folder.path().join("events.jsonl")).expect("log");
    let lines: Vec<&str> = log.lines().collect();
    for left_at in 1..lines.len() {
        let place = tempfile::tempdir().expect("tempdir");
        let runs = place.path().join("runs");
        let run = runs.join(&whole.folder.run().0);
        std::fs::create_dir_all(run.join("programs")).expect("folder");
        for entry in std::fs::read_dir(whole.folder.path().join("programs")).expect("programs").flatten() {
            std::fs::copy(entry.path(), run.join("programs").join(entry.file_name())).expect("copy");
        }
        // The last line is torn as well: it did not happen.
        let torn = &lines[left_at][..lines[left_at].len() / 2];
        std::fs::write(run.join("events.jsonl"), format!("{}\n{torn}", lines[..left_at].join("\n"))).expect("log");
        let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
        let folder = RunFolder::open(&runs, &whole.folder.run().0).expect("the run");
        let ledger = gg_common::ledger::LocalLedger::new(&runs, gg_common::objects::Durability::Cached);
        for tree in REPLIES {
            farm.house.objects.put(tree.to_vec()).await.expect("what the worker stored");
        }
        let read = crate::plan::resume::read(&folder, &ledger, &farm.house.objects).await;
        drop(ledger);
        let (plan, past) = read.unwrap_or_else(|error| panic!("{left_at}: {error}"));
        let model = Recorded { script: Scripted::new(replies()), read: Mutex::default() };
        let (_asked, interrupt) = watch::channel(Interrupt::None);
        let clock = TestClock::default();
        let (house, observer) = (&farm.house, &Quiet);
        let session =
            Session { house, model: &model, plan: &plan, folder: &folder, clock: &clock, observer, interrupt, past };
        let outcome = session.run().await;
        let Left::Ended(ending) = &outcome.left else { panic!("{left_at}: {:?}", outcome.left) };
        assert_eq!(ending, whole.ending(), "{left_at}");
        let events = farm.house.ledger.read(folder.run(), 0).await.expect("events");
        assert_eq!(closed_turns(&events), closed_turns(&whole.events), "{left_at}");
        // Nobody was asked twice, and what is read from here on is what was read there.
        let replied = lines[..left_at].iter().filter(|line| line.contains(r#""type":"reply""#)).count();
        let read = model.read.lock().expect("lock").clone();
        assert_eq!(read, whole.read[replied..], "{left_at}");
        let summary = outcome.summary.expect("summary");
        assert_eq!((summary.turns, summary.resumes), (8, 1), "{left_at}");
        assert_eq!(summary.outcomes, whole.outcome.summary.as_ref().expect("summary").outcomes, "{left_at}");
    }
}

/// A log that is changed by `edit`, line by line, as it is read to be gone on with.
async fn resumed(ran: &Ran, edit: impl Fn(usize, serde_json::Value) -> Vec<serde_json::Value>) -> Result<(), String> {
    let place = tempfile::tempdir().expect("tempdir");
    let runs = place.path().join("runs");
    let run = runs.join(&ran.folder.run().0);
    std::fs::create_dir_all(&run).expect("folder");
    let log = std::fs::read_to_string(ran.folder.path().join("events.jsonl")).expect("log");
    let lines =
        log.lines().enumerate().flat_map(|(index, line)| edit(index, serde_json::from_str(line).expect("json")));
    let text: String = lines
        .enumerate()
        .map(|(seq, mut line)| {
            line["seq"] = seq.into();
            format!("{line}\n")
        })
        .collect();
    std::fs::write(run.join("events.jsonl"), text).expect("log");
    let folder = RunFolder::open(&runs, &ran.folder.run().0).expect("the run");
    let ledger = gg_common::ledger::LocalLedger::new(&runs, gg_common::objects::Durability::Cached);
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let read = crate::plan::resume::read(&folder, &ledger, &farm.house.objects).await;
    read.map(|_| ()).map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_log_that_no_run_writes_is_not_gone_on_with() {
    let place = tempfile::tempdir().expect("tempdir");
    let ran = run(place.path(), Ceilings::default(), &["show", "show", "finish"]).await;
    let keep = |index: usize, line| if index < 5 { vec![line] } else { vec![] };
    assert_eq!(resumed(&ran, keep).await, Ok(()));
    let check = serde_json::to_value(EventBody::Checked {
        result: Box::new(gg_common::check::CheckResult {
            verdict: gg_common::check::Verdict::Passed,
            ..gg_common::check::CheckResult::not_run(None, "")
        }),
    })
    .expect("json");
    let forged = |index: usize, line: serde_json::Value| match index {
        4 => vec![line.clone(), serde_json::json!({ "version": 1, "run": line["run"], "atMs": 1, "event": check })],
        0..4 => vec![line],
        _ => vec![],
    };
    let error = resumed(&ran, forged).await.expect_err("checked while a turn is open");
    assert!(error.contains("line 6 ") && error.contains("after those before it"), "{error}");
    let other = |index: usize, mut line: serde_json::Value| {
        if index == 2 {
            line["run"] = "another".into();
        }
        keep(index, line)
    };
    let error = resumed(&ran, other).await.expect_err("of another run");
    assert!(error.contains("line 3 ") && error.contains("of the run another"), "{error}");
    let twice =
        |index: usize, line: serde_json::Value| if index == 1 { vec![line.clone(), line] } else { keep(index, line) };
    assert!(resumed(&ran, twice).await.is_err(), "a turn twice");
}

#[tokio::test]
async fn a_run_whose_model_did_not_answer_goes_on_and_is_checked_at_its_new_end() {
    let place = tempfile::tempdir().expect("tempdir");
    let clock = TestClock::default();
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let runs = place.path().join("runs");
    let folder = RunFolder::make(&runs, &clock).expect("folder");
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let first = checked_plan(Ceilings::default(), "0");
    let model = Failing(Some(gg_common::model::ModelFailure::Unauthorized));
    let house = &farm.house;
    let outcome = session(house, &model, &first, &folder, &clock, interrupt.clone()).run().await;
    assert!(matches!(outcome.left, Left::Ended(Ending::ModelFailed { .. })));
    house.ledger.release(folder.run()).await;
    let ledger = gg_common::ledger::LocalLedger::new(&runs, gg_common::objects::Durability::Cached);
    let (plan, past) = crate::plan::resume::read(&folder, &ledger, &house.objects).await.expect("it may go on");
    drop(ledger);
    let model = Scripted::new(vec![reply(b"finish")]);
    let session = Session { past, ..session(house, &model, &plan, &folder, &clock, interrupt) };
    let outcome = session.run().await;
    assert!(matches!(outcome.left, Left::Ended(Ending::Finished { .. })), "{:?}", outcome.left);
    let summary = outcome.summary.expect("summary");
    let verdict = summary.check.map(|check| check.verdict);
    assert_eq!((summary.turns, summary.resumes, verdict), (1, 1, Some(gg_common::check::Verdict::Passed)));
}

#[tokio::test]
async fn what_cannot_be_resumed_says_why_and_what_to_do() {
    use crate::plan::resume::{find, read};
    let place = tempfile::tempdir().expect("tempdir");
    let ran = run(place.path(), Ceilings::default(), &["finish"]).await;
    let runs = place.path().join("runs");
    let name = ran.folder.run().0.clone();
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let ledger = gg_common::ledger::LocalLedger::new(&runs, gg_common::objects::Durability::Cached);
    let folder = find(&runs, &name[..12]).expect("by its beginning");
    assert_eq!(folder.run(), ran.folder.run());
    let error = read(&folder, &ledger, &farm.house.objects).await.expect_err("ended").to_string();
    assert!(error.contains("has ended (finished)"), "{error}");
    let error = find(&runs, &format!("{}x", &name[..name.len() - 1])).expect_err("unknown").to_string();
    assert!(error.contains(&format!("did you mean `{name}`?")), "{error}");
    let error = find(&place.path().join("none"), "x").expect_err("none").to_string();
    assert!(error.contains("no run was recorded there; --runs names another folder"), "{error}");
    std::fs::create_dir(runs.join("20260101T000000.000-00000001")).expect("folder");
    std::fs::write(runs.join("20260101T000000.000-00000001/events.jsonl"), "").expect("log");
    let empty = find(&runs, "20260101").expect("found");
    let error = read(&empty, &ledger, &farm.house.objects).await.expect_err("empty").to_string();
    assert!(error.contains("before its first event"), "{error}");
}
