//! Shell commands as programs get them.

mod support;

use gg_common::limits::Limits;
use gg_worker::confine::cancel::cancellation;
use gg_worker::confine::shell::{ShellContext, ShellError, ShellOutput, shell};
use gg_worker::confine::{LimitReached, Namespaces, Watch};
use std::path::Path;
use std::time::Duration;
use support::{Ground, kinds};

fn grounds() -> impl Iterator<Item = Ground> {
    kinds().into_iter().map(|way| Ground::new(way, Path::new(env!("CARGO_BIN_EXE_gg-child"))))
}

fn context<'a>(ground: &'a Ground, folders: &'a [std::path::PathBuf; 2], limits: &'a Limits) -> ShellContext<'a> {
    ShellContext {
        settings: &ground.settings,
        tree: &folders[0],
        scratch: &folders[1],
        ids: ground.ids,
        limits,
        read_only_paths: &[],
        left: None,
        watch: None,
        cancel: None,
    }
}

fn folders(ground: &Ground) -> [std::path::PathBuf; 2] {
    [ground.tree(), ground.scratch()]
}

fn run(ground: &Ground, command: &str, timeout_secs: Option<u32>) -> Result<ShellOutput, ShellError> {
    shell(command, timeout_secs, context(ground, &folders(ground), &Limits::default()))
}

fn exceeded(result: Result<ShellOutput, ShellError>) -> String {
    match result {
        Err(ShellError::LimitExceeded(message)) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_command_runs_in_the_tree_and_any_status_is_a_success() {
    for ground in grounds() {
        std::fs::write(ground.tree().join("a b"), "here\n").expect("file");
        let output = run(&ground, "cat 'a b'; echo wrong >&2; echo new > made; exit 3", None).expect("output");
        assert_eq!((output.exit_code, output.output.as_str(), output.truncated), (Some(3), "here\nwrong\n", false));
        assert_eq!(std::fs::read_to_string(ground.tree().join("made")).expect("made"), "new\n");
        let output = run(&ground, "echo \"äöü €\"; printf '\\377'; kill -9 $$", None).expect("output");
        assert_eq!((output.exit_code, output.output.as_str()), (None, "äöü €\n\u{fffd}"));
        let place = run(&ground, "pwd", None).expect("output").output;
        if ground.way.namespaces == Namespaces::WherePossible {
            assert_eq!(place, "/work\n");
        }
    }
}

#[test]
fn the_tail_of_the_output_is_kept() {
    for ground in grounds() {
        let output = run(&ground, "seq 1 100000; echo last >&2", None).expect("output");
        assert!(output.truncated && output.output.len() == 16 * 1024 && output.output.ends_with("100000\nlast\n"));
    }
}

#[test]
fn a_time_out_names_its_bound_and_carries_the_output() {
    for ground in grounds() {
        let message = exceeded(run(&ground, "echo working; sleep 1000", Some(1)));
        assert_eq!(
            message,
            "the command did not end within 1 s (the call's time-out) and was ended; the end of its output:\nworking\n"
        );
        let limits = Limits { shell_timeout_secs: 1, ..Limits::default() };
        let message = exceeded(shell("sleep 1000", None, context(&ground, &folders(&ground), &limits)));
        assert!(message.contains("limits.shellTimeoutSecs") && message.ends_with("it wrote nothing"), "{message}");
        let folders = folders(&ground);
        let limits = Limits::default();
        let left = Some(Duration::from_millis(300));
        let context = ShellContext { left, ..context(&ground, &folders, &limits) };
        let message = exceeded(shell("sleep 1000", Some(600), context));
        assert!(message.contains("0.3 s (what was left of the program's or the run's time)"), "{message}");
    }
}

struct Full;

impl Watch for Full {
    fn check(&mut self, _: &[libc::pid_t]) -> Option<LimitReached> {
        Some(LimitReached { name: "treeBytes".into(), bound: 5 })
    }
}

#[test]
fn a_limit_is_named() {
    for ground in grounds() {
        let folders = folders(&ground);
        let limits = Limits { shell_processes: 20, shell_memory_bytes: 64 << 20, ..Limits::default() };
        let of = |command: &str| exceeded(shell(command, None, context(&ground, &folders, &limits)));
        assert!(of("while :; do sleep 1000 & done").contains("`limits.shellProcesses` (20)"));
        let hungry = "for i in 1 2 3 4; do { x=$(head -c 20000000 /dev/zero | tr '\\0' a); sleep 1000; } & done; wait";
        assert!(of(hungry).contains("`limits.shellMemoryBytes` (67108864)"));
        let context = ShellContext { watch: Some(&mut Full), ..context(&ground, &folders, &limits) };
        let message = exceeded(shell("echo a; sleep 1000", None, context));
        assert!(message.starts_with("the command reached `limits.treeBytes` (5) and was ended"), "{message}");
        ground.assert_nothing_is_left();
    }
}

#[test]
fn paths_that_are_granted_can_be_read_and_no_others() {
    for ground in grounds() {
        let granted = tempfile::Builder::new().prefix("gg granted").tempdir_in("/tmp").expect("folder");
        std::os::unix::fs::chown(granted.path(), Some(ground.ids.uid), Some(ground.ids.gid)).expect("owner");
        let file = granted.path().join("file");
        std::fs::write(&file, "granted\n").expect("file");
        let command =
            format!("cat '{0}'; echo more > '{0}.new'; ls {1}", file.display(), ground.folder.path().display());
        let (folders, limits) = (folders(&ground), Limits::default());
        let paths = [granted.path().display().to_string()];
        let context = ShellContext { read_only_paths: &paths, ..context(&ground, &folders, &limits) };
        let output = shell(&command, None, context).expect("output").output;
        assert!(output.starts_with("granted\n") && output.contains("ls: cannot"), "{output}");
        assert!(!granted.path().join("file.new").exists());
        let output = run(&ground, &command, None).expect("output").output;
        assert!(output.starts_with("cat: "), "{output}");
    }
}

#[test]
fn a_cancelled_command_is_neither_a_success_nor_a_limit() {
    for ground in grounds() {
        let (handle, token) = cancellation().expect("pipe");
        handle.cancel();
        let (folders, limits) = (folders(&ground), Limits::default());
        let context = ShellContext { cancel: Some(&token), ..context(&ground, &folders, &limits) };
        let error = shell("sleep 1000", None, context).expect_err("cancelled");
        assert!(matches!(error, ShellError::Cancelled), "{error}");
    }
}

#[test]
fn bash_and_the_usual_tools_work() {
    for ground in grounds() {
        let command = "set -e; echo one > a; sed -i s/one/two/ a; grep -c two a; sort <<< $'b\\na'; mkdir -p d/e; cp a d/e/; \
                       find d -type f | xargs cat; tar cf t.tar d; tar tf t.tar | tail -n 1; ln -s a l; readlink l; mv d f; \
                       x=$(printf %s sub); echo $x | tr a-z A-Z; awk 'BEGIN { print 1 + 1 }'; id -u; perl -e 'print \"p\\n\"'; \
                       echo text | (read line; echo $line); rm -r f; test -w . && date +%Z";
        let output = run(&ground, command, None).expect("output");
        let expected = format!("1\na\nb\ntwo\nd/e/a\na\nSUB\n2\n{}\np\ntext\nUTC\n", ground.ids.uid);
        assert_eq!((output.exit_code, output.output), (Some(0), expected), "{:?}", ground.way);
    }
}
