use super::*;
use gg_common::arm::Arm;
use gg_common::profile::Capability;
use tempfile::TempDir;

const GOOD: &str = "\
task = 'Count.'
files = 'files'
replies = 'replies'
[profile]
arm = 'python'
capabilities = ['read-file']
[ceilings]
turns = 7
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("tempdir");
    std::fs::create_dir(folder.path().join("files")).expect("files");
    std::fs::create_dir(folder.path().join("replies")).expect("replies");
    std::fs::write(folder.path().join("replies/1.py"), "x").expect("reply");
    std::fs::write(folder.path().join("task.md"), "Count the words.\n").expect("task");
    folder
}

fn reading(folder: &TempDir, text: &str) -> Result<(RunPlan, Scripted), PlanError> {
    let path = folder.path().join("run.toml");
    std::fs::write(&path, text).expect("write");
    read(&path)
}

/// The problems, without the folder that they are in.
fn wrong(folder: &TempDir, text: &str) -> Vec<String> {
    let prefix = format!("{}/", folder.path().display());
    let error = reading(folder, text).expect_err("wrong").to_string();
    error.lines().map(|line| line.replace(&prefix, "")).collect()
}

#[test]
fn a_run_file_is_read_relative_to_its_own_folder() {
    let folder = folder();
    let (plan, replies) = reading(&folder, GOOD).expect("good");
    assert_eq!((plan.task.as_str(), replies.len()), ("Count.", 1));
    assert_eq!(plan.files.as_deref(), Some(&*folder.path().join("files")));
    assert_eq!(plan.profile.arm, Arm::Python);
    assert_eq!(plan.profile.capabilities.into_iter().collect::<Vec<_>>(), [Capability::ReadFile]);
    assert_eq!(plan.ceilings, Ceilings { turns: 7, ..Ceilings::default() });
    let (plan, _) = reading(&folder, &GOOD.replace("task = 'Count.'", "taskFile = 'task.md'")).expect("good");
    assert_eq!(plan.task, "Count the words.\n");
}

#[test]
fn everything_that_is_wrong_is_told_at_once_with_its_line_and_what_would_be_right() {
    let folder = folder();
    let text = "\
task = 'Count.'
taskFile = 'task.md'
file = 'files'
files = 'fils'
replies = 'reply'
[profile]
arm = 'python'
capabilities = ['read-fil', 'fork']
[profile.limits]
memoryBytes = 1
[ceilings]
turns = 0
turn = 3
";
    let lines = wrong(&folder, text);
    let parts = [
        ("run.toml:2: ", "keep one"),
        ("run.toml:3: ", "no field `file`"),
        ("run.toml:4: ", "fils cannot be read"),
        ("run.toml:5: ", "reply cannot be read"),
        ("run.toml:6: ", "`fork` is not served"),
        ("run.toml:6: ", "`limits.memoryBytes` is 1"),
        ("run.toml:8: ", "did you mean `read-file`?"),
        ("run.toml:11: ", "`ceilings.turns` is 0"),
        ("run.toml:13: ", "did you mean `turns`?"),
    ];
    assert_eq!(lines.len(), parts.len(), "{lines:#?}");
    for (line, (start, part)) in lines.iter().zip(parts) {
        assert!(line.starts_with(start) && line.contains(part), "{start}{part}: {lines:#?}");
    }
}

#[test]
fn an_unknown_arm_names_the_arms_and_a_missing_part_is_named() {
    let folder = folder();
    let lines = wrong(&folder, &GOOD.replace("'python'", "'cobol'"));
    assert!(lines[0].starts_with("run.toml:5: ") && lines[0].contains("cobol") && lines[0].contains("javascript"));
    let lines = wrong(&folder, &GOOD.replace("'python'", "'cobol'").replace("'files'", "'fils'"));
    assert_eq!(lines.len(), 2, "a wrong arm hides nothing else: {lines:#?}");
    let lines = wrong(&folder, &GOOD.replace("replies = 'replies'\n", ""));
    assert_eq!(lines, ["run.toml: the field `replies` is missing: add it"]);
    let lines = wrong(&folder, &GOOD.replace("task = 'Count.'\n", ""));
    assert!(lines[0].contains("neither `task` nor `taskFile`"), "{lines:?}");
    let lines = wrong(&folder, &GOOD.replace("'Count.'", "' '"));
    assert!(lines[0].starts_with("run.toml:1: ") && lines[0].contains("empty"), "{lines:?}");
    let lines = wrong(&folder, &GOOD.replace("task = 'Count.'", "taskFile = 'nowhere.md'"));
    assert!(lines[0].starts_with("run.toml:1: ") && lines[0].contains("nowhere.md"), "{lines:?}");
    let lines = wrong(&folder, "task = ");
    assert!(lines[0].starts_with("run.toml:1: ") && lines[0].contains("TOML"), "{lines:?}");
}

#[test]
fn a_bad_line_of_the_replies_is_named_with_its_file() {
    let folder = folder();
    std::fs::write(folder.path().join("r.jsonl"), "{\"text\": \"a\"}\nnonsense\n").expect("write");
    let lines = wrong(&folder, &GOOD.replace("'replies'", "'r.jsonl'"));
    assert!(lines[0].starts_with("run.toml:3: line 2 of r.jsonl is no reply"), "{lines:?}");
}

#[test]
fn a_missing_run_file_is_named() {
    let error = read(Path::new("/nowhere/run.toml")).expect_err("missing").to_string();
    assert!(error.starts_with("/nowhere/run.toml: the run file cannot be read"), "{error}");
}
