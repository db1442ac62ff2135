//! From the start of `coordinator run --resume` to the next turn's reply standing in the log: the log is read, the worker
//! starts, the window is made again, and the model is asked and answers, which a script does at once.

use super::place::{On, Place};
use super::script::{ARM, Run, Script, plan, program};
use super::{BenchArgs, runtime};
use crate::agent::{Interrupt, Observer, Stage};
use crate::clock::SystemClock;
use crate::embedded::{Embedded, Options};
use crate::records::RunFolder;
use gg_common::figure::{Bound, Figure, median, ms};
use gg_common::folders::HOME_VARIABLE;
use gg_common::ledger::{LOG_FILE, LocalLedger};
use gg_common::objects::Durability;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::sync::watch;

pub(super) const RESUME: &str = "resume_500_s";

const ROUNDS: usize = 7;
/// Far beyond the bound: whoever takes longer is stuck.
const GIVE_UP_AFTER: Duration = Duration::from_secs(60);

/// Measures it.
pub(super) fn measure(args: &BenchArgs) -> Result<Vec<Figure>, String> {
    let turns = args.past_turns;
    let place = Place::make(On::Disk)?;
    let folder = runtime()?.block_on(interrupted(&place, turns))?;
    let replies = place.path().join("replies.jsonl");
    let line = |turn| format!("{}\n", serde_json::json!({ "text": program(turn) }));
    let text: String = (1..=turns + 1).map(line).collect();
    std::fs::write(&replies, text).map_err(|error| format!("the replies cannot be written: {error}"))?;
    let log = std::fs::metadata(folder.path().join(LOG_FILE)).map_or(0, |log| log.len());
    let mut times = Vec::new();
    for round in 0..=ROUNDS {
        let runs = place.path().join(format!("runs-{round}"));
        copied(folder.path(), &runs.join(&folder.run().0))
            .map_err(|error| format!("the run cannot be copied: {error}"))?;
        let time = resumed(&place, &runs, &folder.run().0, &replies, log)?;
        // The first warms the cache.
        if round > 0 {
            times.push(time);
        }
    }
    let time = median(times);
    Ok(vec![Figure {
        name: RESUME,
        value: time.as_secs_f64(),
        unit: "s",
        bound: Bound::AtMost(0.5),
        note: format!(
            "coordinator run --resume of a run with {turns} turns ({} KiB of log), from its start to its next reply in \
             the log: {:.0} ms (median of {ROUNDS})",
            log / 1024,
            ms(time)
        ),
    }])
}

/// Interrupts a run when a turn is closed.
struct StopAfter {
    turn: u32,
    asked: watch::Sender<Interrupt>,
}

impl Observer for StopAfter {
    fn stage(&self, stage: &Stage<'_>) {
        if matches!(stage, Stage::Closed(closed) if closed.turn == self.turn) {
            self.asked.send_replace(Interrupt::AfterTurn);
        }
    }
}

/// A run of so many turns that was interrupted.
async fn interrupted(place: &Place, turns: u32) -> Result<RunFolder, String> {
    let ledger = LocalLedger::new(&place.runs(), Durability::Cached);
    let options = Options { durability: Durability::Cached, ..Options::default() };
    let embedded =
        Embedded::start_with(&place.root(), ledger, &[ARM], options).await.map_err(|error| error.to_string())?;
    let clock = SystemClock::default();
    let folder = RunFolder::make(&place.runs(), &clock).map_err(|error| error.to_string())?;
    let (asked, interrupt) = watch::channel(Interrupt::None);
    let run = Run {
        house: embedded.house(),
        model: &Script { turns: turns + 1, gates: Vec::new() },
        plan: &plan(),
        folder: &folder,
        clock: &clock,
        observer: &StopAfter { turn: turns, asked },
    };
    let ran = run.finish(turns, interrupt).await;
    embedded.stop().await;
    ran.map(|()| folder)
}

fn copied(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copied(&entry.path(), &place)?;
        } else {
            std::fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

/// What a resume takes from its start to two events more in the log: that it goes on, and the next reply.
fn resumed(place: &Place, runs: &Path, run: &str, replies: &Path, log_bytes: u64) -> Result<Duration, String> {
    let failed = |error: std::io::Error| format!("the resume could not be measured: {error}");
    let log = runs.join(run).join(LOG_FILE);
    let started = Instant::now();
    #[expect(clippy::disallowed_methods, reason = "this very program, as a user starts it")]
    let mut child = std::process::Command::new("/proc/self/exe")
        .args(["run", "--resume", run, "--runs"])
        .arg(runs)
        .arg("--replies")
        .arg(replies)
        .env(HOME_VARIABLE, place.root().0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let goes_on = || -> std::io::Result<bool> {
        if std::fs::metadata(&log)?.len() <= log_bytes {
            return Ok(false);
        }
        let bytes = std::fs::read(&log)?;
        Ok(bytes[log_bytes as usize..].iter().filter(|byte| **byte == b'\n').count() >= 2)
    };
    let mut took = None;
    while started.elapsed() < GIVE_UP_AFTER {
        let ended = child.try_wait().map_err(failed)?.is_some();
        if goes_on().map_err(failed)? {
            took = Some(started.elapsed());
        }
        if ended || took.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_micros(500));
    }
    if took.is_none() {
        // It may have ended by itself; whatever it is, it is not left.
        drop(child.kill());
    }
    let status = child.wait().map_err(failed)?;
    match took {
        // One turn more, and the script ends.
        Some(took) if status.code() == Some(1) => Ok(took),
        _ => Err(format!("a resume of the run {run} did not go on: {status}")),
    }
}
