//! A run's result, on standard output.

use super::Exit;
use crate::records::RunFolder;
use crate::session::Left;
use gg_common::check::Verdict;
use gg_common::event::Ending;
use gg_common::plain::printable;
use gg_common::summary::Summary;
use serde::Serialize;
use std::io::Write;

/// What `--json` prints.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    folder: String,
    exit_status: u8,
    /// Why the run could not be driven or recorded on; null where it could.
    error: Option<String>,
    summary: &'a Summary,
}

/// Prints the result of a run.
pub(super) fn print(json: bool, folder: &RunFolder, summary: &Summary, left: &Left) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        let error = match left {
            Left::Failed(error) => Some(error.to_string()),
            Left::Ended(_) | Left::Interrupted => None,
        };
        let (folder, exit_status) = (folder.path().display().to_string(), Exit::from(left).status());
        let report = Report { folder, exit_status, error, summary };
        serde_json::to_writer_pretty(&mut out, &report)?;
        writeln!(out)
    } else {
        write!(out, "{}", text(folder, summary, left))
    }
}

fn text(folder: &RunFolder, summary: &Summary, left: &Left) -> String {
    let ending = match &summary.ending {
        Some(why @ Ending::ModelFailed { .. }) => format!(
            "{}\nwhen that is mended, go on with `coordinator run --resume {}{}`",
            printable(&super::words::ending(why)),
            folder.run(),
            folder.runs_flag()
        ),
        Some(why) => printable(&super::words::ending(why)).into_owned(),
        None if matches!(left, Left::Failed(_)) => "stopped by the failure above: what was done is recorded".to_owned(),
        None => format!("interrupted: go on with `coordinator run --resume {}{}`", folder.run(), folder.runs_flag()),
    };
    let outcomes: Vec<String> = summary.outcomes.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let turns = match (summary.turns, outcomes.is_empty()) {
        (0, _) | (_, true) => "no turn was closed".to_owned(),
        (1, _) => format!("1 turn: {}", outcomes.join(", ")),
        (turns, _) => format!("{turns} turns: {}", outcomes.join(", ")),
    };
    let path = folder.path().display();
    let tree = match &summary.tree {
        Some(_) if folder.tree().is_dir() => format!("\nfiles    {path}/tree"),
        Some(key) => format!("\nfiles    kept as the tree {key}"),
        None => String::new(),
    };
    let check = match &summary.check {
        Some(result) => {
            let see = match result.verdict {
                Verdict::Passed => String::new(),
                _ => format!(" (its output: coordinator show {}{})", folder.run(), folder.runs_flag()),
            };
            format!("check    {}{see}\n", printable(&super::words::indented(&super::words::check(result))))
        }
        None => String::new(),
    };
    // Nothing is said of it where nothing compiles.
    let compiled = if summary.compile_ms > 0.0 {
        format!(
            "; compiling them took {:.1} ms ({}), and making them ready {:.1} ms",
            summary.compile_ms,
            compiles(summary),
            summary.compile_wait_ms
        )
    } else {
        String::new()
    };
    format!(
        "{ending}\n{check}{turns}\nprograms ran {:.1} ms in all{compiled}\nrecords  {path}{tree}\n",
        summary.duration_ms
    )
}

/// How often something was compiled, and what was fetched instead.
fn compiles(summary: &Summary) -> String {
    let count = |count: u32, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let mut parts = vec![count(summary.compiles_cold + summary.compiles_warm, "compile")];
    if summary.compiles_warm > 0 {
        parts.push(format!("{} of them warm", summary.compiles_warm));
    }
    if summary.modules_fetched > 0 {
        parts.push(format!("{} fetched", count(summary.modules_fetched, "module")));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemClock;
    use gg_common::arm::Arm;
    use gg_common::event::{Ending, Platform};
    use gg_common::job::{Body, RunId};
    use std::collections::BTreeMap;

    fn summary(ending: Option<Ending>) -> Summary {
        Summary {
            version: gg_common::FORMAT_VERSION,
            id: RunId("r".into()),
            task: Body::Inline("t".into()),
            arm: Arm::Python,
            ending,
            check: None,
            turns: 3,
            resumes: 0,
            code_executions: 3,
            outcomes: BTreeMap::from([("completed".into(), 2), ("program_error".into(), 1)]),
            suspected: 0,
            duration_ms: 12.34,
            compile_wait_ms: 0.0,
            compile_ms: 0.0,
            compile_cpu_ms: 0.0,
            compiles_warm: 0,
            compiles_cold: 0,
            modules_fetched: 0,
            modules_fetched_cost_ms: 0.0,
            tokens: Default::default(),
            model: Default::default(),
            tree: None,
            platform: Platform {
                version: "0.1.0".into(),
                artifacts: BTreeMap::new(),
                engine: "e".into(),
                cpu: "c".into(),
                kernel: "k".into(),
            },
            started_at_ms: 0,
            ended_at_ms: 0,
        }
    }

    #[test]
    fn what_was_compiled_is_counted() {
        let mut summary = summary(None);
        summary.compiles_cold = 1;
        assert_eq!(compiles(&summary), "1 compile");
        (summary.compiles_warm, summary.modules_fetched) = (3, 2);
        assert_eq!(compiles(&summary), "4 compiles, 3 of them warm, 2 modules fetched");
    }

    #[test]
    fn each_way_of_being_left_is_told_with_what_to_do() {
        let runs = tempfile::tempdir().expect("tempdir");
        let folder = RunFolder::make(runs.path(), &SystemClock::default()).expect("folder");
        let told = |ending: Option<Ending>| {
            let left = ending.clone().map_or(Left::Interrupted, Left::Ended);
            text(&folder, &summary(ending), &left)
        };
        let finished = told(Some(Ending::Finished { summary: "All counted.".into() }));
        assert!(finished.starts_with("finished: All counted.\n3 turns: 2 completed, 1 program_error\n"), "{finished}");
        assert!(finished.contains(&folder.path().display().to_string()));
        assert!(told(Some(Ending::Ceiling { ceiling: "turns".into(), limit: 3 })).contains("`turns` (3): raise it"));
        assert!(told(Some(Ending::ScriptEnded)).contains("no reply was left"));
        assert!(told(None).contains(&format!("coordinator run --resume {} --runs ", folder.run())));
        let items = vec!["name it".to_owned(), "test it".to_owned()];
        assert!(told(Some(Ending::ChangesRequested { items })).contains("  - name it\n  - test it"));
    }
}
