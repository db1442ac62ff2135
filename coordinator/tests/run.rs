//! Whole runs through the worker inside: the example in both languages, endings, interrupts, and what they leave behind.
#![cfg(feature = "embedded")]
#![expect(clippy::disallowed_methods, reason = "the command under test is started as a person starts it")]

use gg_common::arm::Arm;
use gg_common::event::{Ending, Event, EventBody};
use gg_common::outcome::Outcome;
use gg_common::summary::Summary;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/wordcount").join(name)
}

/// A folder with replies, and the runs made from it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new(replies: &[&[u8]]) -> Place {
        let folder = tempfile::tempdir().expect("tempdir");
        std::fs::create_dir(folder.path().join("replies")).expect("replies");
        for (index, bytes) in replies.iter().enumerate() {
            std::fs::write(folder.path().join(format!("replies/{:02}", index + 1)), bytes).expect("reply");
        }
        Place { folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_coordinator"));
        command.arg("run").arg("--runs").arg(self.folder.path().join("runs")).args(arguments);
        command
    }

    fn with_flags(&self, arm: Arm) -> Command {
        let mut command = self.command(&["--task", "Do it.", "--arm", arm.id()]);
        command.arg("--replies").arg(self.folder.path().join("replies"));
        command
    }

    /// The folder of the only run.
    fn run(&self) -> PathBuf {
        let runs = std::fs::read_dir(self.folder.path().join("runs")).expect("runs");
        let mut folders: Vec<_> = runs.map(|entry| entry.expect("entry").path()).collect();
        assert_eq!(folders.len(), 1, "{folders:?}");
        folders.remove(0)
    }
}

fn output(mut command: Command) -> Output {
    command.output().expect("the command starts")
}

