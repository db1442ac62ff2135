//! Runs whose whole process tree is killed, and that go on: they come to the same end.
#![cfg(feature = "embedded")]
#![expect(clippy::disallowed_methods, reason = "the command under test is started as a person starts it")]

use gg_common::event::{Event, EventBody};
use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const REPLIES: &[&str] = &[
    "import { writeFile } from 'gg/files';\nfor (let n = 0; n < 30; n++) writeFile(`dir/${n % 7}/f${n}`, 'x'.repeat(n));",
    "import { openText } from 'gg/views';\nopenText('note', 'first');",
    "throw new Error('no');",
    "",
    "import { readTextFile, writeFile } from 'gg/files';\nwriteFile('sum', String(readTextFile('dir/1/f8').length));",
    "import { shell } from 'gg/shell';\nshell('cat sum sum > twice; rm -r dir/3; chmod 700 sum');",
    "import { openFile, openText } from 'gg/views';\nopenText('note', 'second');\nopenFile('twice');",
    "import { writeFile } from 'gg/files';\nlet n = 0; while (n < 3e5) n++;\nwriteFile('big', 'b'.repeat(300_000));",
    "import { finish } from 'gg/session';\nfinish('nine turns');",
];

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("tempdir");
        std::fs::create_dir(folder.path().join("replies")).expect("replies");
        for (index, text) in REPLIES.iter().enumerate() {
            std::fs::write(folder.path().join(format!("replies/{:02}", index + 1)), text).expect("reply");
        }
        Place { folder }
    }

    fn runs(&self) -> PathBuf {
        self.folder.path().join("runs")
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_coordinator"));
        command.arg("run").arg("--runs").arg(self.runs());
        command
    }

    fn fresh(&self) -> Command {
        let mut command = self.command();
        command.args(["--task", "Do it.", "--arm", "javascript", "--replies"]);
        command.arg(self.folder.path().join("replies"));
        command
    }

    fn resume(&self) -> Option<Command> {
        let run = self.run()?;
        let mut command = self.command();
        command.arg("--resume").arg(run.file_name().expect("name"));
        Some(command)
    }

    /// The folder of the only run that began.
    fn run(&self) -> Option<PathBuf> {
        let entries = std::fs::read_dir(self.runs()).ok()?.flatten().map(|entry| entry.path());
        let mut begun: Vec<_> = entries.filter(|run| !lines(run).is_empty()).collect();
        assert!(begun.len() <= 1, "{begun:?}");
        begun.pop()
    }
}

/// The whole lines of a run's log.
fn lines(run: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(run.join("events.jsonl")).unwrap_or_default();
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    text[..whole].lines().map(str::to_owned).collect()
}

/// What a run came to, apart from times, attempts and what it cost.
fn closed_turns(run: &Path) -> Vec<String> {
    let events = lines(run).into_iter().map(|line| serde_json::from_str::<Event>(&line).expect("an event").event);
    events
        .filter_map(|event| match event {
            EventBody::CodeExecution { turn, outcome, effects, refusals, .. } => {
                Some(format!("{turn} {outcome:?} {effects:?} {refusals:?}"))
            }
            _ => None,
        })
        .collect()
}

fn files(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    use std::os::unix::fs::PermissionsExt;
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).expect("folder").flatten() {
            let path = entry.path();
            let mode = entry.metadata().expect("metadata").permissions().mode();
            let bytes = if path.is_dir() { Vec::new() } else { std::fs::read(&path).expect("file") };
            if path.is_dir() {
                open.push(path.clone());
            }
            found.insert(path.strip_prefix(folder).expect("below").to_owned(), (mode, bytes));
        }
    }
    found
}

fn said(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Starts the command in a process group of its own and kills that when the log has so many lines, or a moment later.
fn killed_at(place: &Place, mut command: Command, line: usize, later: Duration) {
    let events = || place.run().map_or(0, |run| lines(&run).len());
    let mut child =
        command.process_group(0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
    while events() < line && child.try_wait().expect("its state").is_none() {
        std::thread::sleep(Duration::from_micros(200));
    }
    std::thread::sleep(later);
    kill_group(&mut child);
}

/// Kills a child with all of its process group.
fn kill_group(child: &mut Child) {
    // One that has ended by itself is not waited for yet, so its group's number is nobody else's.
    Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .stderr(Stdio::null())
        .status()
        .expect("kill");
    child.wait().expect("its end");
}

/// Numbers from a seed (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

#[test]
fn a_run_that_is_killed_at_random_points_comes_to_the_same_end() {
    const POINTS: usize = 20;
    let whole = Place::new();
    let output = whole.fresh().output().expect("the command starts");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let run = whole.run().expect("a run");
    let (turns, tree) = (closed_turns(&run), files(&run.join("tree")));
    assert_eq!(turns.len(), REPLIES.len());
    let log = lines(&run);
    let began_ms = serde_json::from_str::<Event>(&log[0]).expect("an event").at_ms;

    let seed = std::env::var("GG_TEST_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or_else(|| u64::from(std::process::id()) << 32 ^ began_ms);
    println!("GG_TEST_SEED={seed}");
    let mut chance = Chance(seed);
    let mut left_open = 0;
    for point in 0..POINTS {
        let place = Place::new();
        let mut at = |from: usize| {
            let line = from + chance.below((log.len() - 1).saturating_sub(from).max(1) as u64) as usize;
            (line, Duration::from_micros(chance.below(4_000)))
        };
        let (line, later) = at(1);
        killed_at(&place, place.fresh(), line, later);
        // One in four is killed once more as it goes on.
        if point % 4 == 0
            && let (Some(run), Some(resume)) = (place.run(), place.resume())
        {
            let (line, later) = at(lines(&run).len() + 1);
            killed_at(&place, resume, line, later);
        }
        let ended = place.run().is_some_and(|run| lines(&run).last().is_some_and(|line| line.contains("run_ended")));
        if ended {
            // Killed in the last moments: only the folder's other records may be missing, and they are folded anew below.
            continue;
        }
        left_open += usize::from(place.run().is_some());
        let output = place.resume().unwrap_or_else(|| place.fresh()).output().expect("the command starts");
        let context = format!("point {point} of GG_TEST_SEED={seed}: {}", said(&output));
        assert_eq!(output.status.code(), Some(0), "{context}");
        let run = place.run().expect("a run");
        assert_eq!(closed_turns(&run), turns, "{context}");
        assert_eq!(files(&run.join("tree")), tree, "{context}");
    }
    println!("{left_open} of {POINTS} were left open");
    assert!(left_open >= POINTS / 4, "{left_open} of {POINTS} were left open: the points prove little");
}

#[test]
fn a_run_that_another_process_drives_is_refused_and_an_unknown_one_is_named() {
    let place = Place::new();
    std::fs::write(place.folder.path().join("replies/01"), "while (true);").expect("reply");
    let mut child =
        place.fresh().process_group(0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts");
    let waiting = Instant::now();
    while place.run().is_none_or(|run| lines(&run).len() < 3) {
        assert!(waiting.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = place.resume().expect("a run").output().expect("the command starts");
    kill_group(&mut child);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("is driven by another process"), "{}", said(&output));

    let mut unknown = place.command();
    let output = unknown.args(["--resume", "20990101"]).output().expect("the command starts");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("there is no run `20990101`"), "{}", said(&output));
}
