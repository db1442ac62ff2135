//! `coordinator bench`: what an idle agent takes, what the loop itself takes of a turn, and how soon a resumed run goes on.
//! The rows are those of `worker bench`. Run it from a release build: `make bench`.

mod agents;
mod census;
mod place;
mod resumed;
mod script;
mod turns;

use super::exit::Exit;
use super::progress::say;
use clap::Args;
use comfy_table::{Table, presets};
use gg_common::figure::{self, Figure, Wanted};
use std::io::Write;
use std::time::Duration;

/// What `coordinator bench` is called with.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status:
    0  every bound holds
    1  one does not
    2  the command line is wrong
    3  the farm failed")]
pub struct BenchArgs {
    /// Only figures whose name begins so
    #[arg(long, value_name = "NAME")]
    only: Option<String>,

    /// Agents that are held at once
    #[arg(long, value_name = "COUNT", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=9_000))]
    agents: u32,

    /// Turns of each
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    turns: u32,

    /// Turns that the run has which is resumed
    #[arg(long, value_name = "COUNT", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=50_000))]
    past_turns: u32,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A group of figures that are measured together.
type Group = (&'static [&'static str], fn(&BenchArgs) -> Result<Vec<Figure>, String>);

const GROUPS: &[Group] = &[
    (&[agents::KIB, agents::GROWTH, agents::LEFT_OVER], agents::measure),
    (&[turns::LOOP, turns::SYNCED], turns::measure),
    (&[resumed::RESUME], resumed::measure),
];

/// Runs the command.
pub(super) fn main(args: &BenchArgs) -> Exit {
    let wanted = Wanted(args.only.clone());
    let mut figures = Vec::new();
    for (names, measure) in GROUPS {
        if !names.iter().any(|name| wanted.has(name)) {
            continue;
        }
        say(&format!("measuring {}", names.join(", ")));
        match measure(args) {
            Ok(measured) => figures.extend(measured.into_iter().filter(|figure| wanted.has(figure.name))),
            Err(message) => {
                say(&format!("the bench failed: {message}"));
                return Exit::Failed;
            }
        }
    }
    if figures.is_empty() {
        let names: Vec<&str> = GROUPS.iter().flat_map(|(names, _)| names.iter().copied()).collect();
        say(&format!("no figure begins so: there are {}", names.join(", ")));
        return Exit::Usage;
    }
    let text = if args.json {
        figure::json(&figures)
    } else {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(Figure::HEADINGS);
        table.add_rows(figures.iter().map(Figure::cells));
        table.to_string()
    };
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(_) => Exit::Failed,
        Ok(()) if figures.iter().all(|figure| figure.holds().unwrap_or(true)) => Exit::Finished,
        Ok(()) => Exit::Unfinished,
    }
}

/// How long a thread for blocking calls waits for the next one. What is measured is a farm at rest, and nobody waits the
/// ten seconds that a run has.
const IDLE_THREAD: Duration = Duration::from_millis(500);

/// The threads that a run has.
fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_keep_alive(IDLE_THREAD)
        .build()
        .map_err(|error| format!("no threads can be started: {error}"))
}