fn events(run: &Path) -> Vec<Event> {
    let text = std::fs::read_to_string(run.join("events.jsonl")).expect("events.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect("an event")).collect()
}

fn summary(run: &Path) -> Summary {
    serde_json::from_slice(&std::fs::read(run.join("summary.json")).expect("summary.json")).expect("a summary")
}

fn said(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn the_example_comes_to_the_same_answer_in_every_language() {
    let mut answers = Vec::new();
    for (file, arm, extension, second) in [
        ("run.toml", Arm::Python, "py", "program_error"),
        ("run-javascript.toml", Arm::Javascript, "js", "program_error"),
        ("run-typescript.toml", Arm::Typescript, "ts", "transpile_compile"),
        ("run-rust.toml", Arm::Rust, "rs", "transpile_compile"),
    ] {
        let place = Place::new(&[]);
        let path = example(file).display().to_string();
        let output = output(place.command(&[&path, "--json"]));
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let printed: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(printed["exitStatus"], 0);

        let run = place.run();
        let summary = summary(&run);
        assert_eq!(printed["summary"], serde_json::to_value(&summary).expect("json"));
        assert_eq!((summary.arm, summary.turns, summary.code_executions), (arm, 4, 4));
        let compiles = matches!(arm, Arm::Typescript | Arm::Rust);
        assert_eq!(summary.outcomes.get("completed"), Some(&3), "{:?}", summary.outcomes);
        assert_eq!(summary.outcomes.get(second), Some(&1), "{:?}", summary.outcomes);
        assert!(
            summary.duration_ms > 0.0 && (summary.compile_ms > 0.0) == compiles,
            "0, and not absent, where nothing is"
        );
        for event in events(&run) {
            let EventBody::CodeExecution { timings, .. } = event.event else { continue };
            assert_eq!(timings.compile_ms.is_some(), compiles, "on the failing path too, and absent where nothing is");
        }
        let Some(Ending::Finished { summary: answer }) = &summary.ending else { panic!("{:?}", summary.ending) };
        assert!(
            answer.contains("226 words (142 different) of 4 files") && answer.contains("“the” with 29"),
            "{answer}"
        );
        assert!(!summary.platform.artifacts[arm.id()].is_empty() && !summary.platform.engine.is_empty());

        let counts = std::fs::read_to_string(run.join("tree/counts.json")).expect("counts.json");
        answers.push(serde_json::from_str::<serde_json::Value>(&counts).expect("json"));
        let original = std::fs::read(example("files/letters.txt")).expect("letters.txt");
        assert_eq!(std::fs::read(run.join("tree/letters.txt")).expect("letters.txt"), original);
        for turn in 1..=4 {
            assert!(run.join(format!("programs/{turn:04}.{extension}")).is_file());
        }
        let events = events(&run);
        assert!(matches!(events[0].event, EventBody::RunStarted { .. }));
        assert!(matches!(events[events.len() - 1].event, EventBody::RunEnded { .. }));
        assert!(events.iter().enumerate().all(|(index, event)| event.seq == index as u64));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
}

#[test]
fn what_a_reply_is_worth_is_told_apart() {
    let place = Place::new(&[
        b"raise KeyError('a')",
        b"caf\xff",
        b" \n",
        &vec![b'#'; 5 << 20],
        b"prnt(1)",
        b"from gg import session\nsession.finish('done')",
    ]);
    let output = output({
        let mut command = place.with_flags(Arm::Python);
        command.arg("--json");
        command
    });
    assert_eq!(output.status.code(), Some(1), "five error turns in a row end it: {}", said(&output));
    let summary = summary(&place.run());
    assert!(
        matches!(&summary.ending, Some(Ending::Ceiling { ceiling, limit: 5 }) if ceiling == "consecutiveErrorTurns")
    );
    assert_eq!((summary.turns, summary.code_executions), (5, 2));
    for name in ["program_error", "reply_not_utf8", "reply_empty", "reply_too_large", "program_unknown_name"] {
        assert_eq!(summary.outcomes.get(name), Some(&1), "{name}: {:?}", summary.outcomes);
    }
}

#[test]
fn the_scripts_end_is_one_and_the_tree_stands() {
    let place = Place::new(&["import * as files from 'gg/files';\nfiles.writeFile('a/b.txt', 'é');".as_bytes()]);
    let output = output(place.with_flags(Arm::Javascript));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("no reply was left"), "{}", said(&output));
    assert_eq!(std::fs::read_to_string(place.run().join("tree/a/b.txt")).expect("tree"), "é");
}

/// Sends a signal to the command alone.
fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill");
    assert!(status.success());
}

/// Waits until the run's log holds a turn that is open.
fn wait_for_open_turn(place: &Place) {
    for _ in 0..1_200 {
        let runs = std::fs::read_dir(place.folder.path().join("runs"));
        let logs = runs.into_iter().flatten().flatten().map(|entry| entry.path().join("events.jsonl"));
        if logs.into_iter().any(|log| std::fs::read_to_string(log).is_ok_and(|text| text.contains("turn_started"))) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no turn was started");
}

#[test]
fn an_interrupt_lets_the_open_turn_end_and_a_second_one_does_not() {
    let sleeping: &[u8] = b"import time\ntime.sleep(2)";
    let place = Place::new(&[sleeping, b"never = 1"]);
    let child = place.with_flags(Arm::Python).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("start");
    wait_for_open_turn(&place);
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("output");
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains("go on with `coordinator run --resume "), "{}", said(&output));
    let summary = summary(&place.run());
    assert_eq!((summary.turns, &summary.ending), (1, &None));

    let place = Place::new(&[b"import time\ntime.sleep(25)"]);
    let child = place.with_flags(Arm::Python).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("start");
    wait_for_open_turn(&place);
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("output");
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    let events = events(&place.run());
    assert!(matches!(events[events.len() - 1].event, EventBody::TurnStarted { .. }));
}

#[test]
fn the_records_say_what_happened() {
    let place = Place::new(&[
        b"print('to the log')\nfrom gg import views\nviews.open_text('label', 'body')",
        b"from gg import session\nsession.finish('done')",
    ]);
    let output = output(place.with_flags(Arm::Python));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let run = place.run();
    let executions: Vec<_> = events(&run)
        .into_iter()
        .filter_map(|event| match event.event {
            EventBody::CodeExecution { outcome, calls, log, worker, timings, .. } => {
                Some((outcome, calls, log, worker, timings))
            }
            _ => None,
        })
        .collect();
    let (outcome, calls, log, worker, timings) = &executions[0];
    assert_eq!(*outcome, Outcome::Completed);
    assert_eq!(
        calls.iter().map(|call| (call.operation.as_str(), call.count)).collect::<Vec<_>>(),
        [("views.open_text", 1)]
    );
    assert!(serde_json::to_string(log).expect("json").contains("to the log"));
    assert!(worker.is_some() && timings.duration_ms > 0.0 && timings.compile_ms.is_none());
    assert!(!run.join("tree").exists() || std::fs::read_dir(run.join("tree")).expect("tree").next().is_none());
}

/// What an endpoint heard, a request an item.
type Heard = Arc<Mutex<Vec<String>>>;

/// An endpoint that gives these answers, one a connection, and what it heard. Where an answer is empty it says nothing
/// until who asked is gone.
fn endpoint(answers: Vec<String>) -> (String, Heard) {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("address"));
    let all = Heard::default();
    let told = all.clone();
    std::thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().expect("a connection");
            let (mut heard, mut bytes) = (Vec::new(), [0; 4096]);
            let whole = |heard: &[u8]| {
                let head = heard.windows(4).position(|four| four == b"\r\n\r\n")?;
                let text = String::from_utf8_lossy(&heard[..head]).into_owned();
                let length = text.lines().find_map(|line| line.strip_prefix("content-length: "))?;
                Some(heard.len() >= head + 4 + length.parse::<usize>().ok()?)
            };
            while whole(&heard) != Some(true) {
                let read = stream.read(&mut bytes).expect("a request");
                assert!(read > 0, "the request ended before its end");
                heard.extend_from_slice(&bytes[..read]);
            }
            told.lock().expect("lock").push(String::from_utf8_lossy(&heard).into_owned());
            while answer.is_empty() && stream.read(&mut bytes).is_ok_and(|read| read > 0) {}
            // Who is gone hears nothing.
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (url, all)
}

