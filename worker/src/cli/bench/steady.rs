//! Two thousand programs in a row on one agent: time and memory stay flat.

use super::turns::Farm;
use super::{Problem, setup};
use gg_common::arm::Arm;
use gg_common::figure::{Bound, Figure, Wanted, median, ms};
use gg_common::objects::Durability;
use gg_worker::language::language;

const PROGRAMS: usize = 2_000;
const HUNDRED: usize = 100;

/// Resident memory of this process and its children, in KiB.
fn resident() -> u64 {
    let me = std::process::id().to_string();
    let of = |pid: &str| {
        let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
        statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4
    };
    let children = std::fs::read_to_string(format!("/proc/{me}/task/{me}/children")).unwrap_or_default();
    let tasks = std::fs::read_dir(format!("/proc/{me}/task")).into_iter().flatten().flatten();
    let by_threads: u64 = tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|pids| pids.split_whitespace().map(of).collect::<Vec<_>>())
        .sum();
    of(&me) + if by_threads > 0 { by_threads } else { children.split_whitespace().map(of).sum() }
}

/// Measures the JavaScript arm, whose programs are the shortest.
pub fn measure(_: &Wanted) -> Result<Vec<Figure>, Problem> {
    let arm = Arm::Javascript;
    let folder = setup::bench_folder()?;
    let mut farm = Farm::start(arm, folder.path(), Durability::Cached)?;
    let mut times = Vec::new();
    let mut memory = Vec::new();
    for index in 0..PROGRAMS {
        times.push(farm.turn(language(arm).hello_program())?);
        if index % HUNDRED == HUNDRED - 1 {
            memory.push(resident());
        }
    }
    let second = median(times[HUNDRED..2 * HUNDRED].to_vec());
    let last = median(times[PROGRAMS - HUNDRED..].to_vec());
    let (memory_then, memory_now) = (memory[1], memory[memory.len() - 1]);
    Ok(vec![
        Figure {
            name: "steady_time",
            value: last.as_secs_f64() / second.as_secs_f64(),
            unit: "ratio",
            bound: Bound::AtMost(1.1),
            note: format!(
                "a turn of the last hundred of {PROGRAMS}: {:.3} ms, of the second: {:.3} ms (medians)",
                ms(last),
                ms(second)
            ),
        },
        Figure {
            name: "steady_memory",
            value: memory_now as f64 / memory_then as f64,
            unit: "ratio",
            bound: Bound::AtMost(1.1),
            note: format!("resident after the last hundred: {memory_now} KiB, after the second: {memory_then} KiB"),
        },
    ])
}
