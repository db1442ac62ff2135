//! The commands of `worker`, one file each.

mod artifacts;
mod bench;
mod exec;
mod selfcheck;
mod setup;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// What an exit status says, the same for every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// It did what was asked; for `exec`, the program completed.
    Done = 0,
    /// The program failed or was rejected; a check did not hold.
    Failed = 1,
    /// The command line or a file that it names is wrong.
    Usage = 2,
    /// The farm failed.
    Farm = 3,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// An error of a command: what to print and what to exit with.
#[derive(Debug)]
pub struct Problem {
    status: Status,
    message: String,
}

impl Problem {
    /// The command line or a file that it names is wrong.
    pub fn usage(message: impl ToString) -> Problem {
        Problem { status: Status::Usage, message: message.to_string() }
    }

    /// The farm failed.
    pub fn farm(message: impl ToString) -> Problem {
        Problem { status: Status::Farm, message: message.to_string() }
    }
}

/// Writes to standard output. That nobody reads on is no error; that it cannot be written is.
fn out(text: &str) -> Result<(), Problem> {
    use std::io::Write;
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Problem::farm(format!("the result cannot be written to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

#[derive(Debug, Parser)]
#[command(
    name = "worker",
    version,
    about = "Prepares and runs the turns of gg-farm's agents",
    after_help = "Exit status: 0 done (exec: the program completed), 1 the program failed or was rejected, or a check did not hold, 2 usage, 3 the farm failed."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run one program against a folder, with no model
    Exec(exec::Arguments),
    /// Prepare and run a program of each registered arm's own
    Selfcheck(selfcheck::Arguments),
    /// Build, list and verify what an arm needs on disk
    #[command(subcommand)]
    Artifacts(artifacts::Command),
    /// Measure the worker against named baselines, as ratios in one run
    Bench(bench::Arguments),
}

/// Runs the command line to its exit status.
pub fn main() -> ExitCode {
    // clap exits with 2 by itself where the command line is wrong.
    let arguments = Arguments::parse();
    setup::logging();
    let result = match arguments.command {
        Command::Exec(arguments) => exec::run(&arguments),
        Command::Selfcheck(arguments) => selfcheck::run(&arguments),
        Command::Artifacts(command) => artifacts::run(&command),
        Command::Bench(arguments) => bench::run(&arguments),
    };
    match result {
        Ok(status) => status.into(),
        Err(problem) => {
            // Nobody is left to tell where it cannot be written.
            let _ =
                std::io::Write::write_all(&mut std::io::stderr(), format!("worker: {}\n", problem.message).as_bytes());
            problem.status.into()
        }
    }
}
