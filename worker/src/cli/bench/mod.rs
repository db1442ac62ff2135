//! `worker bench`: figures as ratios against baselines that are named and measured in the same run, since machines are
//! noisy. Run it from a release build: `make bench`.

mod bare;
mod compiled;
mod executors;
mod first;
mod steady;
mod turns;

use super::{Problem, Status, out, setup};
use clap::Args;
use comfy_table::{Table, presets};
use gg_common::figure::{self, Figure, Wanted};

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Only figures whose name begins so
    #[arg(long)]
    only: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A group of figures that are measured together, under the beginning of their names.
type Group = (&'static [&'static str], fn(&Wanted) -> Result<Vec<Figure>, Problem>);

const GROUPS: &[Group] = &[
    (
        &[
            "turn_javascript_hello",
            "turn_javascript_write",
            "turn_javascript_calls",
            "turn_javascript_disk",
            "turn_javascript_synced",
            "turn_python_hello",
            "turn_python_write",
            "turn_python_calls",
            "turn_python_disk",
            "turn_python_synced",
        ],
        turns::measure,
    ),
    (&["turn_rust_hello", "turn_rust_100_lines", "turn_typescript"], compiled::bare),
    (&["turn_ten_modules"], compiled::ten_modules),
    (&["two_at_once_rust"], compiled::two_at_once),
    (&["executor_start_javascript", "executor_start_python"], executors::start),
    (&["executors_64"], executors::sixty_four),
    (&["first_result_javascript", "first_result_python"], first::measure),
    (&["steady_time", "steady_memory"], steady::measure),
];

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Status, Problem> {
    let wanted = Wanted(arguments.only.clone());
    let mut figures = Vec::new();
    for (names, measure) in GROUPS {
        if names.iter().any(|name| wanted.has(name)) {
            figures.extend(measure(&wanted)?.into_iter().filter(|figure| wanted.has(figure.name)));
        }
    }
    if figures.is_empty() {
        let names: Vec<&str> = GROUPS.iter().flat_map(|(names, _)| names.iter().copied()).collect();
        return Err(Problem::usage(format!("no figure begins so: there are {}", names.join(", "))));
    }
    let holds = figures.iter().all(|figure| figure.holds().unwrap_or(true));
    print(&figures, arguments.json)?;
    Ok(if holds { Status::Done } else { Status::Failed })
}

fn print(figures: &[Figure], json: bool) -> Result<(), Problem> {
    if json {
        return out(&format!("{}\n", figure::json(figures)));
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(Figure::HEADINGS);
    table.add_rows(figures.iter().map(Figure::cells));
    out(&format!("{table}\n"))
}
