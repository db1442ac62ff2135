//! `coordinator runs`: the runs that were recorded, and removing them.

use super::exit::{self, Exit};
use super::progress::say;
use super::transcript::moment;
use crate::plan::resume::find;
use crate::records::{RunFolder, summarize};
use clap::{Args, Subcommand};
use comfy_table::{Table, presets};
use gg_common::event::{Ending, Event};
use gg_common::job::Body;
use gg_common::ledger::read_log;
use gg_common::plain::printable;
use gg_common::summary::Summary;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What `coordinator runs` is called with.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP, args_conflicts_with_subcommands = true)]
pub struct RunsArgs {
    #[command(subcommand)]
    command: Option<Command>,

    /// Where runs lie
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Remove runs, and the objects that nothing else refers to
    Rm(RmArgs),
}

/// What `coordinator runs rm` is called with.
#[derive(Debug, Args)]
pub struct RmArgs {
    /// The runs: their names, or beginnings of them that no others have
    #[arg(required = true, value_name = "RUN")]
    pub names: Vec<String>,

    /// Where runs lie
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,

    /// Leave the objects that only these runs refer to
    #[arg(long)]
    pub keep_objects: bool,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A run in a line.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    run: String,
    began_at_ms: u64,
    arm: Option<&'static str>,
    state: String,
    turns: u32,
    task: String,
}

/// Runs the command.
pub(super) fn main(args: &RunsArgs) -> Exit {
    match &args.command {
        None => list(&args.runs, args.json),
        Some(Command::Rm(args)) => remove(args),
    }
}

/// The runs in a folder, oldest first; a folder that is not there holds none.
pub(super) fn folders(runs: &Path) -> Vec<RunFolder> {
    let entries = std::fs::read_dir(runs).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names.iter().filter_map(|name| RunFolder::open(runs, name)).collect()
}

fn state(summary: &Summary) -> String {
    let ending = ending(summary);
    match &summary.check {
        Some(check) => format!("{ending}, check {}", check.verdict),
        None => ending,
    }
}

fn ending(summary: &Summary) -> String {
    match &summary.ending {
        None => "open".to_owned(),
        Some(Ending::Finished { .. }) => "finished".to_owned(),
        Some(Ending::Approved { .. }) => "approved".to_owned(),
        Some(Ending::ChangesRequested { .. }) => "changes requested".to_owned(),
        Some(Ending::Ceiling { ceiling, .. }) => format!("ceiling {ceiling}"),
        Some(Ending::ScriptEnded) => "script ended".to_owned(),
        Some(Ending::ModelFailed { .. }) => "model failed".to_owned(),
        Some(Ending::InternalError { .. }) => "farm failed".to_owned(),
    }
}

fn row(folder: &RunFolder) -> Row {
    let run = folder.run().0.clone();
    let empty =
        |state: String| Row { run: run.clone(), began_at_ms: 0, arm: None, state, turns: 0, task: String::new() };
    match read_log(folder.path()) {
        Ok(events) => match summarize(&events) {
            Some(summary) => Row {
                run: run.clone(),
                began_at_ms: summary.started_at_ms,
                arm: Some(summary.arm.id()),
                state: state(&summary),
                turns: summary.turns,
                task: match &summary.task {
                    Body::Inline(task) => {
                        task.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("").to_owned()
                    }
                    Body::Object { .. } => "(a long text)".to_owned(),
                },
            },
            None => empty("never began".to_owned()),
        },
        Err(error) => empty(format!("unreadable: {error}")),
    }
}

const TASK_CHARS: usize = 60;

fn list(runs: &Path, json: bool) -> Exit {
    let rows: Vec<Row> = folders(runs).iter().map(row).collect();
    let text = if json {
        serde_json::json!({ "runs": rows }).to_string()
    } else if rows.is_empty() {
        format!("no run is recorded in {}; --runs names another folder", runs.display())
    } else {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(["run", "began (UTC)", "arm", "state", "turns", "task"]);
        for row in rows {
            let mut task: String = printable(&row.task).chars().take(TASK_CHARS).collect();
            if row.task.chars().count() > TASK_CHARS {
                task.push('…');
            }
            let began = if row.began_at_ms == 0 { String::new() } else { moment(row.began_at_ms) };
            table.add_row([
                printable(&row.run).into_owned(),
                began,
                row.arm.unwrap_or("").to_owned(),
                row.state,
                row.turns.to_string(),
                task,
            ]);
        }
        table.to_string()
    };
    match writeln!(std::io::stdout().lock(), "{text}") {
        Ok(()) => Exit::Finished,
        Err(_) => Exit::Failed,
    }
}

