//! The command as its users call it, as far as it goes without a worker.

use std::path::Path;
use std::process::Output;

fn coordinator(arguments: &[&str]) -> Output {
    #[expect(clippy::disallowed_methods, reason = "the command under test is started as a person starts it")]
    std::process::Command::new(env!("CARGO_BIN_EXE_coordinator")).args(arguments).output().expect("the command starts")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("write");
    path.display().to_string()
}

#[test]
fn help_states_the_exit_statuses_and_wrong_usage_is_two() {
    let help = coordinator(&["run", "--help"]);
    assert_eq!(help.status.code(), Some(0));
    let text = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(text.contains("130  interrupted") && text.contains("2  the command line"), "{text}");
    for bad in [&["run"][..], &["fly"], &["run", "--task", "x", "--arm", "cobol", "--replies", "."]] {
        assert_eq!(coordinator(bad).status.code(), Some(2), "{bad:?}");
    }
    let error = stderr(&coordinator(&["run", "--task", "x", "--arm", "cobol", "--replies", "."]));
    assert!(error.contains("cobol") && error.contains("javascript, python"), "{error}");
}

#[test]
fn a_wrong_run_file_is_two_and_names_file_line_and_remedy() {
    let folder = tempfile::tempdir().expect("tempdir");
    let path =
        write(folder.path(), "run.toml", "task = 'x'\nreplies = 'nowhere'\ncolour = 1\n[profile]\narm = 'python'\n");
    let output = coordinator(&["run", &path]);
    assert_eq!(output.status.code(), Some(2));
    let error = stderr(&output);
    assert!(error.contains(&format!("{path}:2: ")) && error.contains("nowhere"), "{error}");
    assert!(error.contains(&format!("{path}:3: there is no field `colour`")), "{error}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_task_needs_somebody_who_answers_and_every_wrong_file_is_told() {
    for bad in [
        &["run", "--task", "x", "--arm", "python"][..],
        &["run", "--task", "x", "--arm", "python", "--replies", ".", "--model", "m.toml"],
    ] {
        assert_eq!(coordinator(bad).status.code(), Some(2), "{bad:?}");
    }
    let folder = tempfile::tempdir().expect("tempdir");
    let model = write(folder.path(), "model.toml", "[model]\nkind = 'openai'\nmodel = 'm'\n");
    let run = write(folder.path(), "run.toml", "[profile]\narm = 'python'\n");
    for arguments in
        [&["run", &run, "--model", &model][..], &["run", "--task", " ", "--arm", "python", "--model", &model]]
    {
        let output = coordinator(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = stderr(&output);
        assert!(error.contains("task") && error.contains(&format!("{model}:1: `baseUrl` is missing")), "{error}");
    }
}

#[test]
fn what_a_file_says_moves_no_cursor() {
    let folder = tempfile::tempdir().expect("tempdir");
    let path = write(folder.path(), "run.toml", "\"\\u001b]0;x\" = 1\n[profile]\narm = \"\\u001b[2Jx\"\n");
    let output = coordinator(&["run", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!output.stderr.contains(&0x1b) && stderr(&output).contains("␛[2Jx"), "{}", stderr(&output));
}

#[cfg(feature = "embedded")]
#[test]
fn a_runs_folder_that_cannot_be_made_is_three_and_names_the_flag() {
    let folder = tempfile::tempdir().expect("tempdir");
    write(folder.path(), "1.py", "x");
    let replies = folder.path().display().to_string();
    // Nobody can make a folder there, not even root.
    let output = coordinator(&["run", "--task", "x", "--arm", "python", "--replies", &replies, "--runs", "/proc/gg"]);
    assert_eq!(output.status.code(), Some(3));
    let error = stderr(&output);
    assert!(error.contains("/proc/gg") && error.contains("--runs"), "{error}");
}

#[cfg(not(feature = "embedded"))]
#[test]
fn without_a_worker_inside_the_command_says_so() {
    let folder = tempfile::tempdir().expect("tempdir");
    write(folder.path(), "1.py", "x");
    let replies = folder.path().display().to_string();
    let output = coordinator(&["run", "--task", "x", "--arm", "python", "--replies", &replies]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no embedded worker"), "{}", stderr(&output));
}
