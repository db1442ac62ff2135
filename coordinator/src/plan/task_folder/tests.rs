use super::*;
use tempfile::TempDir;

const GOOD: &str = "\
+++
arm = 'python'
capabilities = ['read-file']
[limits]
memoryBytes = 134217728
[ceilings]
turns = 7
+++

Count the words.
";

fn folder(task: &str, entries: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("tempdir");
    std::fs::write(folder.path().join(TASK_FILE), task).expect("task");
    for name in entries {
        std::fs::create_dir(folder.path().join(name)).expect("folder");
    }
    folder
}

fn executable(path: &Path, mode: u32) {
    std::fs::write(path, "#!/bin/sh\n").expect("run");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("chmod");
}

/// The problems, without the folder that they are in.
fn wrong(folder: &TempDir) -> Vec<String> {
    let prefix = format!("{}/", folder.path().display());
    let error = read_task_folder(folder.path()).expect_err("wrong").to_string();
    error.lines().map(|line| line.replace(&prefix, "")).collect()
}

#[test]
fn a_task_folder_is_read_with_its_files_and_its_check() {
    let alone = folder(GOOD, &[]);
    let read = read_task_folder(alone.path()).expect("good");
    assert_eq!((read.task.as_str(), read.files, read.check), ("Count the words.\n", None, None));
    assert_eq!((read.profile.arm, read.ceilings.turns), (Arm::Python, 7));
    assert_eq!(read.profile.limits.memory_bytes, 128 << 20);
    assert_eq!(read.profile.capabilities, BTreeSet::from([Capability::ReadFile]));

    let whole = folder(GOOD, &["files", "check"]);
    executable(&whole.path().join("check/run"), 0o755);
    let read = read_task_folder(whole.path()).expect("good");
    assert_eq!(read.files, Some(whole.path().join("files")));
    let check = read.check.expect("a check");
    assert_eq!((check.files, check.command.as_str()), (whole.path().join("check"), "exec \"$GG_CHECK/run\""));
    assert_eq!((check.table.timeout_secs, check.table.memory_bytes), (600, 2 << 30));

    let stated = GOOD.replace("[limits]", "[check]\ncommand = 'python3 $GG_CHECK/a.py'\ntimeoutSecs = 5\n[limits]");
    let whole = folder(&stated, &["check"]);
    let check = read_task_folder(whole.path()).expect("good").check.expect("a check");
    assert_eq!((check.command.as_str(), check.table.timeout_secs), ("python3 $GG_CHECK/a.py", 5));
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_harm_nothing() {
    let text = format!("\u{feff}{}", GOOD.replace('\n', "\r\n"));
    let read = read_task_folder(folder(&text, &[]).path()).expect("good");
    assert_eq!(read.task, "Count the words.\r\n");
}

#[test]
fn everything_that_is_wrong_is_told_at_once_with_its_line_in_the_file() {
    let text = "\
+++
arm = 'python'
capabilities = ['read-file', 'fork']
turns = 3
[limits]
memoryBytes = 1
[check]
timeoutSecs = 0
readOnlyPaths = ['/opt', 'opt']
[ceilings]
turns = 0
+++
";
    let folder = folder(text, &["check", "file"]);
    let lines = wrong(&folder);
    let parts = [
        ("task.md: ", "the task is empty"),
        ("task.md: ", "did you mean `files`?"),
        ("task.md:3: ", "`fork` is not served"),
        ("task.md:4: ", "no field `turns`"),
        ("task.md:6: ", "`limits.memoryBytes` is 1"),
        ("task.md:7: ", "state `check.command`"),
        ("task.md:8: ", "`check.timeoutSecs` is 0"),
        ("task.md:9: ", "`opt`, which is not absolute"),
        ("task.md:11: ", "`ceilings.turns` is 0"),
    ];
    assert_eq!(lines.len(), parts.len(), "{lines:#?}");
    for (line, (start, part)) in lines.iter().zip(parts) {
        assert!(line.starts_with(start) && line.contains(part), "{start}{part}: {lines:#?}");
    }
}

#[test]
fn a_check_without_its_folder_or_a_program_that_can_run_is_named() {
    let stated = GOOD.replace("[limits]", "[check]\ncommand = 'true'\n[limits]");
    assert!(wrong(&folder(&stated, &[]))[0].starts_with("task.md:4: check is missing"));
    let whole = folder(GOOD, &["check"]);
    executable(&whole.path().join("check/run"), 0o644);
    assert!(wrong(&whole)[0].contains("chmod +x"));
    let file = folder(GOOD, &[]);
    std::fs::write(file.path().join("check"), "").expect("write");
    assert!(wrong(&file)[0].contains("no folder"), "{:?}", wrong(&file));
}

#[test]
fn a_file_without_front_matter_and_a_folder_without_its_file_say_what_to_write() {
    assert!(wrong(&folder("Count.\n", &[]))[0].contains("begin with a line `+++`"));
    assert!(wrong(&folder("---\narm: python\n---\nCount.\n", &[]))[0].contains("YAML"));
    assert!(wrong(&folder("+++\narm = 'python'\n", &[]))[0].contains("close it"));
    let lines = wrong(&folder("+++\ncapabilities = []\n+++\nCount.\n", &[]));
    assert_eq!(lines, ["task.md: the field `arm` is missing: add it"]);
    let empty = tempfile::tempdir().expect("tempdir");
    assert!(wrong(&empty)[0].contains("coordinator init"));
    std::fs::write(empty.path().join("run.toml"), "").expect("write");
    assert!(wrong(&empty)[0].contains("run.toml?"));
}
