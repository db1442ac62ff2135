//! Executors: starting one, and sixty-four of them at once.

use super::bare::Bare;
use super::{Problem, setup};
use gg_common::arm::Arm;
use gg_common::figure::{Bound, Figure, Wanted, median, ms};
use gg_common::limits::Limits;
use gg_common::profile::TreeAccess;
use gg_worker::artifacts::Artifacts;
use gg_worker::executor::clock::start_epoch_timer;
use gg_worker::executor::engine::{Threads, default_wasm_stack, engine};
use gg_worker::executor::handle::{Executor, Guest, RunEnd};
use gg_worker::executor::precompiled::Precompiled;
use gg_worker::executor::protocol::{Assignment, Isolation, RunRequest, TurnEngine};
use gg_worker::home::Home;
use gg_worker::home::slot::Slot;
use gg_worker::language::language;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

fn guest(arm: Arm) -> Result<Guest, Problem> {
    if language(arm).guest() == gg_worker::language::Guest::None {
        return Ok(Guest::none(arm, TurnEngine::default()));
    }
    let root = setup::root()?;
    let precompiled = Precompiled::open(&root.precompiled()).map_err(Problem::farm)?;
    let set = Artifacts::new(&root.artifacts(), None).find(arm).map_err(Problem::farm)?;
    Ok(Guest::new(arm, precompiled.get(&set.path("guest.wasm")).map_err(Problem::farm)?))
}

fn assignment(arm: Arm, home: &Home) -> Assignment {
    let limits = Limits::default();
    Assignment {
        arm,
        wasm_stack_bytes: limits.wasm_stack_bytes,
        tree: home.tree_folder(),
        scratch: home.scratch_folder(),
        access: TreeAccess::ReadWrite,
        identity: home.owner(),
        isolation: Isolation::Namespaces,
        landlock_abi: None,
        kill_on_violation: false,
        data_bytes: limits.memory_bytes + limits.wasm_stack_bytes + (192 << 20),
        file_bytes: limits.tree_bytes,
        temp_bytes: limits.temp_bytes,
        temp_entries: limits.temp_entries,
    }
}

fn home(homes: &Path) -> Result<Home, Problem> {
    Slot::take(homes, 40_000).map_err(Problem::farm).and_then(|slot| Home::make(slot).map_err(Problem::farm))
}

/// Start to ready and confined, against starting an empty program the same way.
pub fn start(wanted: &Wanted) -> Result<Vec<Figure>, Problem> {
    const ROUNDS: usize = 60;
    let mut figures = Vec::new();
    for arm in Arm::ALL {
        let name = match arm {
            Arm::Javascript => "executor_start_javascript",
            Arm::Python => "executor_start_python",
            Arm::Typescript => "executor_start_typescript",
            Arm::Rust => "executor_start_rust",
        };
        if !wanted.has(name) {
            continue;
        }
        let guest = guest(arm)?;
        let folder = setup::bench_folder()?;
        let home = home(folder.path())?;
        let assignment = assignment(arm, &home);
        let (mut whole, mut empty) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let started = Instant::now();
            #[expect(clippy::disallowed_methods, reason = "the baseline: an empty program, started the same way")]
            let mut child = std::process::Command::new("/bin/true")
                .env_clear()
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .map_err(Problem::farm)?;
            child.wait().map_err(Problem::farm)?;
            empty.push(started.elapsed());
            let started = Instant::now();
            let mut executor = Executor::start(Path::new("/proc/self/exe"), &guest).map_err(Problem::farm)?;
            executor.assign(&assignment).map_err(Problem::farm)?;
            whole.push(started.elapsed());
        }
        let (whole, empty) = (median(whole), median(empty));
        figures.push(Figure {
            name,
            value: whole.as_secs_f64() / empty.as_secs_f64(),
            unit: "ratio",
            bound: Bound::AtMost(6.0),
            note: format!(
                "ready and confined {:.2} ms, an empty program to its end {:.2} ms (medians)",
                ms(whole),
                ms(empty)
            ),
        });
    }
    Ok(figures)
}

/// Sixty-four agents' executors looping, against a bare loop on as many threads as there are cores.
pub fn sixty_four(_: &Wanted) -> Result<Vec<Figure>, Problem> {
    const EXECUTORS: usize = 64;
    const ROUND: Duration = Duration::from_secs(3);
    const ROUNDS: usize = 3;
    let arm = Arm::Javascript;
    let guest = guest(arm)?;
    let folder = setup::bench_folder()?;
    let mut agents = Vec::new();
    for _ in 0..EXECUTORS {
        let home = home(folder.path())?;
        let mut executor = Executor::start(Path::new("/proc/self/exe"), &guest).map_err(Problem::farm)?;
        executor.assign(&assignment(arm, &home)).map_err(Problem::farm)?;
        agents.push((home, executor));
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut theirs, mut bare) = (0.0, 0.0);
    for _ in 0..ROUNDS {
        bare += bare_loop(arm, folder.path(), threads, ROUND)?;
        theirs += executors_loop(arm, &mut agents, ROUND);
    }
    let (theirs, bare) = (theirs / ROUNDS as f64, bare / ROUNDS as f64);
    Ok(vec![Figure {
        name: "executors_64",
        value: theirs / bare,
        unit: "ratio",
        bound: Bound::AtLeast(0.8),
        note: format!(
            "{theirs:.0} turns a second in {EXECUTORS} executors, {bare:.0} in a bare loop on {threads} threads"
        ),
    }])
}

fn bare_loop(arm: Arm, folder: &Path, threads: usize, time: Duration) -> Result<f64, Problem> {
    let engine = engine(Threads::One, default_wasm_stack()).map_err(|e| Problem::farm(format!("{e:#}")))?;
    start_epoch_timer(&engine).map_err(Problem::farm)?;
    let mut bares = Vec::new();
    for index in 0..threads {
        bares.push(Bare::on(&engine, arm, &folder.join(format!("bare-{index}")))?);
    }
    let (count, stop, failed) = (AtomicU64::new(0), AtomicBool::new(false), AtomicBool::new(false));
    let started = Instant::now();
    std::thread::scope(|scope| {
        for bare in bares {
            let (count, stop, failed) = (&count, &stop, &failed);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    match bare.run(language(arm).hello_program()) {
                        Ok(_) => count.fetch_add(1, Ordering::Relaxed),
                        Err(_) => return failed.store(true, Ordering::Relaxed),
                    };
                }
            });
        }
        std::thread::sleep(time);
        stop.store(true, Ordering::Relaxed);
    });
    if failed.load(Ordering::Relaxed) {
        return Err(Problem::farm("a bare program failed"));
    }
    Ok(count.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64())
}

fn executors_loop(arm: Arm, agents: &mut [(Home, Executor)], time: Duration) -> f64 {
    let (count, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let started = Instant::now();
    std::thread::scope(|scope| {
        for (_, executor) in agents.iter_mut() {
            let (count, stop) = (&count, &stop);
            scope.spawn(move || {
                let request = RunRequest::new(arm, language(arm).hello_program().as_bytes(), &Limits::default());
                while !stop.load(Ordering::Relaxed) {
                    let deadline = Instant::now() + Duration::from_secs(60);
                    match executor.run(&request, deadline, &mut |_, _| Vec::new()) {
                        RunEnd::Done(_) => count.fetch_add(1, Ordering::Relaxed),
                        RunEnd::WallTime | RunEnd::CompileTime | RunEnd::CompileMemory | RunEnd::Died(_) => return,
                    };
                }
            });
        }
        std::thread::sleep(time);
        stop.store(true, Ordering::Relaxed);
    });
    count.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64()
}
