//! `worker exec` as its users run it: what it prints and what it exits with.

#![expect(clippy::disallowed_methods, reason = "the binary under test is started as its users start it")]

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

fn worker(args: &[&str], stdin: &[u8]) -> Output {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_worker"));
    let mut child = command
        .args(args)
        .env("RUST_LOG", "error")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the worker starts");
    // A worker that refuses its arguments ends without reading.
    let taken = child.stdin.take().expect("stdin").write_all(stdin);
    assert!(!taken.is_err_and(|error| error.kind() != std::io::ErrorKind::BrokenPipe), "the program is taken");
    child.wait_with_output().expect("the worker ends")
}

fn json(args: &[&str], program: &str) -> (Value, i32) {
    let mut all = vec!["exec", "--json", "-"];
    all.extend(args);
    let output = worker(&all, program.as_bytes());
    let text = String::from_utf8(output.stdout).expect("utf-8");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1, "one object: {text:?}, {:?}", String::from_utf8_lossy(&output.stderr));
    (serde_json::from_str(lines[0]).expect("json"), output.status.code().expect("an exit status"))
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_completed_program_prints_its_log_and_exits_with_0() {
    let output = worker(&["exec", "--arm", "javascript", "-"], b"console.log('hello');");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(output.stdout, b"hello\n");
}

#[test]
fn the_json_object_has_every_field_of_the_contract() {
    let program =
        "import { openText } from 'gg/views';\nopenText('a', 'b');\nconsole.error('warned');\nconsole.log('said');\n";
    let (report, status) = json(&["--arm", "javascript"], program);
    assert_eq!(status, 0);
    assert_eq!(report["outcome"], "completed");
    assert_eq!(report["errorType"], Value::Null);
    assert_eq!(report["errorText"], Value::Null);
    assert_eq!(report["log"], "said\n");
    assert_eq!(report["stderr"], "warned\n");
    assert_eq!(report["views"][0]["selector"], "a");
    assert_eq!(report["views"][0]["body"], "b");
    assert_eq!(report["calls"][0]["operation"], "views.open_text");
    assert_eq!(report["calls"][0]["count"], 1);
    assert!(report["durationMs"].as_f64().is_some_and(|ms| ms > 0.0));
    assert!(report["compileWaitMs"].is_number());
    assert!(report.get("compileMs").is_none(), "nothing compiles");
    assert_eq!(report["exitCode"], 0);
}

#[test]
fn a_failed_and_a_rejected_program_exit_with_1_and_say_what_a_model_reads() {
    let (report, status) = json(&["--arm", "python"], "import sys\nsys.exit(3)\n");
    assert_eq!((status, &report["outcome"], &report["errorType"]), (1, &"failed".into(), &"program_exit".into()));
    assert_eq!(report["exitCode"], 3);
    let (report, status) = json(&["--arm", "python"], " \n");
    assert_eq!((status, &report["outcome"], &report["errorType"]), (1, &"rejected".into(), &"reply_empty".into()));
    assert!(report["errorText"].as_str().is_some_and(|text| text.contains("empty")));
}

#[test]
fn what_compiling_took_is_told_where_something_compiles_and_on_the_failing_path_too() {
    let (report, status) = json(&["--arm", "rust"], "fn main() {\n    println!(\"said\");\n}\n");
    assert_eq!((status, &report["log"]), (0, &"said\n".into()), "{report}");
    assert!(report["compileMs"].as_f64() > Some(0.0) && report["compileWaitMs"].as_f64() > Some(0.0), "{report}");
    let (report, status) = json(&["--arm", "rust"], "fn main() {\n    let n: i32 = \"a\";\n}\n");
    assert_eq!((status, &report["errorType"]), (1, &"transpile_compile".into()), "{report}");
    assert!(report["errorText"].as_str().is_some_and(|text| text.contains(" --> program.rs:2:18")), "{report}");
    assert!(report["compileMs"].as_f64() > Some(0.0), "{report}");
}

#[test]
fn what_compiling_took_is_in_neither_the_programs_time_nor_the_engines() {
    // Long to compile, and a handful of instructions to load and to run.
    let program = "#![allow(long_running_const_eval)]\n\nconst N: u32 = {\n    let mut n = 0;\n    while n < 500_000 {\n        n += 1;\n    }\n    n\n};\n\nfn main() {\n    println!(\"{N}\");\n}\n";
    let (report, status) = json(&["--arm", "rust"], program);
    assert_eq!((status, &report["log"]), (0, &"500000\n".into()), "{report}");
    let ms = |name: &str| report[name].as_f64().expect("a number");
    assert!(ms("durationMs") + ms("compileWaitMs") < ms("compileMs"), "{report}");
}