fn answer(status: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nretry-after-ms: 1\r\nconnection: close\r\n\r\n{body}"
    )
}

fn says(text: &str) -> String {
    let body = serde_json::json!({
        "model": "m-1", "choices": [{ "finish_reason": "stop", "message": { "content": text } }],
        "usage": { "prompt_tokens": 9, "completion_tokens": 2 },
    });
    answer("200 OK", &body.to_string())
}

#[test]
fn a_run_of_a_model_behind_an_address_goes_on_with_the_same_model_and_its_key_where_it_was() {
    let (url, serving) = endpoint(vec![
        says("from gg import files\nfiles.write_file('made', 'in turn 1')"),
        String::new(),
        says("from gg import files, session\nsession.finish(files.read_text_file('made'))"),
    ]);
    let place = Place::new(&[]);
    let table = format!("[model]\nkind = 'openai'\nbaseUrl = '{url}'\nmodel = 'm'\napiKeyEnv = 'THE_KEY'\n");
    std::fs::write(place.folder.path().join("model.toml"), table).expect("write");
    let mut command = place.command(&["--task", "Do it.", "--arm", "python", "--model"]);
    command.arg(place.folder.path().join("model.toml")).env("THE_KEY", "sk-1");
    let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("the command starts");
    // The first turn is closed, and the model is asked for the second.
    while serving.lock().expect("lock").len() < 2 {
        assert!(child.try_wait().expect("wait").is_none(), "it ended before its second turn");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("kill");
    child.wait().expect("wait");

    let name = place.run().file_name().expect("a name").to_string_lossy().into_owned();
    let mut without = place.command(&["--resume", &name]);
    without.env_remove("THE_KEY");
    let without = output(without);
    assert_eq!(without.status.code(), Some(2), "{}", said(&without));
    assert!(
        said(&without).contains("`apiKeyEnv` names is not set"),
        "the key is looked for where it was: {}",
        said(&without)
    );
    let mut resumed = place.command(&["--resume", &name]);
    resumed.env("THE_KEY", "sk-2");
    let resumed = output(resumed);
    assert_eq!(resumed.status.code(), Some(0), "{}", said(&resumed));
    assert!(said(&resumed).contains("finished: in turn 1"), "{}", said(&resumed));
    let heard = serving.lock().expect("lock").clone();
    let body = |request: &String| request.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
    assert_eq!(body(&heard[1]), body(&heard[2]), "the turn that was open is asked for again in the same words");
    assert!(heard[2].contains("Bearer sk-2"), "{}", heard[2]);
    let summary = summary(&place.run());
    assert_eq!((summary.turns, summary.resumes, summary.tokens.input), (2, 1, 18));
}

#[test]
fn a_model_behind_an_address_drives_a_run_and_its_key_stays_out_of_all_that_is_left() {
    const KEY: &str = "sk-live-0123456789";
    let (url, serving) = endpoint(vec![
        says("```python\nx = 1\n```"),
        answer("503 Service Unavailable", &format!("{{\"error\": {{\"message\": \"down, {KEY}\"}}}}")),
        says("from gg import session\nsession.finish('done')"),
    ]);
    let place = Place::new(&[]);
    let table = format!("[model]\nkind = 'openai'\nbaseUrl = '{url}'\nmodel = 'm'\napiKeyEnv = 'THE_KEY'\n");
    std::fs::write(place.folder.path().join("model.toml"), table).expect("write");
    let mut command = place.command(&["--task", "Do it.", "--arm", "python", "--model"]);
    // Everything tells all it does, but for the compiler: where a guest is not compiled yet, that would take minutes.
    let told = "trace,cranelift=warn,regalloc2=warn,wasmtime=warn";
    command.arg(place.folder.path().join("model.toml")).env("THE_KEY", KEY).env("RUST_LOG", told);
    let output = output(command);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let heard = serving.lock().expect("lock").clone();
    assert!(heard.iter().all(|request| request.contains(&format!("Bearer {KEY}"))), "{heard:#?}");
    assert!(heard[1].contains("A reply is the program and nothing else"), "{}", heard[1]);

    let run = place.run();
    assert!(!said(&output).contains("live"), "what is said and traced holds no key");
    for name in ["events.jsonl", "summary.json"] {
        let text = std::fs::read_to_string(run.join(name)).expect("read");
        assert!(!text.contains("live"), "{name}: {text}");
    }
    let summary = summary(&run);
    assert_eq!((summary.turns, summary.model.calls, summary.model.retries), (2, 2, 1));
    assert_eq!((summary.tokens.input, summary.tokens.output), (18, 4));
    assert!(said(&output).contains("the model is asked again") && said(&output).contains("down, [key]"));
    let EventBody::RunStarted { model: Some(model), .. } = &events(&run)[0].event else { panic!("a model") };
    assert_eq!(model.api_key_env.as_deref(), Some("THE_KEY"), "the log says where the key lies");
}

/// A mount of a few kilobytes, which goes when the test does.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// None where this user may mount nothing.
    fn mount(place: &Place) -> Option<SmallDisk> {
        let path = place.folder.path().join("runs");
        std::fs::create_dir(&path).expect("runs");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=24k", "none"]).arg(&path).output();
        mounted.is_ok_and(|output| output.status.success()).then_some(SmallDisk(path))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(&self.0).status();
        assert!(unmounted.is_ok_and(|status| status.success()), "{} stays mounted", self.0.display());
    }
}

