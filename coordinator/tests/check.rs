//! Task folders with a check: what it may do, what it says, and what the agent never sees of it.
#![cfg(feature = "embedded")]
#![expect(clippy::disallowed_methods, reason = "the command under test is started as a person starts it")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const SECRET: &str = "the-answer-is-4711";

/// A task folder whose agent gives one reply.
struct Task {
    folder: TempDir,
}

impl Task {
    fn new(reply: &str, check: &str) -> Task {
        let folder = tempfile::tempdir().expect("tempdir");
        for name in ["task/files", "task/check", "replies"] {
            std::fs::create_dir_all(folder.path().join(name)).expect("folder");
        }
        let front = format!(
            "+++\narm = 'python'\ncapabilities = ['read-file', 'write-file', 'list-dir', 'search-files', 'shell']\n[check]\n{check}\n+++\n"
        );
        std::fs::write(folder.path().join("task/task.md"), front + "Do it.\n").expect("task");
        std::fs::write(folder.path().join("task/files/given.txt"), "given\n").expect("file");
        std::fs::write(folder.path().join("task/check/secret.txt"), SECRET).expect("file");
        std::fs::write(folder.path().join("replies/1.py"), reply).expect("reply");
        Task { folder }
    }

    fn run(&self) -> Output {
        Command::new(env!("CARGO_BIN_EXE_coordinator"))
            .args(["run", "task", "--replies", "replies", "--json"])
            .current_dir(self.folder.path())
            .output()
            .expect("the command starts")
    }

    /// The folder of its run.
    fn records(&self) -> PathBuf {
        let mut runs = std::fs::read_dir(self.folder.path().join("runs")).expect("runs");
        runs.next().expect("a run").expect("entry").path()
    }

    fn check(&self) -> Value {
        let output = self.run();
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        assert_eq!(report["exitStatus"], 0, "how a check went is data: {report}");
        report["summary"]["check"].clone()
    }
}

const DONE: &str = "from gg import files, session\nfiles.write_file('made.txt', 'made')\nsession.finish('done')\n";

fn checked(check: &str) -> Value {
    Task::new(DONE, check).check()
}

fn output(check: &Value) -> &str {
    check["output"]["inline"].as_str().unwrap_or_default()
}

#[test]
fn a_check_sees_the_final_tree_and_its_own_files_and_changes_neither() {
    let command = "command = '''\n\
        set -e\n\
        test \"$(cat given.txt) $(cat made.txt)\" = 'given made'\n\
        grep -q 4711 \"$GG_CHECK/secret.txt\"\n\
        ! touch \"$GG_CHECK/new\" 2>/dev/null\n\
        echo changed >made.txt; echo more >more.txt; rm given.txt\n\
        echo '{\"tests\": 3, \"speed\": 0.5}' >\"$GG_SCORE\"\n\
        echo said; echo also >&2'''";
    let task = Task::new(DONE, command);
    let check = task.check();
    assert_eq!((&check["verdict"], &check["end"]["status"]), (&"passed".into(), &0.into()), "{check}");
    assert_eq!(check["score"], serde_json::json!({ "tests": 3.0, "speed": 0.5 }), "{check}");
    assert_eq!(output(&check), "said\nalso\n");
    let tree = task.records().join("tree");
    assert_eq!(std::fs::read_to_string(tree.join("made.txt")).expect("made"), "made", "it had a copy");
    assert!(tree.join("given.txt").is_file() && !tree.join("more.txt").exists());
    assert!(!task.folder.path().join("task/check/new").exists());
    let show = Command::new(env!("CARGO_BIN_EXE_coordinator"))
        .args(["show", task.records().file_name().and_then(|name| name.to_str()).expect("a name")])
        .current_dir(task.folder.path())
        .output()
        .expect("the command starts");
    let shown = String::from_utf8_lossy(&show.stdout).into_owned();
    assert!(shown.contains("check passed; score speed 0.5, tests 3"), "{shown}");
}