#[test]
fn a_compiler_that_a_program_kills_is_the_farms_failure_and_the_program_is_suspected() {
    let brackets = format!("fn main() {{ let _ = {}1{}; }}\n", "(".repeat(100_000), ")".repeat(100_000));
    let (report, status) = json(&["--arm", "rust"], &brackets);
    assert_eq!((status, &report["outcome"]), (3, &"internal".into()), "{report}");
    assert_eq!(report["suspect"], "program", "a program of our own compiled after it: {report}");
    assert!(report["errorText"].as_str().is_some_and(|text| text.contains("rustc was killed by signal")), "{report}");
}

#[test]
fn a_compiler_that_is_not_where_it_was_said_names_the_variable_and_the_installer() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_worker"))
        .args(["selfcheck", "--arm", "rust"])
        .env("TCAB_GG_RUSTC", "/nowhere/rustc")
        .stdin(Stdio::null())
        .output()
        .expect("the worker runs");
    assert_ne!(output.status.code(), Some(0));
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), stderr(&output));
    for part in ["TCAB_GG_RUSTC=/nowhere/rustc", "containers/gg-toolchains/rust.sh"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_wrong_command_line_exits_with_2_and_names_what_is_wrong() {
    let cases: [(&[&str], &str); 6] = [
        (&["exec", "--arm", "cobol", "-"], "write one of javascript, python"),
        (&["exec", "-"], "--arm"),
        (&["exec", "--arm", "python", "/nonexistent/prog.py"], "/nonexistent/prog.py cannot be read"),
        (&["exec", "--arm", "python", "-", "--tree", "/nonexistent"], "there is no such folder"),
        (&["exec", "--arm", "python", "-", "--grant", "files.red_file"], "did you mean"),
        (&["bench", "--only", "nothing"], "no figure begins so"),
    ];
    for (args, expected) in cases {
        let output = worker(args, b"print(1)");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn the_farms_failure_exits_with_3_and_names_what_to_do() {
    let root = tempfile::tempdir().expect("tempdir");
    std::fs::write(root.path().join("artifacts"), b"a file where a folder should be").expect("write");
    #[expect(clippy::disallowed_methods, reason = "the binary under test, with a broken cache root")]
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_worker"))
        .args(["exec", "--arm", "python", "-"])
        .env("GG_FARM_HOME", root.path())
        .env("GG_FARM_SOURCES", root.path())
        .stdin(Stdio::null())
        .output()
        .expect("the worker runs");
    // An empty program is rejected before anything of the farm is touched.
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    #[expect(clippy::disallowed_methods, reason = "the binary under test, with a broken cache root")]
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_worker"))
        .args(["exec", "--arm", "python", concat!(env!("CARGO_MANIFEST_DIR"), "/build.rs")])
        .env("GG_FARM_HOME", root.path())
        .env("GG_FARM_SOURCES", root.path())
        .output()
        .expect("the worker runs");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("worker artifacts build --arm python"), "{}", stderr(&output));
}

const WRITES: &str = "from gg import files\nfiles.write_file('new.txt', 'x')\n";

#[test]
fn a_tree_is_a_copy_unless_it_is_used_in_place() {
    let tree = tempfile::tempdir().expect("tempdir");
    std::fs::write(tree.path().join("old.txt"), b"old").expect("write");
    let path = tree.path().to_str().expect("utf-8");
    let (_, status) = json(&["--arm", "python", "--tree", path], WRITES);
    assert_eq!(status, 0);
    assert!(!tree.path().join("new.txt").exists(), "a copy");
    let (_, status) = json(&["--arm", "python", "--tree", path, "--in-place"], WRITES);
    assert_eq!(status, 0);
    assert_eq!(std::fs::read(tree.path().join("new.txt")).expect("written"), b"x");
    assert_eq!(std::fs::read(tree.path().join("old.txt")).expect("kept"), b"old");
}

#[test]
fn in_place_only_what_the_program_changed_is_changed() {
    let folder = tempfile::tempdir().expect("tempdir");
    let tree = folder.path().join("tree");
    std::fs::create_dir(&tree).expect("folder");
    for (name, text) in [("same", "same"), ("edited", "before"), ("gone", "gone")] {
        std::fs::write(tree.join(name), text).expect("write");
    }
    let fifo = std::process::Command::new("mkfifo").arg(tree.join("fifo")).status().expect("mkfifo");
    assert!(fifo.success());
    // The user works on, while the program runs.
    let program = "import os, time\nopen('new', 'w').write('x')\nos.remove('gone')\ntime.sleep(3)";
    let path = tree.to_str().expect("utf-8").to_owned();
    let running = std::thread::spawn(move || json(&["--arm", "python", "--tree", &path, "--in-place"], program));
    // The program sees a copy: it was made when the program has begun.
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    std::fs::write(tree.join("edited"), "by the user, meanwhile").expect("write");
    std::fs::write(tree.join("made"), "by the user, meanwhile").expect("write");
    let (report, status) = running.join().expect("ran");
    assert_eq!(status, 0, "{report}");
    let read = |name: &str| std::fs::read_to_string(tree.join(name)).expect("read");
    assert_eq!((read("new").as_str(), read("same").as_str()), ("x", "same"));
    assert_eq!((read("edited").as_str(), read("made").as_str()), ("by the user, meanwhile", "by the user, meanwhile"));
    assert!(!tree.join("gone").exists() && std::fs::symlink_metadata(tree.join("fifo")).is_ok());
}

#[test]
fn a_result_that_cannot_be_written_is_an_error_and_no_panic() {
    let full = || Stdio::from(std::fs::File::options().write(true).open("/dev/full").expect("/dev/full"));
    let started = |stdout: Stdio| {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_worker"))
            .args(["exec", "--arm", "javascript", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/hello.js")])
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the worker starts");
        drop(child.stdout.take());
        child.wait_with_output().expect("the worker ends")
    };
    let output = started(full());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot be written to standard output"), "{}", stderr(&output));
    // Who reads has read enough.
    let output = started(Stdio::piped());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn names_and_texts_of_any_length_cost_no_time() {
    let program = "from gg import docs, session, views\nfrom gg.core import ApiError\n\
def code(call):\n    try: call()\n    except ApiError as error: return error.code.value if hasattr(error.code, 'value') else error.code\n\
print(code(lambda: views.open_docs_view('x' * 5_000_000)))\n\
print(code(lambda: docs.search('x ' * 5_000_000)))\n\
print(code(lambda: session.finish('x' * 5_000_000)))\n";
    let (report, status) = json(&["--arm", "python"], program);
    assert_eq!(status, 0, "{report}");
    let log = report["log"].as_str().expect("log").replace('_', "-").to_lowercase();
    assert_eq!(log, "not-found\ninvalid-argument\nlimit-exceeded\n");
}

#[test]
fn only_what_is_granted_is_served_and_the_rest_is_on_the_refusal_roster() {
    let program = "from gg import files\nprint(files.list_dir())\nfiles.write_file('a', 'b')\n";
    let (report, status) = json(&["--arm", "python", "--grant", "files.list_dir"], program);
    assert_eq!(status, 1);
    assert_eq!(report["errorType"], "program_unknown_name");
    assert_eq!(report["log"], "[]\n");
    assert_eq!(report["refusals"], serde_json::json!(["files.write_file"]));
    assert!(report["errorText"].as_str().is_some_and(|text| text.contains("does not enable `write-file`")), "{report}");
}

#[test]
fn a_profile_that_enables_what_nothing_serves_is_refused_when_it_is_read() {
    let folder = tempfile::tempdir().expect("tempdir");
    let profile = folder.path().join("profile.toml");
    std::fs::write(&profile, "arm = 'python'\ncapabilities = ['fork', 'read-file']\n").expect("write");
    let output = worker(&["exec", "-", "--profile", profile.to_str().expect("utf-8")], b"print(1)");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`fork` is not served in this version"), "{}", stderr(&output));
}

#[test]
fn every_registered_arm_passes_its_selfcheck() {
    let output = worker(&["selfcheck", "--json"], b"");
    let report: Value = serde_json::from_slice(&output.stdout).expect("json");
    for row in report["arms"].as_array().expect("arms") {
        assert_eq!(row["ok"], true, "{row}");
    }
    assert_eq!(report["arms"].as_array().map(Vec::len), Some(gg_common::arm::Arm::ALL.len()));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn artifacts_are_listed_and_verified() {
    let output = worker(&["artifacts", "verify", "--json"], b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = worker(&["artifacts", "list", "--json"], b"");
    let report: Value = serde_json::from_slice(&output.stdout).expect("json");
    for row in report["artifacts"].as_array().expect("rows") {
        assert_eq!(row["state"], "here", "{row}");
        assert!(Path::new(row["folder"].as_str().expect("folder")).join("catalogue.json").exists());
    }
}

#[test]
fn where_no_namespaces_can_be_had_landlock_alone_confines_an_executor() {
    // SAFETY: geteuid has no preconditions.
    if unsafe { libc::geteuid() } != 0 {
        // An ordinary user cannot be given a user of its own, and the attack tests hold the refusal.
        return;
    }
    let output = std::process::Command::new("setpriv")
        .args(["--bounding-set=-sys_admin", "--inh-caps=-sys_admin", env!("CARGO_BIN_EXE_worker")])
        .args(["exec", "--arm", "javascript", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/hello.js")])
        .stdin(Stdio::null())
        .output()
        .expect("setpriv runs (package util-linux)");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("by Landlock alone"), "{}", stderr(&output));
    assert_eq!(output.stdout, b"hello\n");
}
