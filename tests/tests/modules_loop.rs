//! The gate that counts through the loop: a real run whose turns read one code skill twice and call it. What its compilers
//! are asked is one compile a program, and one for the read that loaded the module.
#![expect(clippy::disallowed_methods, reason = "the command under test is started as a person starts it")]

use gg_common::arm::Arm;
use gg_common::event::{Event, EventBody};
use gg_common::outcome::Outcome;
use gg_common::summary::Summary;
use gg_tests::ground::program;
use gg_tests::modules::{SKILL, caller, module, reader, refused_module};
use gg_worker::language::language;
use std::path::Path;
use std::process::Command;

fn text(value: &str) -> String {
    toml_edit::Value::from(value).to_string()
}

fn summary_of(run: &Path) -> Summary {
    serde_json::from_slice(&std::fs::read(run.join("summary.json")).expect("a summary")).expect("it reads")
}

#[test]
fn a_run_compiles_each_program_once_and_each_module_once() {
    for arm in Arm::ALL {
        let folder = tempfile::tempdir().expect("tempdir");
        let replies = [reader(arm), caller(arm, "Ada"), reader(arm), caller(arm, "Bob")];
        std::fs::create_dir(folder.path().join("replies")).expect("folder");
        for (number, reply) in replies.iter().enumerate() {
            std::fs::write(folder.path().join(format!("replies/{number:02}")), reply).expect("reply");
        }
        let run_file = format!(
            "task = \"Greet.\"\nreplies = \"replies\"\n[profile]\narm = {}\ncapabilities = [\"skills\"]\n[[profile.skills]]\nname = {}\n\
             description = \"Words.\"\nbody = \"How to greet.\"\ncode = {}\n",
            text(arm.id()),
            text(SKILL),
            // Of this arm's run alone, so that no store has its build.
            text(&module(arm, &format!("loop {}", std::process::id()))),
        );
        std::fs::write(folder.path().join("run.toml"), run_file).expect("run file");
        let output = Command::new(program("coordinator"))
            .args(["run", "run.toml", "--runs", "runs"])
            .current_dir(folder.path())
            .output()
            .expect("the coordinator starts");
        let said = String::from_utf8_lossy(&output.stderr);
        let runs: Vec<_> = std::fs::read_dir(folder.path().join("runs")).unwrap_or_else(|_| panic!("{said}")).collect();
        assert_eq!(runs.len(), 1, "{said}");
        let run = runs.into_iter().next().expect("one").expect("entry").path();
        let events = std::fs::read_to_string(run.join("events.jsonl")).expect("events");
        let mut outcomes = Vec::new();
        for line in events.lines() {
            let event: Event = serde_json::from_str(line).expect("an event");
            if let EventBody::CodeExecution { outcome, .. } = event.event {
                outcomes.push(outcome);
            }
        }
        assert_eq!(outcomes, vec![Outcome::Completed; 4], "{arm}: {said}");
        let summary = summary_of(&run);
        let programs = if language(arm).checker().is_some() { 4 } else { 0 };
        let modules = u32::from(refused_module(arm).is_some());
        assert_eq!(summary.compiles_cold + summary.compiles_warm, programs + modules, "{arm}");
        assert_eq!((summary.code_executions, summary.modules_fetched), (4, 0), "{arm}");
    }
}