#[test]
fn the_agent_finds_nothing_of_its_check() {
    let reply = "\
import os
from gg import files, session, shell, views
found = []
for top in ['/check', '/result', '/work/check', '../check']:
    try:
        found.append(os.listdir(top))
    except OSError:
        pass
found += files.search('4711')
ran = shell.shell('ls -d /check /result 2>/dev/null; env | grep GG_; grep -rl 4711 /work /tmp /check 2>/dev/null; true')
views.open_text('found', repr(found) + ran.output)
session.finish('found ' + repr(found) + ran.output)
";
    let task = Task::new(reply, "command = 'true'");
    let check = task.check();
    assert_eq!(check["verdict"], "passed", "{check}");
    let log = std::fs::read_to_string(task.records().join("events.jsonl")).expect("log");
    assert!(log.contains(r#""summary":"found []""#), "{log}");
    assert!(!log.contains(SECRET));
}

#[test]
fn whatever_a_check_does_is_bounded_and_told() {
    let failed = checked("command = 'exit 3'");
    assert_eq!((&failed["verdict"], &failed["end"]["status"]), (&"failed".into(), &3.into()), "{failed}");
    let stuffed =
        checked("command = 'while true; do echo >\"$(mktemp -u \"$GG_SCORE\"XXXXXX)\"; done'\ntimeoutSecs = 20");
    assert_eq!((&stuffed["verdict"], &stuffed["end"]["limit"]), (&"failed".into(), &"treeEntries".into()), "{stuffed}");
    let slow = checked("command = 'echo begun; sleep 60 & sleep 60'\ntimeoutSecs = 1");
    assert_eq!((&slow["verdict"], &slow["end"]["kind"]), (&"failed".into(), &"timed_out".into()), "{slow}");
    assert_eq!(output(&slow), "begun\n");
    let large = checked(
        "command = 'python3 -c \"x = bytes(200 << 20); print(len(x)); import time; time.sleep(9)\"'\nmemoryBytes = 67108864",
    );
    assert_eq!(large["verdict"], "failed", "{large}");
    let signalled = checked("command = 'kill -9 $$'");
    assert_eq!((&signalled["verdict"], &signalled["end"]["signal"]), (&"failed".into(), &9.into()), "{signalled}");
    let talker = checked("command = 'head -c 3000000 /dev/zero | tr \"\\\\0\" a; echo end'");
    assert_eq!((&talker["verdict"], &talker["truncated"]), (&"passed".into(), &true.into()), "{talker}");
    assert!(output(&talker).ends_with("aend\n") && output(&talker).len() <= 16 * 1024);
}

#[test]
fn a_score_is_read_from_where_the_agent_could_leave_none_and_nothing_else_is_read_for_it() {
    let plain = checked("command = 'echo 0.25 >\"$GG_SCORE\"; exit 1'");
    assert_eq!((&plain["verdict"], &plain["score"]), (&"failed".into(), &0.25.into()), "{plain}");
    let planted = "from gg import files, session\nfor name in ['score', 'result/score']:\n    files.write_file(name, '1')\nsession.finish('done')\n";
    let check = Task::new(planted, "command = 'true'").check();
    assert!(check.get("score").is_none() && check.get("scoreProblem").is_none(), "{check}");
    for (command, part) in [
        ("echo good >\"$GG_SCORE\"", "neither a number"),
        ("head -c 70000 /dev/zero >\"$GG_SCORE\"", "65536"),
        ("ln -s /etc/hostname \"$GG_SCORE\"", ""),
        ("mkdir \"$GG_SCORE\"", ""),
    ] {
        let check = checked(&format!("command = '{command}'"));
        assert_eq!(check["verdict"], "passed", "{command}: {check}");
        let problem = check["scoreProblem"].as_str().unwrap_or_default();
        assert!(!problem.is_empty() && problem.contains(part) && check.get("score").is_none(), "{command}: {check}");
    }
}

#[test]
fn a_check_is_confined_as_an_agents_commands_are() {
    // The tests' own folder is of the host, and there.
    let host = env!("CARGO_MANIFEST_DIR");
    let command = format!(
        "set -e; test -e /work; test ! -e {host}; test ! -e /root/.local; ! touch /usr/new 2>/dev/null; test -z \"$GG_FARM_HOME\"; test \"$(tail -n +3 /proc/net/dev | grep -cv lo:)\" = 0"
    );
    let check = checked(&format!("command = '''{command}'''"));
    assert_eq!(check["verdict"], "passed", "{check}");
    assert!(check.get("unconfined").is_none(), "{check}");
}

#[test]
fn links_that_an_agent_leaves_lead_to_nothing_of_its_check() {
    let reply = "\
import os
from gg import session
for name in ['check/secret.txt', 'result/score', 'check']:
    os.symlink('../' + name, name.replace('/', '-'))
session.finish('done')
";
    let command = "command = '''\n\
        cat check-secret.txt check/secret.txt result-score 2>/dev/null\n\
        echo 1 2>/dev/null >result-score\n\
        ls -l; test ! -e check-secret.txt'''";
    let check = Task::new(reply, command).check();
    assert_eq!(check["verdict"], "passed", "{check}");
    assert!(check.get("score").is_none() && !output(&check).contains(SECRET), "{check}");
}

#[test]
fn a_check_that_could_not_run_is_not_wrong() {
    for command in ["no-such-command", "/etc/hostname"] {
        let check = checked(&format!("command = '{command}'"));
        assert_eq!(check["verdict"], "could_not_run", "{command}: {check}");
        assert!(check["end"]["reason"].as_str().unwrap_or_default().contains("mend the check"), "{check}");
    }
    let check = checked("command = 'true'\nreadOnlyPaths = ['/no/such/folder']");
    assert_eq!(check["verdict"], "could_not_run", "{check}");
    let reason = check["end"]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("/no/such/folder"), "{reason}");
}

#[test]
fn a_task_folder_needs_somebody_who_answers_and_is_wrong_all_at_once() {
    let task = Task::new(DONE, "timeoutSecs = 0");
    let output = Command::new(env!("CARGO_BIN_EXE_coordinator"))
        .args(["run", "task"])
        .current_dir(task.folder.path())
        .output()
        .expect("the command starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for part in [
        "task/task.md:5: `check.timeoutSecs` is 0",
        "task/task.md:4: nothing says how to check",
        "--replies or --model",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!Path::new(&task.folder.path().join("runs")).exists());
}
