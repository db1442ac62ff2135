//! The wire to a real endpoint, which `scripts/test-model.sh` starts: a llama.cpp server whose model is too small to be
//! judged by what it answers.
#![cfg(feature = "test-model")]
#![expect(clippy::disallowed_methods, reason = "the command under test is started as a person starts it")]

use gg_common::event::{Ending, Event, EventBody};
use gg_common::model::{ModelCall, ModelFailure};
use gg_common::reply::FinishReason;
use gg_common::summary::Summary;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run `make test-model`, which sets it"))
}

/// A run of the example, with another `[model]` table.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(table: &str) -> Place {
        let folder = tempfile::tempdir().expect("tempdir");
        let url = variable("GG_TEST_MODEL_URL");
        let text = format!("[model]\nkind = 'openai'\nbaseUrl = '{url}'\nmodel = 'any'\n{table}");
        std::fs::write(folder.path().join("model.toml"), text).expect("write");
        Place { folder }
    }

    fn run(&self) -> Output {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/model/run.toml");
        let mut command = Command::new(env!("CARGO_BIN_EXE_coordinator"));
        command.arg("run").arg(example).arg("--model").arg(self.folder.path().join("model.toml"));
        command
            .arg("--runs")
            .arg(self.folder.path().join("runs"))
            .env("RUST_LOG", "trace,cranelift=warn,regalloc2=warn,wasmtime=warn");
        command.output().expect("the command starts")
    }

    fn records(&self) -> PathBuf {
        let mut runs = std::fs::read_dir(self.folder.path().join("runs")).expect("runs");
        runs.next().expect("a run").expect("entry").path()
    }

    fn events(&self) -> Vec<EventBody> {
        let text = std::fs::read_to_string(self.records().join("events.jsonl")).expect("events.jsonl");
        text.lines().map(|line| serde_json::from_str::<Event>(line).expect("an event").event).collect()
    }

    fn summary(&self) -> Summary {
        serde_json::from_slice(&std::fs::read(self.records().join("summary.json")).expect("read")).expect("a summary")
    }
}

fn said(output: &Output) -> String {
    let lines = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    // What is traced is long, and only looked through for the key.
    lines.lines().filter(|line| !line.contains("TRACE") && !line.contains("DEBUG")).collect::<Vec<_>>().join("\n")
}

/// The calls of the run's replies, each with why the model stopped.
fn calls(events: &[EventBody]) -> Vec<(FinishReason, ModelCall)> {
    let call = |event: &EventBody| match event {
        EventBody::Reply { finish_reason, call, .. } => Some((*finish_reason, *call.clone()?)),
        _ => None,
    };
    events.iter().filter_map(call).collect()
}

/// Nothing that a run leaves or says holds the key.
fn keeps_the_key(place: &Place, output: &Output) {
    let key = variable("GG_TEST_MODEL_KEY");
    let holds = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(&key);
    assert!(!holds(&output.stdout) && !holds(&output.stderr), "what is said holds the key");
    for name in ["events.jsonl", "summary.json"] {
        assert!(!holds(&std::fs::read(place.records().join(name)).expect("read")), "{name} holds the key");
    }
}

#[test]
fn a_real_models_replies_are_recorded_with_what_they_used() {
    let place = Place::new(
        "apiKeyEnv = 'GG_TEST_MODEL_KEY'\nseed = 7\ntemperature = 0.2\nmaxTokens = 120\n[model.extra]\ntop_k = 20\n",
    );
    let output = place.run();
    let told = said(&output);
    let (events, summary) = (place.events(), place.summary());
    let calls = calls(&events);
    assert!(matches!(output.status.code(), Some(0 | 1)), "it ends by a ceiling or finishes: {told}");
    assert!(!calls.is_empty(), "{told}");
    for (_, call) in &calls {
        assert!(call.model.is_some() && call.id.is_some() && call.finish_reason.is_some(), "{call:?}");
        assert!(call.latency_ms >= call.first_byte_ms && call.first_byte_ms > 0.0, "{call:?}");
        assert_eq!(call.seed, Some(7));
    }
    assert!(summary.tokens.input > 500 && summary.tokens.output > 0, "{:?}", summary.tokens);
    assert_eq!(summary.model.calls as usize, calls.len());
    keeps_the_key(&place, &output);
    eprintln!("{told}\n{:?}\n{:#?}\n{:?}", summary.model, calls[0], summary.outcomes);
    for event in &events {
        if let EventBody::Reply { turn, text, usage, window_tokens, .. } = event {
            eprintln!("turn {turn}: {usage:?}, the window {window_tokens} by the estimator\n{text:?}");
        }
    }
}

#[test]
fn a_reply_that_the_server_cuts_off_is_truncated_and_never_runs() {
    let place = Place::new("apiKeyEnv = 'GG_TEST_MODEL_KEY'\nmaxTokens = 2\n");
    let output = place.run();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let calls = calls(&place.events());
    assert!(calls.iter().all(|(finish, _)| *finish == FinishReason::Length), "{calls:?}");
    let summary = place.summary();
    assert_eq!((summary.turns, summary.code_executions), (5, 0), "{:?}", summary.outcomes);
    assert_eq!(summary.outcomes.get("reply_truncated"), Some(&5), "{:?}", summary.outcomes);
}

#[test]
fn a_server_that_wants_another_key_or_has_no_such_path_ends_the_run_with_why() {
    let without_key = Place::new("maxTokens = 2\n");
    let elsewhere = Place::new("apiKeyEnv = 'GG_TEST_MODEL_KEY'\n");
    let file = elsewhere.folder.path().join("model.toml");
    let text = std::fs::read_to_string(&file).expect("read").replace("/v1'", "/v2'");
    std::fs::write(&file, text).expect("write");
    for (place, wanted, part) in
        [(without_key, ModelFailure::Unauthorized, "401"), (elsewhere, ModelFailure::Rejected, "404")]
    {
        let output = place.run();
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        let Some(Ending::ModelFailed { failure, message }) = place.summary().ending else {
            panic!("{}", said(&output))
        };
        assert!(failure == wanted && message.contains(part), "{failure:?} {message}");
        eprintln!("{message}");
        keeps_the_key(&place, &output);
    }
}
