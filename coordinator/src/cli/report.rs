//! A run's result, on standard output.

use super::Exit;
use crate::records::RunFolder;
use gg_common::event::Ending;
use gg_common::summary::Summary;
use serde::Serialize;
use std::io::Write;

/// What `--json` prints.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    folder: String,
    exit_status: u8,
    summary: &'a Summary,
}

/// Prints the result of a run.
pub(super) fn print(json: bool, folder: &RunFolder, summary: &Summary, exit: Exit) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        let report = Report { folder: folder.path().display().to_string(), exit_status: exit.status(), summary };
        serde_json::to_writer_pretty(&mut out, &report)?;
        writeln!(out)
    } else {
        write!(out, "{}", text(folder, summary))
    }
}

fn text(folder: &RunFolder, summary: &Summary) -> String {
    let ending = match &summary.ending {
        Some(Ending::Finished { summary }) => format!("finished: {summary}"),
        Some(Ending::Approved { summary }) if summary.is_empty() => "approved".to_owned(),
        Some(Ending::Approved { summary }) => format!("approved: {summary}"),
        Some(Ending::ChangesRequested { items }) => format!("changes requested:\n  - {}", items.join("\n  - ")),
        Some(Ending::Ceiling { ceiling, limit }) => {
            format!("ended by the ceiling `{ceiling}` ({limit}): raise it under [ceilings] to let the agent go on")
        }
        Some(Ending::ScriptEnded) => "ended with the script: no reply was left".to_owned(),
        Some(Ending::InternalError { message }) => format!("the farm failed: {message}"),
        None => "interrupted: what was done is recorded, but a run cannot be resumed by this version yet".to_owned(),
    };
    let outcomes: Vec<String> = summary.outcomes.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let turns = match (summary.turns, outcomes.is_empty()) {
        (0, _) | (_, true) => "no turn was closed".to_owned(),
        (1, _) => format!("1 turn: {}", outcomes.join(", ")),
        (turns, _) => format!("{turns} turns: {}", outcomes.join(", ")),
    };
    let path = folder.path().display();
    let tree = if summary.tree.is_some() { format!("\nfiles    {path}/tree") } else { String::new() };
    format!("{ending}\n{turns}\nprograms ran {:.1} ms in all\nrecords  {path}{tree}\n", summary.duration_ms)
}