#[test]
fn a_full_disk_is_three_says_what_to_do_and_loses_no_turn_that_was_closed() {
    let long = "x = 1\n".repeat(1_500);
    let place = Place::new(&[long.as_bytes(); 4]);
    let Some(disk) = SmallDisk::mount(&place) else {
        eprintln!("not tried: this user may mount nothing");
        return;
    };
    let output = output(place.with_flags(Arm::Javascript));
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("No space left") && said(&output).contains("free some space"), "{}", said(&output));
    let events = events(&place.run());
    assert!(matches!(events[0].event, EventBody::RunStarted { .. }), "every line of the log is whole");
    drop(disk);
}

#[test]
fn files_that_hold_more_than_a_tree_may_are_refused_before_the_first_turn() {
    let place = Place::new(&[b"x = 1"]);
    std::fs::create_dir(place.folder.path().join("files")).expect("files");
    std::fs::write(place.folder.path().join("files/large"), vec![b'x'; 5_000]).expect("write");
    let text = "task = 'Do it.'\nfiles = 'files'\nreplies = 'replies'\n[profile]\narm = 'python'\n[profile.limits]\ntreeBytes = 2000\n";
    let path = place.folder.path().join("run.toml");
    std::fs::write(&path, text).expect("write");
    let output = output(place.command(&[&path.display().to_string()]));
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("treeBytes") && said(&output).contains("files"), "{}", said(&output));
    assert!(!said(&output).contains("turn 1"), "{}", said(&output));
}

