//! A thousand agents in one process, all of which wait for their model: what each takes, and what is there when they went.

use super::census::{Census, SETTLES_WITHIN, resident_kib};
use super::place::{On, Place};
use super::script::{ARM, Gate, Quiet, Run, Script, plan};
use super::{BenchArgs, IDLE_THREAD, runtime};
use crate::agent::Interrupt;
use crate::clock::SystemClock;
use crate::embedded::{Embedded, Options};
use crate::farm::House;
use crate::records::RunFolder;
use gg_common::figure::{Bound, Figure};
use gg_common::ledger::{LOG_FILE, LocalLedger};
use gg_common::objects::Durability;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::watch;
use tokio::task::JoinSet;

pub(super) const KIB: &str = "idle_agent_kib";
pub(super) const GROWTH: &str = "idle_agent_growth";
pub(super) const LEFT_OVER: &str = "left_over";

/// Executors kept at once. They are processes of their own, and bounded whatever there is of agents.
const EXECUTORS: usize = 8;

/// The turn after which agents are looked at for the first time, where they have more.
const EARLY: u32 = 2;

/// Measures the three.
pub(super) fn measure(args: &BenchArgs) -> Result<Vec<Figure>, String> {
    // Memory is what is asked for: no write waits for the device.
    let place = Place::make(On::Disk)?;
    runtime()?.block_on(measured(&place, args.agents, args.turns))
}

async fn measured(place: &Place, agents: u32, turns: u32) -> Result<Vec<Figure>, String> {
    let nothing = Census::take(place.path());
    let ledger = LocalLedger::new(&place.runs(), Durability::Cached);
    let options = Options { durability: Durability::Cached, executors: Some(EXECUTORS), ..Options::default() };
    let embedded =
        Embedded::start_with(&place.root(), ledger, &[ARM], options).await.map_err(|error| error.to_string())?;
    let alone = Census::at_rest(place.path()).await;
    let base_kib = resident_kib()?;
    let early = EARLY.min(turns - 1);
    let [first, last] = idle(embedded.house(), &place.runs(), agents, [early, turns]).await?;
    let by_agents = Census::left_over(alone, place.path(), SETTLES_WITHIN).await;
    embedded.stop().await;
    let by_farm = Census::left_over(nothing, place.path(), SETTLES_WITHIN).await;

    let each = |kib: u64| kib as f64 / f64::from(agents);
    let above = |level: &Level| level.resident_kib.saturating_sub(base_kib);
    // What a model reads grows with the log, and is in memory: flat is what there is beside.
    let beyond = |level: &Level| each(above(level).saturating_sub(level.log_kib).max(1));
    Ok(vec![
        Figure {
            name: KIB,
            value: each(above(&last)),
            unit: "KiB",
            bound: Bound::AtMost(256.0),
            note: format!(
                "{agents} agents wait for their model after {turns} turns: {} KiB resident, {base_kib} KiB without \
                 agents; what each keeps of its log is counted ({:.0} KiB on disk), executors (at most {EXECUTORS}) are \
                 not; {:.1} descriptors each",
                last.resident_kib,
                each(last.log_kib),
                (last.descriptors.saturating_sub(alone.descriptors)) as f64 / f64::from(agents)
            ),
        },
        Figure {
            name: GROWTH,
            value: beyond(&last) / beyond(&first),
            unit: "ratio",
            bound: Bound::AtMost(1.1),
            note: format!(
                "an agent beyond its log after {turns} turns: {:.1} KiB ({:.1} with its log of {:.1}), after {early}: {:.1} \
                 KiB ({:.1} with {:.1})",
                beyond(&last),
                each(above(&last)),
                each(last.log_kib),
                beyond(&first),
                each(above(&first)),
                each(first.log_kib)
            ),
        },
        Figure {
            name: LEFT_OVER,
            value: (by_agents.total() + by_farm.total()) as f64,
            unit: "count",
            bound: Bound::AtMost(0.0),
            note: format!("when the agents had ended: {by_agents}; when the farm had: {by_farm}"),
        },
    ])
}

/// What there is while all agents wait.
#[derive(Debug, Clone, Copy)]
struct Level {
    resident_kib: u64,
    log_kib: u64,
    descriptors: usize,
}

