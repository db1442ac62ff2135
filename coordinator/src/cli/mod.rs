//! The command line: one file a command.

#[cfg(feature = "embedded")]
mod bench;
mod exit;
mod generate;
mod init;
#[cfg(feature = "embedded")]
mod lines;
#[cfg(feature = "embedded")]
mod live;
mod machine;
mod progress;
mod prompt;
#[cfg(feature = "embedded")]
mod report;
mod run;
mod runs;
mod show;
#[cfg(feature = "embedded")]
mod signals;
mod transcript;
mod words;

pub use exit::Exit;
pub(crate) use exit::statuses;
pub use run::RunArgs;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Drives agents that answer in code.
#[derive(Debug, Parser)]
#[command(name = "coordinator", version, after_help = exit::HELP, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Drive one agent from its task to its end
    Run(Box<RunArgs>),
    /// Make a run file with its task, files and replies, to be changed into your own
    Init(init::InitArgs),
    /// Show a run as a person reads it
    Show(show::ShowArgs),
    /// List the runs that were recorded, or remove some
    Runs(runs::RunsArgs),
    /// Print exactly what a model reads before its first turn
    Prompt(prompt::PromptArgs),
    /// List the languages: their checkers, their artifacts and whether they are ready
    Arms(machine::MachineArgs),
    /// Look at what this machine must have, and say how to mend what is wrong
    Doctor(machine::MachineArgs),
    /// Measure what idle agents and the loop take, and how soon a resumed run goes on
    #[cfg(feature = "embedded")]
    Bench(bench::BenchArgs),
    /// Print completions for a shell
    Completions(generate::CompletionsArgs),
    /// Write the manual's pages
    Man(generate::ManArgs),
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are asked for; everything else is a usage error. Nobody is left to tell where the
            // terminal is gone.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Finished }.into();
        }
    };
    log_to_stderr();
    match cli.command {
        Command::Run(args) => run::main(*args).into(),
        Command::Init(args) => init::main(&args).into(),
        Command::Show(args) => show::main(&args).into(),
        Command::Runs(args) => runs::main(&args).into(),
        Command::Prompt(args) => prompt::main(&args).into(),
        Command::Arms(args) => machine::arms(&args).into(),
        Command::Doctor(args) => machine::doctor(&args).into(),
        #[cfg(feature = "embedded")]
        Command::Bench(args) => bench::main(&args).into(),
        Command::Completions(args) => generate::completions(&args).into(),
        Command::Man(args) => generate::man(&args).into(),
    }
}

fn log_to_stderr() {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::builder()
        .with_default_directive(tracing_subscriber::filter::LevelFilter::WARN.into())
        .from_env_lossy();
    // A second subscriber is refused where a test has set one: it then serves both.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| progress::AboveLive)
        .with_ansi(progress::takes_colour())
        .try_init();
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent_and_its_help_states_the_exit_statuses() {
        Cli::command().debug_assert();
        for mut command in [Cli::command(), Cli::command().find_subcommand("run").expect("run").clone()] {
            let help = command.render_long_help().to_string();
            assert!(help.contains("130"), "{help}");
        }
    }
}