#[test]
fn a_run_that_is_taken_up_where_its_files_are_not_stays_as_it_is() {
    let place = Place::new(&[b"from gg import files\nfiles.write_file('a', 'b')", b"x = 1"]);
    let cut = output(place.with_flags(Arm::Python));
    assert_eq!(cut.status.code(), Some(1), "{}", said(&cut));
    let (run, log) = (place.run(), place.run().join("events.jsonl"));
    let name = run.file_name().expect("a name").to_string_lossy().into_owned();
    let lines = std::fs::read_to_string(&log).expect("log");
    let open = lines.lines().take(5).map(|line| format!("{line}\n")).collect::<String>();
    std::fs::write(&log, &open).expect("as when it was killed in its second turn");
    let elsewhere = tempfile::tempdir().expect("tempdir");
    let mut command = place.command(&["--resume", &name]);
    command.env("GG_FARM_HOME", elsewhere.path());
    let refused = output(command);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(said(&refused).contains("GG_FARM_HOME"), "{}", said(&refused));
    assert_eq!(std::fs::read_to_string(&log).expect("log"), open, "nothing was written");
    let victim = tempfile::tempdir().expect("tempdir");
    std::fs::write(victim.path().join("precious"), "kept").expect("write");
    std::fs::remove_dir_all(run.join("tree")).expect("remove");
    std::os::unix::fs::symlink(victim.path(), run.join("tree")).expect("link");
    let refused = output(place.command(&["--resume", &name]));
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(victim.path().join("precious").is_file() && said(&refused).contains("is a link"), "{}", said(&refused));
    std::fs::remove_file(run.join("tree")).expect("remove");
    let resumed = output(place.command(&["--resume", &run.display().to_string()]));
    assert_eq!(resumed.status.code(), Some(1), "by its path: {}", said(&resumed));
}

#[test]
fn a_ceiling_on_tokens_that_nobody_counts_is_warned_about() {
    let body = serde_json::json!({
        "choices": [{ "finish_reason": "stop", "message": { "content": "from gg import session\nsession.finish('done')" } }],
    });
    let (url, _) = endpoint(vec![answer("200 OK", &body.to_string())]);
    let place = Place::new(&[]);
    let text = format!(
        "task = 'Do it.'\n[model]\nkind = 'openai'\nbaseUrl = '{url}'\nmodel = 'm'\n[profile]\narm = 'python'\n[ceilings]\noutputTokens = 5\n"
    );
    let path = place.folder.path().join("run.toml");
    std::fs::write(&path, text).expect("write");
    let output = output(place.command(&[&path.display().to_string()]));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("says nothing of tokens"), "{}", said(&output));
}

/// The command where a folder can only be read; none where this user may mount nothing.
fn where_read_only(folder: &Path, command: &Command) -> Option<Output> {
    let script =
        "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" && echo mounted >&2 && shift && exec \"$@\"";
    let mut inside = Command::new("unshare");
    inside.args(["--mount", "sh", "-c", script, "sh"]).arg(folder).arg(command.get_program()).args(command.get_args());
    let output = inside.output().ok()?;
    String::from_utf8_lossy(&output.stderr).contains("mounted").then_some(output)
}

#[test]
fn a_folder_that_can_only_be_read_serves_as_files_and_is_named_as_runs() {
    let place = Place::new(&[b"from gg import files, session\nfiles.write_file('made', files.read_text_file('given'))\nsession.finish('done')"]);
    let files = place.folder.path().join("files");
    std::fs::create_dir(&files).expect("files");
    std::fs::write(files.join("given"), "given").expect("write");
    let mut command = place.with_flags(Arm::Python);
    command.arg("--files").arg(&files);
    let Some(output) = where_read_only(&files, &command) else {
        eprintln!("not tried: this user may mount nothing");
        return;
    };
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(std::fs::read_to_string(place.run().join("tree/made")).expect("made"), "given");
    let runs = place.folder.path().join("runs");
    let output = where_read_only(&runs, &command).expect("as before");
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    for part in ["Read-only file system", "runs/", "--runs"] {
        assert!(said(&output).contains(part), "{part}: {}", said(&output));
    }
}

