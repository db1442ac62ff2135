//! `worker selfcheck`: every registered arm prepares and runs a program of its own.

use super::{Problem, Status, out, setup};
use clap::Args;
use gg_common::arm::Arm;
use gg_worker::service::selfcheck::check;

/// Arguments of `selfcheck`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Only this arm
    #[arg(long)]
    arm: Option<Arm>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Status, Problem> {
    let mut status = Status::Done;
    let mut rows = Vec::new();
    for arm in Arm::ALL.into_iter().filter(|arm| arguments.arm.is_none_or(|only| only == *arm)) {
        let mut settings = setup::settings()?;
        settings.spare_executors = 0;
        let result = setup::worker(settings, &[arm]).map_err(|p| p.message).and_then(|worker| check(&worker, arm));
        if result.is_err() {
            status = Status::Failed;
        }
        if !arguments.json {
            match &result {
                Ok(()) => out(&format!("{arm}: ok\n"))?,
                Err(reason) => out(&format!("{arm}: failed: {reason}\n"))?,
            }
        }
        rows.push(serde_json::json!({"arm": arm, "ok": result.is_ok(), "reason": result.err()}));
    }
    if arguments.json {
        out(&format!("{}\n", serde_json::json!({ "arms": rows })))?;
    }
    Ok(status)
}
