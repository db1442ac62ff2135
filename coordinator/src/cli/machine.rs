//! `coordinator arms` and `coordinator doctor`: what this machine has.

use super::exit::{self, Exit};
use clap::Args;

/// What both are called with.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub struct MachineArgs {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[cfg(not(feature = "embedded"))]
mod outside {
    use super::*;
    use crate::cli::progress::say;

    const NO_WORKER: &str = "this build has no worker inside: ask `worker` on the machine itself";

    pub(in crate::cli) fn arms(_args: &MachineArgs) -> Exit {
        say(NO_WORKER);
        Exit::Usage
    }

    pub(in crate::cli) fn doctor(_args: &MachineArgs) -> Exit {
        say(NO_WORKER);
        Exit::Usage
    }
}

#[cfg(not(feature = "embedded"))]
pub(super) use outside::{arms, doctor};

#[cfg(feature = "embedded")]
pub(super) use inside::{arms, doctor};

#[cfg(feature = "embedded")]
mod inside {
    use super::*;
    use crate::cli::progress::say;
    use crate::embedded::{self, Verdict};
    use comfy_table::{Table, presets};
    use gg_common::folders::CacheRoot;
    use std::io::Write;

    fn root() -> Result<CacheRoot, Exit> {
        CacheRoot::from_environment().map_err(|error| {
            say(&error.to_string());
            Exit::Usage
        })
    }

    fn print(text: impl std::fmt::Display) -> Exit {
        match writeln!(std::io::stdout().lock(), "{text}") {
            Ok(()) => Exit::Finished,
            Err(_) => Exit::Failed,
        }
    }

    pub(in crate::cli) fn arms(args: &MachineArgs) -> Exit {
        let root = match root() {
            Ok(root) => root,
            Err(exit) => return exit,
        };
        let arms = embedded::arms(&root);
        if args.json {
            return print(serde_json::json!({ "arms": arms }));
        }
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(["arm", "language", "checker", "artifacts", "state"]);
        for arm in arms {
            let checker = arm.checker.unwrap_or("none");
            table.add_row([arm.arm.id(), arm.language, checker, &arm.artifacts.to_string()[..16], &arm.state]);
        }
        print(table)
    }

    pub(in crate::cli) fn doctor(args: &MachineArgs) -> Exit {
        let root = match root() {
            Ok(root) => root,
            Err(exit) => return exit,
        };
        let checks = embedded::doctor(&root);
        let well = checks.iter().all(|check| check.verdict != Verdict::Wrong);
        let exit = if well { Exit::Finished } else { Exit::Unfinished };
        let printed = if args.json {
            print(serde_json::json!({ "well": well, "checks": checks }))
        } else {
            let lines = checks.iter().map(|check| {
                let mark = match check.verdict {
                    Verdict::Ok => "ok     ",
                    Verdict::Warning => "warning",
                    Verdict::Wrong => "WRONG  ",
                };
                let mend = check.mend.as_ref().map(|mend| format!("\n        {mend}")).unwrap_or_default();
                format!("{mark} {}: {}{mend}", check.what, check.found)
            });
            print(lines.collect::<Vec<_>>().join("\n"))
        };
        if printed == Exit::Finished { exit } else { printed }
    }
}