/// The events of a run that nobody drives.
fn at_rest(folder: &RunFolder) -> Result<Vec<Event>, String> {
    let log =
        std::fs::File::open(folder.path().join(gg_common::ledger::LOG_FILE)).map_err(|error| error.to_string())?;
    if log.try_lock().is_err() {
        return Err(format!("the run {} is driven by another process: wait for it, or stop it first", folder.run()));
    }
    read_log(folder.path()).map_err(|error| error.to_string())
}

fn remove(args: &RmArgs) -> Exit {
    let mut wanted = Vec::new();
    for name in &args.names {
        match find(&args.runs, name) {
            Ok(folder) => wanted.push(folder),
            Err(error) => {
                say(&error.to_string());
                return Exit::Usage;
            }
        }
    }
    let objects = match remove_all(args, &wanted) {
        Ok(objects) => objects,
        Err(message) => {
            say(&message);
            return Exit::Failed;
        }
    };
    if args.json {
        let runs: Vec<&str> = wanted.iter().map(|folder| folder.run().0.as_str()).collect();
        let text = serde_json::json!({ "removed": runs, "objects": objects });
        return if writeln!(std::io::stdout().lock(), "{text}").is_ok() { Exit::Finished } else { Exit::Failed };
    }
    let runs = if wanted.len() == 1 { "1 run".to_owned() } else { format!("{} runs", wanted.len()) };
    say(&match objects {
        Some(count) => format!("removed {runs} and {count} objects"),
        None => format!("removed {runs}; this build has no worker inside, so their objects are left"),
    });
    Exit::Finished
}

/// Gives how many objects were removed; none where nobody looked for them.
fn remove_all(args: &RmArgs, wanted: &[RunFolder]) -> Result<Option<usize>, String> {
    let logs = wanted.iter().map(at_rest).collect::<Result<Vec<_>, _>>()?;
    // The objects first: a log that is there still is what a second try finds them by.
    let objects = if args.keep_objects { Some(0) } else { collect(args, wanted, &logs)? };
    for folder in wanted {
        std::fs::remove_dir_all(folder.path())
            .map_err(|error| format!("{} cannot be removed: {error}", folder.path().display()))?;
    }
    Ok(objects)
}

#[cfg(not(feature = "embedded"))]
fn collect(_args: &RmArgs, _wanted: &[RunFolder], _logs: &[Vec<Event>]) -> Result<Option<usize>, String> {
    Ok(None)
}

/// Removes the objects that the logs refer to and nothing else does. Gives how many.
#[cfg(feature = "embedded")]
fn collect(args: &RmArgs, wanted: &[RunFolder], logs: &[Vec<Event>]) -> Result<Option<usize>, String> {
    use crate::embedded::reachable;
    use crate::records::References;
    use futures::executor::block_on;
    use gg_common::folders::CacheRoot;
    use gg_common::objects::{Durability, Objects};
    use std::collections::BTreeSet;

    let root = CacheRoot::from_environment().map_err(|error| error.to_string())?;
    if !root.objects().is_dir() {
        return Ok(Some(0));
    }
    let objects = Objects::in_folder_alone(&root.objects(), Durability::Cached)
        .map_err(|error| format!("{error}; or leave the objects with --keep-objects"))?;
    let mut going = BTreeSet::new();
    for log in logs {
        going.extend(reachable(&objects, &References::of(log)));
    }
    let removed: BTreeSet<PathBuf> = wanted.iter().filter_map(|folder| folder.path().canonicalize().ok()).collect();
    let mut places: BTreeSet<PathBuf> = root.runs_folders().into_iter().collect();
    places.extend(std::path::absolute(&args.runs));
    for place in places {
        for folder in folders(&place) {
            if folder.path().canonicalize().is_ok_and(|path| removed.contains(&path)) {
                continue;
            }
            let log = read_log(folder.path()).map_err(|error| {
                format!("{error}; what it refers to is unknown, so no object is removed: use --keep-objects")
            })?;
            for kept in reachable(&objects, &References::of(&log)).into_iter().chain(References::mentions(&log)) {
                going.remove(&kept);
            }
        }
    }
    for kept in block_on(objects.action_outputs()).map_err(|error| error.to_string())? {
        going.remove(&kept);
    }
    let mut count = 0;
    for key in &going {
        if block_on(objects.has(key)).map_err(|error| error.to_string())? {
            block_on(objects.remove(key)).map_err(|error| error.to_string())?;
            count += 1;
        }
    }
    Ok(Some(count))
}