/// A run file whose agent remembers in `store`.
fn remembers(place: &Place, store: &str, strategy: &str) -> String {
    let text = format!(
        "task = 'Remember.'\nreplies = 'replies'\n[profile]\narm = 'python'\ncapabilities = ['memories', 'tasks']\n\
        [profile.memories]\nstore = '{store}'\nstrategy = '{strategy}'\n"
    );
    let path = place.folder.path().join("run.toml");
    std::fs::write(&path, text).expect("run.toml");
    path.display().to_string()
}

#[test]
fn memories_of_a_named_store_are_there_in_the_next_run_and_tasks_are_not() {
    let first = Place::new(&[
        b"from gg import memories, tasks\n\
        memories.write_memory('door', 'Where the key is', 'Under the mat.')\n\
        memories.write_memory('other', 'Gone soon', 'x')\ntasks.add_task('t', 'title')",
        b"from gg import memories, session, tasks\n\
        tasks.complete_task('t')\nmemories.delete_memory('other')\nsession.finish('remembered')",
    ]);
    // Its file is among the machine's own: of a name that nobody else takes, and removed below.
    let unique = first.folder.path().file_name().expect("name").to_string_lossy().to_lowercase();
    let store = format!("test-{}", unique.trim_start_matches('.'));
    let left = RemovedStore(store.clone());
    let ran = output(first.command(&[&remembers(&first, &store, "scratchpad")]));
    assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));

    let second = Place::new(&[b"from gg import memories, session, tasks\n\
        usage = tasks.add_task('t', 'it is new here')\n\
        found = [hit.name for hit in memories.search_memories(['mat'])]\n\
        session.finish(f\"{found} {memories.read_memory('door')} {usage.count}\")"]);
    let ran = output(second.command(&[&remembers(&second, &store, "keyword-search")]));
    assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
    let Some(Ending::Finished { summary }) = summary(&second.run()).ending else { panic!("{}", said(&ran)) };
    assert_eq!(summary, "['door'] Under the mat. 1");
    let events = events(&second.run());
    let EventBody::RunStarted { memories, .. } = &events[0].event else { panic!("{:?}", events[0]) };
    assert_eq!(memories.iter().map(|memory| memory.name.as_str()).collect::<Vec<_>>(), ["door"]);
    drop(left);
}

/// Removes a store's files.
struct RemovedStore(String);

impl Drop for RemovedStore {
    fn drop(&mut self) {
        if let Ok(root) = gg_common::folders::CacheRoot::from_environment() {
            for end in ["json", "lock"] {
                drop(std::fs::remove_file(root.memories().join(format!("{}.{end}", self.0))));
            }
        }
    }
}

#[test]
fn a_run_ends_by_what_its_model_may_cost() {
    let place = Place::new(&[b"x = 1"]);
    let folder = place.folder.path();
    let line = r#"{"text": "x = 1", "usage": {"inputTokens": 1000, "outputTokens": 100}}"#;
    std::fs::write(folder.join("replies.jsonl"), [line; 5].join("\n")).expect("replies");
    let run_file = |prices: &str| {
        let text = format!(
            "task = \"Do it.\"\n[model]\nkind = \"scripted\"\nreplies = \"replies.jsonl\"\n{prices}\n[profile]\narm = \"python\"\n[ceilings]\ncost = 0.008\n"
        );
        std::fs::write(folder.join("run.toml"), text).expect("run file");
    };
    run_file("[model.prices]\ninputPerMillion = 3\noutputPerMillion = 10\n");
    let output = output(place.command(&[folder.join("run.toml").to_str().expect("utf-8")]));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("ended by the ceiling `cost` (0.008)"), "{}", said(&output));
    let summary = summary(&place.run());
    assert_eq!(summary.turns, 2, "4 thousandths each");
    assert_eq!(summary.model.cost.map(|cost| cost.to_string()).as_deref(), Some("0.008"));

    run_file("");
    let wrong =
        place.command(&[folder.join("run.toml").to_str().expect("utf-8")]).output().expect("the command starts");
    assert_eq!(wrong.status.code(), Some(2), "{}", said(&wrong));
    assert!(said(&wrong).contains("state `prices` under [model]"), "{}", said(&wrong));
}
