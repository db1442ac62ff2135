//! `worker artifacts`: what an arm needs on disk and no turn can build.

use super::{Problem, Status, out, setup};
use clap::{Args, Subcommand};
use comfy_table::{Table, presets};
use gg_common::arm::Arm;
use gg_worker::artifacts::{ArtifactError, Artifacts, Sources, build, key};

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build the artifacts of an arm, or of all, where they are missing
    Build(Build),
    /// List the arms' artifacts, their keys and whether they are here
    List(Json),
    /// Verify every file of the artifacts that are here
    Verify(Json),
}

/// Arguments of `build`.
#[derive(Debug, Args)]
pub struct Build {
    /// Only this arm
    #[arg(long)]
    arm: Option<Arm>,
    /// Build again even where they are here
    #[arg(long)]
    force: bool,
    /// Also store them as objects, so that other workers fetch them
    #[arg(long)]
    push: bool,
}

/// Arguments of `list` and `verify`.
#[derive(Debug, Args)]
pub struct Json {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn artifacts() -> Result<Artifacts, Problem> {
    Ok(Artifacts::new(&setup::root()?.artifacts(), None))
}

/// Runs the command.
pub fn run(command: &Command) -> Result<Status, Problem> {
    match command {
        Command::Build(arguments) => build_all(arguments),
        Command::List(arguments) => list(arguments.json),
        Command::Verify(arguments) => verify(arguments.json),
    }
}

fn build_all(arguments: &Build) -> Result<Status, Problem> {
    let store = artifacts()?;
    for arm in Arm::ALL.into_iter().filter(|arm| arguments.arm.is_none_or(|only| only == *arm)) {
        let here = if arguments.force { None } else { store.on_disk(arm).ok().flatten() };
        let set = match here {
            Some(set) => {
                out(&format!("{arm}: {} is here\n", key(arm)))?;
                set
            }
            None => {
                let sources = Sources::find(arm).map_err(Problem::farm)?;
                let set = build(&store, arm, &sources).map_err(Problem::farm)?;
                out(&format!("{arm}: {} built in {:.1} s\n", key(arm), set.built_in_ms() as f64 / 1000.0))?;
                set
            }
        };
        if arguments.push {
            store.push(&set, &setup::objects()?).map_err(Problem::farm)?;
            out(&format!("{arm}: stored as objects\n"))?;
        }
    }
    Ok(Status::Done)
}

fn list(json: bool) -> Result<Status, Problem> {
    let store = artifacts()?;
    let mut rows = Vec::new();
    for arm in Arm::ALL {
        let state = match store.on_disk(arm) {
            Ok(Some(_)) => "here".to_owned(),
            Ok(None) => format!("missing: run `worker artifacts build --arm {arm}`"),
            Err(error) => error.to_string(),
        };
        rows.push((arm, key(arm), store.folder(arm), state));
    }
    if json {
        let rows: Vec<_> = rows
            .iter()
            .map(|(arm, key, folder, state)| serde_json::json!({"arm": arm, "key": key, "folder": folder, "state": state}))
            .collect();
        out(&format!("{}\n", serde_json::json!({ "artifacts": rows })))?;
    } else {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(["arm", "key", "state"]);
        for (arm, key, _, state) in rows {
            table.add_row([arm.to_string(), key.to_string()[..16].to_owned(), state]);
        }
        out(&format!("{table}\n"))?;
    }
    Ok(Status::Done)
}

fn verify(json: bool) -> Result<Status, Problem> {
    let store = artifacts()?;
    let mut status = Status::Done;
    let mut rows = Vec::new();
    for arm in Arm::ALL {
        let said = match store.on_disk(arm) {
            Ok(Some(set)) => format!("{} files as they were built", set.files().len()),
            Ok(None) => "not here".to_owned(),
            Err(error @ ArtifactError::Damaged { .. }) => {
                status = Status::Failed;
                error.to_string()
            }
            Err(error) => return Err(Problem::farm(error)),
        };
        if !json {
            out(&format!("{arm}: {said}\n"))?;
        }
        rows.push(serde_json::json!({"arm": arm, "key": key(arm), "state": said}));
    }
    if json {
        out(&format!("{}\n", serde_json::json!({ "artifacts": rows, "whole": status == Status::Done })))?;
    }
    Ok(status)
}
