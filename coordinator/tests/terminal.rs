//! A run on a terminal and off it: the live line, the lines above it, and that nothing of it reaches a pipe.
#![cfg(feature = "embedded")]
#![expect(clippy::disallowed_methods, reason = "the command under test is started as a person starts it")]

use std::process::{Command, Stdio};
use tempfile::TempDir;

const ESCAPE: char = '\x1b';

/// Log lines of our own: the compiler's would be endless where a guest is not compiled yet.
const LOG: &str = "warn,gg_common=trace,gg_coordinator=trace,gg_worker=trace";

/// A folder with the replies of a run that is to be seen at work: its program takes its time.
fn place() -> TempDir {
    let folder = tempfile::tempdir().expect("tempdir");
    std::fs::create_dir(folder.path().join("replies")).expect("replies");
    let slow = "import time\nfrom gg import session\n\ntime.sleep(0.5)\nsession.finish('Done.')\n";
    std::fs::write(folder.path().join("replies/1.py"), slow).expect("reply");
    folder
}

fn run(folder: &TempDir) -> String {
    let binary = env!("CARGO_BIN_EXE_coordinator");
    let place = folder.path().display();
    format!("'{binary}' run --task x --arm python --replies '{place}/replies' --runs '{place}/runs'")
}

/// What a terminal of this kind is sent. `script` (of util-linux) is the terminal.
fn on_a_terminal(kind: &str, variables: &[(&str, &str)]) -> String {
    let folder = place();
    let command = format!("stty rows 30 cols 100; exec {}", run(&folder));
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .env_remove("NO_COLOR")
        .env("TERM", kind)
        .env("RUST_LOG", LOG)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("script starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("finished: Done."), "{text}");
    text
}

/// Whether something is coloured: a select-graphic-rendition sequence.
fn is_coloured(text: &str) -> bool {
    text.split(ESCAPE).skip(1).any(|rest| {
        rest.strip_prefix('[')
            .is_some_and(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m'))
    })
}

/// The lines that stay on a terminal: of each, what was written after it was last cleared.
fn stay(text: &str) -> Vec<&str> {
    text.split("\r\n").map(|line| line.rsplit("\x1b[2K").next().unwrap_or(line)).collect()
}

#[test]
fn on_a_terminal_a_live_line_stays_below_the_lines_and_is_gone_at_the_end() {
    let text = on_a_terminal("xterm", &[]);
    assert!(text.contains("turn 1 of 50: running the program"), "{text:?}");
    assert!(text.contains("tokens in the window"), "{text:?}");
    let lines = stay(&text);
    assert!(lines.iter().any(|line| line.starts_with("turn 1: completed (")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("finished: Done.")), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains("turn 1 of 50")), "the live line stays: {lines:#?}");
}

#[test]
fn no_color_takes_the_colours_and_a_dumb_terminal_the_live_line_too() {
    let text = on_a_terminal("xterm", &[("NO_COLOR", "1")]);
    assert!(text.contains("turn 1 of 50: running the program") && !is_coloured(&text), "{text:?}");
    let text = on_a_terminal("dumb", &[]);
    assert!(text.contains("turn 1: completed (") && !text.contains("turn 1 of 50"), "{text:?}");
    assert!(!text.contains(ESCAPE), "{text:?}");
}

#[test]
fn off_a_terminal_no_escape_byte_is_written() {
    let folder = place();
    let output = Command::new("bash")
        .args(["-c", &run(&folder)])
        .env("TERM", "xterm")
        .env("RUST_LOG", LOG)
        .output()
        .expect("bash starts");
    assert!(output.status.success());
    for stream in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(stream);
        assert!(!text.contains(ESCAPE) && !text.contains('\r'), "{text:?}");
    }
    assert!(String::from_utf8_lossy(&output.stderr).contains("turn 1: completed ("));
}

#[test]
fn where_standard_error_is_closed_or_full_the_run_goes_on() {
    for elsewhere in ["2>&-", "2>/dev/full"] {
        let folder = place();
        let command = format!("{} {elsewhere}", run(&folder));
        let output = Command::new("bash").args(["-c", &command]).output().expect("bash starts");
        assert_eq!(output.status.code(), Some(0), "{elsewhere}");
        assert!(String::from_utf8_lossy(&output.stdout).starts_with("finished: Done."), "{elsewhere}");
    }
}
