//! Runs that were recorded: their list, and removing them with what nothing else refers to.
#![cfg(feature = "embedded")]
#![expect(clippy::disallowed_methods, reason = "the command under test is started as a person starts it")]

use gg_common::folders::CacheRoot;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A data folder of its own, with the machine's artifacts.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("tempdir");
        let (machine, own) = (CacheRoot::from_environment().expect("a cache root"), folder.path().join("data"));
        std::fs::create_dir(&own).expect("folder");
        for (from, name) in [(machine.artifacts(), "artifacts"), (machine.precompiled(), "precompiled")] {
            std::os::unix::fs::symlink(from, own.join(name)).expect("link");
        }
        Place { folder }
    }

    fn coordinator(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_coordinator"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("GG_FARM_HOME", self.folder.path().join("data"))
            .output()
            .expect("the command starts")
    }

    /// Runs one program that finishes, its records beneath `runs`; gives the run's name.
    fn run(&self, runs: &str, program: &str) -> String {
        let replies = self.folder.path().join("replies");
        std::fs::create_dir_all(&replies).expect("folder");
        let text = format!(
            "import {{ writeFile }} from 'gg/files';\nimport {{ openText }} from 'gg/views';\nimport {{ finish }} from 'gg/session';\n{program}\nfinish('done');"
        );
        std::fs::write(replies.join("1"), text).expect("reply");
        let before = self.names(runs);
        let flags = ["run", "--task", "Do it.", "--arm", "javascript", "--replies", "replies", "--runs", runs];
        let output = self.coordinator(&flags);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        self.names(runs).into_iter().find(|name| !before.contains(name)).expect("a new run")
    }

    fn names(&self, runs: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path().join(runs)).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    fn objects(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut open = vec![self.folder.path().join("data/objects/objects")];
        while let Some(next) = open.pop() {
            for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() { open.push(path) } else { found.push(path) }
            }
        }
        found.sort();
        found
    }
}

fn said(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn holds(objects: &[PathBuf], text: &str) -> bool {
    objects.iter().any(|path: &PathBuf| std::fs::read(Path::new(path)).is_ok_and(|bytes| bytes == text.as_bytes()))
}

#[test]
fn a_run_is_listed_and_removed_with_what_only_it_refers_to() {
    let place = Place::new();
    let shared = "writeFile('dir/shared', 'shared by both');";
    let first =
        place.run("runs", &format!("{shared} writeFile('mine', 'only the first'); openText('v', 'a'.repeat(65_530));"));
    let second = place.run("elsewhere/runs", &format!("{shared} writeFile('other', 'only the second');"));

    let listed: Value = serde_json::from_slice(&place.coordinator(&["runs", "--json"]).stdout).expect("json");
    let row = &listed["runs"][0];
    assert_eq!((row["run"].as_str(), row["state"].as_str()), (Some(first.as_str()), Some("finished")), "{listed}");
    let table = place.coordinator(&["runs"]);
    assert!(said(&table).contains(&first) && said(&table).contains("Do it."), "{}", said(&table));

    let objects = place.objects();
    for text in ["shared by both", "only the first", "only the second"] {
        assert!(holds(&objects, text), "{text}");
    }
    let removed = place.coordinator(&["runs", "rm", &first[..20]]);
    assert_eq!(removed.status.code(), Some(0), "{}", said(&removed));
    assert!(said(&removed).contains("removed 1 run and "), "{}", said(&removed));
    assert_eq!(place.names("runs"), Vec::<String>::new());
    let objects = place.objects();
    assert!(!holds(&objects, "only the first"), "what nothing refers to is gone");
    assert!(
        holds(&objects, "shared by both") && holds(&objects, "only the second"),
        "what another folder's run needs is not"
    );
    let shown = place.coordinator(&["show", &second, "--runs", "elsewhere/runs"]);
    assert!(said(&shown).contains("finished: done"), "{}", said(&shown));

    let removed = place.coordinator(&["runs", "rm", &second, "--runs", "elsewhere/runs", "--json"]);
    assert_eq!(removed.status.code(), Some(0), "{}", said(&removed));
    let told: Value = serde_json::from_slice(&removed.stdout).expect("json");
    assert_eq!(told["removed"], serde_json::json!([second]));
    assert!(told["objects"].as_u64() > Some(0), "{told}");
    assert_eq!(place.objects(), Vec::<PathBuf>::new(), "nothing is left over");
    let unknown = place.coordinator(&["runs", "rm", &second]);
    assert_eq!(unknown.status.code(), Some(2), "{}", said(&unknown));
}

#[test]
fn a_run_that_is_driven_and_objects_in_use_are_left() {
    let place = Place::new();
    let run = place.run("runs", "writeFile('mine', 'only this');");
    let log = std::fs::File::open(place.folder.path().join("runs").join(&run).join("events.jsonl")).expect("log");
    log.lock().expect("as who drives it");
    let refused = place.coordinator(&["runs", "rm", &run]);
    assert_eq!(refused.status.code(), Some(3), "{}", said(&refused));
    assert!(said(&refused).contains("driven by another process"), "{}", said(&refused));
    drop(log);
    let used = std::fs::File::open(place.folder.path().join("data/objects/in-use")).expect("lock");
    used.lock_shared().expect("as who uses them");
    let refused = place.coordinator(&["runs", "rm", &run]);
    assert_eq!(refused.status.code(), Some(3), "{}", said(&refused));
    assert!(said(&refused).contains("being used by a run") && said(&refused).contains("--keep-objects"));
    assert!(holds(&place.objects(), "only this") && place.names("runs") == [run.clone()], "nothing was removed");
    let kept = place.coordinator(&["runs", "rm", &run, "--keep-objects"]);
    assert_eq!(kept.status.code(), Some(0), "{}", said(&kept));
    assert!(holds(&place.objects(), "only this") && place.names("runs").is_empty());
}