impl Level {
    fn take(runs: &Path) -> Result<Level, String> {
        let length = |run: std::fs::DirEntry| run.path().join(LOG_FILE).metadata().map_or(0, |log| log.len());
        let logs: u64 = std::fs::read_dir(runs).into_iter().flatten().flatten().map(length).sum();
        let descriptors = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        Ok(Level { resident_kib: resident_kib()?, log_kib: logs / 1024, descriptors })
    }
}

/// What all agents share.
struct Shared {
    house: House,
    model: Script,
    clock: SystemClock,
    runs: PathBuf,
    turns: u32,
}

/// Drives agents to the end of their scripts. Gives what there is while all wait for their model, after each of two turns,
/// of which the later is their last.
async fn idle(house: &House, runs: &Path, agents: u32, after: [u32; 2]) -> Result<[Level; 2], String> {
    let turns = after[1];
    let model = Script { turns, gates: after.map(|turn| Gate::before(turn + 1)).into() };
    let (clock, runs) = (SystemClock::default(), runs.to_owned());
    let shared = Arc::new(Shared { house: house.clone(), model, clock, runs, turns });
    let mut driven = JoinSet::new();
    for _ in 0..agents {
        driven.spawn(agent(shared.clone()));
    }
    let mut levels = Vec::new();
    for gate in &shared.model.gates {
        tokio::select! {
            () = gate.holds(agents) => {}
            ended = driven.join_next() => {
                let ended = ended.map_or(Ok(Ok(())), |ended| ended);
                ended.map_err(|error| format!("an agent's task failed: {error}"))??;
                return Err("an agent ended before the others".to_owned());
            }
        }
        // At rest, no thread waits for a blocking call.
        tokio::time::sleep(2 * IDLE_THREAD).await;
        levels.push(Level::take(&shared.runs)?);
        gate.open();
    }
    while let Some(ended) = driven.join_next().await {
        ended.map_err(|error| format!("an agent's task failed: {error}"))??;
    }
    Ok([levels[0], levels[1]])
}

async fn agent(shared: Arc<Shared>) -> Result<(), String> {
    let Shared { house, model, clock, runs, turns } = &*shared;
    let plan = plan();
    let folder = RunFolder::make(runs, clock).map_err(|error| error.to_string())?;
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let run = Run { house, model, plan: &plan, folder: &folder, clock, observer: &Quiet };
    run.finish(*turns, interrupt).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestFarm, completed};
    use gg_common::job::{TurnJob, TurnResult};
    use std::fs::File;
    use std::sync::Mutex;
    use std::time::Duration;

    /// What is left over of eight agents, on a worker that answers so.
    fn left_by(answer: impl Fn(&TurnJob) -> Vec<TurnResult> + Send + Sync + 'static) -> Census {
        let place = tempfile::tempdir().expect("tempdir");
        let runs = place.path().join("runs");
        let runtime = runtime().expect("threads");
        runtime.block_on(async {
            let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
            let alone = Census::take(place.path());
            let [first, last] = idle(&farm.house, &runs, 8, [1, 2]).await.expect("eight agents");
            assert!(last.log_kib > first.log_kib && first.resident_kib > 0, "{first:?} {last:?}");
            // What waits for a turn is an agent's: its log at least.
            assert!(last.descriptors >= alone.descriptors + 8, "{last:?}");
            Census::left_over(alone, place.path(), Duration::from_secs(3)).await
        })
    }

    #[test]
    fn agents_that_ended_leave_nothing_and_what_a_worker_keeps_of_them_is_counted() {
        assert_eq!(left_by(|job| vec![completed(job)]), Census::default());
        let kept = Mutex::new(Vec::new());
        let left = left_by(move |job| {
            kept.lock().expect("lock").push(File::open("/dev/null").expect("a descriptor"));
            vec![completed(job)]
        });
        assert_eq!(left, Census { descriptors: 16, ..Census::default() });
    }

    #[test]
    fn a_turn_that_did_not_complete_is_no_measurement() {
        let place = tempfile::tempdir().expect("tempdir");
        let error = runtime().expect("threads").block_on(async {
            let broken = |job: &TurnJob| {
                let mut result = completed(job);
                result.outcome =
                    gg_common::outcome::Outcome::Internal { error_text: "the disk broke".to_owned(), suspect: None };
                vec![result]
            };
            let farm = TestFarm::start(place.path(), Arc::new(broken)).await;
            idle(&farm.house, &place.path().join("runs"), 2, [1, 2]).await.expect_err("no measurement")
        });
        assert!(error.contains("the disk broke"), "{error}");
    }
}
