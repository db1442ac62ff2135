//! What is read of runs, and of this machine, from the command line.
#![cfg(feature = "embedded")]
#![expect(clippy::disallowed_methods, reason = "the command under test is started as a person starts it")]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn coordinator(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_coordinator"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn said(output: &Output) -> String {
    format!("{}\n{}", out(output), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_run_is_shown_whole_by_turn_by_program_and_as_events() {
    let place = tempfile::tempdir().expect("tempdir");
    let folder = place.path();
    std::fs::create_dir(folder.join("replies")).expect("folder");
    let first = "import { openText } from 'gg/views';\nconsole.log('\\u001b]0;mine\\u0007logged');\nopenText('note', 'shown \\u001b[2J');";
    let long = format!(
        "import {{ openText }} from 'gg/views';\nopenText('long', {:?});\nthrow new Error('no \\u001b[31m');\n// {}",
        "y".repeat(60_000),
        "z".repeat(70_000)
    );
    for (name, text) in [("1", first), ("2", &long), ("3", "import { finish } from 'gg/session'; finish('done')")] {
        std::fs::write(folder.join("replies").join(name), text).expect("reply");
    }
    let ran = coordinator(folder, &["run", "--task", "Say \u{1b}[1mso", "--arm", "javascript", "--replies", "replies"]);
    assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
    assert!(!said(&ran).contains('\u{1b}'), "{}", said(&ran));
    let names: Vec<_> = std::fs::read_dir(folder.join("runs")).expect("runs").flatten().collect();
    let run = names[0].file_name().to_string_lossy().into_owned();

    let shown = coordinator(folder, &["show", &run]);
    assert_eq!(shown.status.code(), Some(0), "{}", said(&shown));
    let text = out(&shown);
    let indented = first.lines().map(|line| format!("  {line}\n")).collect::<String>();
    for part in [
        "Say ␛[1mso",
        "━━ turn 1",
        &indented,
        "── completed",
        "␛]0;mine␇logged",
        "── view `note`",
        "shown ␛[2J",
        "── calls: views.open_text",
        "── program_error",
        "Error: no ␛[31m",
        &"z".repeat(70_000),
        "━━ finished: done",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains('\u{1b}'), "nothing acts on the terminal, and without one there is no colour");

    let second = coordinator(folder, &["show", &run[..10], "--turn", "2"]);
    assert!(out(&second).contains("━━ turn 2") && !out(&second).contains("turn 1"), "{}", said(&second));
    let program = coordinator(folder, &["show", &run, "--program", "2"]);
    assert_eq!(program.stdout, long.as_bytes());
    let events = coordinator(folder, &["show", &run, "--json", "--turn", "3"]);
    let kinds: Vec<Value> = out(&events).lines().map(|line| serde_json::from_str(line).expect("json")).collect();
    let kinds: Vec<&str> = kinds.iter().filter_map(|event| event["event"]["type"].as_str()).collect();
    assert_eq!(kinds, ["reply", "turn_started", "code_execution"]);
    let followed = coordinator(folder, &["show", &run, "--follow"]);
    assert_eq!(out(&followed), text, "a run that has ended is followed to its end");

    for (arguments, part) in [
        (&["show", "20990101"][..], "there is no run `20990101`"),
        (&["show", &run, "--turn", "9"], "has no turn 9"),
        (&["show", &run, "--program", "9"], "has no program of turn 9"),
    ] {
        let wrong = coordinator(folder, arguments);
        assert_eq!(wrong.status.code(), Some(2), "{arguments:?}: {}", said(&wrong));
        assert!(said(&wrong).contains(part), "{arguments:?}: {}", said(&wrong));
    }
}

#[test]
fn what_a_model_reads_and_what_the_machine_has_can_be_asked_for() {
    let place = tempfile::tempdir().expect("tempdir");
    let folder = place.path();
    std::fs::write(folder.join("profile.toml"), "arm = \"python\"\ncapabilities = [\"read-file\"]\n").expect("profile");
    let prompt = coordinator(folder, &["prompt", "--profile", "profile.toml", "--task", "Do it."]);
    assert_eq!(prompt.status.code(), Some(0), "{}", said(&prompt));
    let text = out(&prompt);
    assert!(text.contains("── system (") && text.contains("# Task\n\nDo it."), "{text}");
    assert!(text.contains("views.open_file") && !text.contains("write_file"), "{text}");
    let json = coordinator(folder, &["prompt", "--arm", "javascript", "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).expect("json");
    assert_eq!(json["messages"][0]["role"], "system");
    assert!(json["messages"][0]["text"].as_str().is_some_and(|text| text.contains("gg/files")));
    std::fs::write(folder.join("wrong.toml"), "arm = \"pyton\"\n").expect("profile");
    let wrong = coordinator(folder, &["prompt", "--profile", "wrong.toml"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", said(&wrong));
    assert!(said(&wrong).contains("wrong.toml:1:"), "{}", said(&wrong));

    let arms: Value = serde_json::from_slice(&coordinator(folder, &["arms", "--json"]).stdout).expect("json");
    for arm in arms["arms"].as_array().expect("arms") {
        assert_eq!(arm["state"], "ready", "{arm}");
    }
    let doctor = coordinator(folder, &["doctor", "--json"]);
    assert_eq!(doctor.status.code(), Some(0), "{}", said(&doctor));
    let report: Value = serde_json::from_slice(&doctor.stdout).expect("json");
    let ran = report["checks"].as_array().expect("checks").iter().filter(|check| check["found"] == "ran").count();
    assert_eq!(ran, gg_common::arm::Arm::ALL.len(), "a confined program of each arm: {report}");
}

#[test]
fn what_init_makes_runs_in_every_language() {
    let place = tempfile::tempdir().expect("tempdir");
    let folder = place.path();
    for arm in gg_common::arm::Arm::ALL {
        let made = coordinator(folder, &["init", arm.id(), "--arm", arm.id(), "--json"]);
        assert_eq!(made.status.code(), Some(0), "{}", said(&made));
        let places: Value = serde_json::from_slice(&made.stdout).expect("json");
        assert_eq!(places["runFile"], format!("{arm}/run.toml"), "{places}");
        let ran = coordinator(folder, &["run", &format!("{arm}/run.toml"), "--json"]);
        assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
        let report: Value = serde_json::from_slice(&ran.stdout).expect("json");
        assert_eq!(report["summary"]["ending"]["summary"], "3 things are open.", "{report}");
        let check = &report["summary"]["check"];
        assert_eq!((&check["verdict"], &check["score"]), (&"passed".into(), &3.0.into()), "{report}");
        let (task, replies) = (format!("{arm}/task"), format!("{arm}/replies"));
        let ran = coordinator(folder, &["run", &task, "--replies", &replies]);
        assert!(ran.status.success() && said(&ran).contains("check    passed; score 3"), "{}", said(&ran));
        let again = coordinator(folder, &["init", arm.id()]);
        assert_eq!(again.status.code(), Some(2), "{}", said(&again));
        assert!(said(&again).contains("is not empty"), "{}", said(&again));
    }
}
