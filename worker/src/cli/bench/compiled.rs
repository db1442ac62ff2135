//! Turns of arms that compile, against their bare compiler: the same program with the same flags, unconfined, from the
//! same artifacts. And what code modules in scope, and two agents at once, make of it.

use super::{Problem, setup};
use gg_common::arm::Arm;
use gg_common::figure::{Bound, Figure, Wanted, median, ms};
use gg_common::job::{AgentId, Body, RunId, Timings, TurnJob, TurnResult};
use gg_common::objects::{Durability, Objects};
use gg_common::outcome::Outcome;
use gg_common::profile::{Profile, Skill};
use gg_common::state::{Carried, State};
use gg_worker::Worker;
use gg_worker::artifacts::Artifacts;
use gg_worker::language::{BareCommand, language};
use std::path::Path;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Rounds of each, in turn, so that the machine's drift meets both alike.
const ROUNDS: usize = 12;
/// Code modules in scope of `turn_ten_modules`.
const MODULES: usize = 10;

const FORTY: &str = include_str!("programs/forty.ts");
const HUNDRED: &str = include_str!("programs/hundred.rs");

/// The bare compiler of an arm, and a program of its own.
struct Bare {
    _folder: TempDir,
    command: BareCommand,
}

impl Bare {
    fn new(arm: Arm, program: &str) -> Result<Bare, Problem> {
        let root = setup::root()?;
        let set = Artifacts::new(&root.artifacts(), None).find(arm).map_err(Problem::farm)?;
        let prepare = language(arm).open(&set, &setup::settings()?.places).map_err(Problem::farm)?;
        let folder = memory_folder()?;
        let source = folder.path().join(arm.program_name());
        std::fs::write(&source, program).map_err(Problem::farm)?;
        let command = prepare
            .bare(&set, &source, &folder.path().join("output"))
            .ok_or_else(|| Problem::farm(format!("the arm {arm} has no bare compiler")))?;
        Ok(Bare { _folder: folder, command })
    }

    fn run(&self) -> Result<Duration, Problem> {
        let BareCommand { program, args, env, folder } = &self.command;
        let started = Instant::now();
        #[expect(clippy::disallowed_methods, reason = "the baseline: a compiler as a person runs it")]
        let output = std::process::Command::new(program)
            .args(args)
            .envs(env.iter().map(|(name, value)| (name, value)))
            .current_dir(folder)
            .stdin(std::process::Stdio::null())
            .output()
            .map_err(|error| Problem::farm(format!("{}: {error}", program.display())))?;
        let took = started.elapsed();
        if output.status.success() {
            return Ok(took);
        }
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        Err(Problem::farm(format!("the bare {}: {}; {said}", program.display(), output.status)))
    }
}

/// A folder in memory, where there is a file system of memory.
fn memory_folder() -> Result<TempDir, Problem> {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory).map_err(Problem::farm) } else { setup::bench_folder() }
}

/// A worker whose files lie in memory.
struct Farm {
    worker: Arc<Worker>,
    objects: Objects,
    _folder: TempDir,
}

impl Farm {
    fn start(arm: Arm) -> Result<Farm, Problem> {
        let folder = memory_folder()?;
        let mut settings = setup::settings()?;
        settings.homes = folder.path().join("homes");
        let objects = Objects::in_folder(&folder.path().join("objects"), Durability::Cached).map_err(Problem::farm)?;
        let worker = Worker::start(settings, objects.clone(), &[arm]).map_err(Problem::farm)?;
        Ok(Farm { worker, objects, _folder: folder })
    }

    fn agent(&self, arm: Arm, name: &str) -> Agent {
        Agent {
            worker: self.worker.clone(),
            objects: self.objects.clone(),
            name: AgentId(name.to_owned()),
            profile: Profile::with_everything(arm),
            state: State::default(),
            last: None,
            timings: Vec::new(),
        }
    }
}

/// An agent that is driven turn by turn.
struct Agent {
    worker: Arc<Worker>,
    objects: Objects,
    name: AgentId,
    profile: Profile,
    state: State,
    last: Option<TurnResult>,
    timings: Vec<Timings>,
}

impl Agent {
    /// Runs a turn, from its job to its result, and gives what it took.
    fn turn(&mut self, program: &str) -> Result<Duration, Problem> {
        let turn = self.last.as_ref().map_or(1, |last| last.turn + 1);
        // A view stays in the state; what is measured is a turn like any other.
        let state = futures::executor::block_on(Carried::pack(&self.state, &self.objects)).map_err(Problem::farm)?;
        let job = TurnJob {
            version: gg_common::FORMAT_VERSION,
            run: RunId("bench".into()),
            agent: self.name.clone(),
            epoch: 1,
            turn,
            source: Body::Inline(program.to_owned()),
            profile: self.profile.clone(),
            tree: self.last.as_ref().and_then(|last| last.tree),
            state,
            reply_to: String::new(),
            wall_left_ms: None,
            trace: None,
        };
        let started = Instant::now();
        let result = self.worker.run_turn(&job);
        let took = started.elapsed();
        if result.outcome != Outcome::Completed {
            return Err(Problem::farm(format!("a program ended as {:?}", result.outcome)));
        }
        result.effects.iter().for_each(|effect| self.state.apply(turn, effect));
        self.timings.push(result.timings);
        self.last = Some(result);
        Ok(took)
    }

    /// Where the time of the turns went, in medians.
    fn parts(&self) -> String {
        let of = |part: fn(&Timings) -> f64| {
            let mut times: Vec<f64> = self.timings.iter().map(part).collect();
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).copied().unwrap_or_default()
        };
        format!(
            "compile and encode {:.1}, engine and instantiate {:.1}, guest {:.2}, calls {:.2}, snapshot {:.2}",
            of(|t| t.compile_ms.unwrap_or_default()),
            of(|t| t.compile_wait_ms),
            of(|t| t.duration_ms),
            of(|t| t.calls_ms),
            of(|t| t.snapshot_ms)
        )
    }
}

/// A turn against its bare compiler.
fn against_bare(name: &'static str, arm: Arm, program: &str, bound: f64) -> Result<Figure, Problem> {
    let bare = Bare::new(arm, program)?;
    let farm = Farm::start(arm)?;
    let mut agent = farm.agent(arm, "main");
    for _ in 0..2 {
        bare.run()?;
        agent.turn(program)?;
    }
    let (mut alone, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.push(bare.run()?);
        whole.push(agent.turn(program)?);
    }
    let (alone, whole) = (median(alone), median(whole));
    Ok(Figure {
        name,
        value: whole.as_secs_f64() / alone.as_secs_f64(),
        unit: "ratio",
        bound: Bound::AtMost(bound),
        note: format!("{:.1} ms ({}), bare compiler {:.1} ms (medians)", ms(whole), agent.parts(), ms(alone)),
    })
}

/// Turns of an arm that compiles, against its bare compiler.
pub fn bare(wanted: &Wanted) -> Result<Vec<Figure>, Problem> {
    let hello = language(Arm::Rust).hello_program();
    let rows = [
        ("turn_rust_hello", Arm::Rust, hello, 1.3),
        ("turn_rust_100_lines", Arm::Rust, HUNDRED, 1.2),
        ("turn_typescript", Arm::Typescript, FORTY, 1.25),
    ];
    rows.into_iter()
        .filter(|(name, ..)| wanted.has(name))
        .map(|(name, arm, program, bound)| against_bare(name, arm, program, bound))
        .collect()
}

/// A turn with ten code modules in scope, against the same turn with none.
pub fn ten_modules(_: &Wanted) -> Result<Vec<Figure>, Problem> {
    let farm = Farm::start(Arm::Rust)?;
    let (mut with, mut without) = (farm.agent(Arm::Rust, "with"), farm.agent(Arm::Rust, "without"));
    let skill = |number: usize| Skill {
        name: format!("tools {number}"),
        description: "Tools.".into(),
        body: "Tools.".into(),
        on_use: None,
        code: Some(format!(
            "use std::collections::BTreeMap;\n\n/// Counts words.\npub fn count(text: &str) -> BTreeMap<String, usize> {{\n    \
             let mut counts = BTreeMap::new();\n    for word in text.split_whitespace() {{\n        \
             *counts.entry(word.to_lowercase()).or_default() += {number};\n    }}\n    counts\n}}\n"
        )),
    };
    with.profile.skills = (0..MODULES).map(skill).collect();
    let reads: String =
        (0..MODULES).map(|number| format!("    gg::skills::read_skill(\"tools {number}\")?;\n")).collect();
    with.turn(&format!("fn main() -> Result<(), gg::Failure> {{\n{reads}    Ok(())\n}}\n"))?;
    let hello = language(Arm::Rust).hello_program();
    for agent in [&mut with, &mut without] {
        agent.turn(hello)?;
        agent.timings.clear();
    }
    let (mut many, mut none) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS * 2 {
        many.push(with.turn(hello)?);
        none.push(without.turn(hello)?);
    }
    let (many, none) = (median(many), median(none));
    let value = many.as_secs_f64() / none.as_secs_f64();
    let note = format!("{:.1} ms with {MODULES} modules ({}), {:.1} ms with none", ms(many), with.parts(), ms(none));
    Ok(vec![Figure { name: "turn_ten_modules", value, unit: "ratio", bound: Bound::AtMost(1.1), note }])
}

/// Two agents' turns at once, against the same turns one after the other.
pub fn two_at_once(_: &Wanted) -> Result<Vec<Figure>, Problem> {
    let farm = Farm::start(Arm::Rust)?;
    let mut agents = [farm.agent(Arm::Rust, "one"), farm.agent(Arm::Rust, "two")];
    for agent in &mut agents {
        agent.turn(HUNDRED)?;
    }
    let (mut apart, mut together) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS / 2 {
        let started = Instant::now();
        for agent in &mut agents {
            agent.turn(HUNDRED)?;
        }
        apart.push(started.elapsed());
        let (barrier, started) = (Barrier::new(2), Instant::now());
        std::thread::scope(|scope| {
            let running: Vec<_> = agents
                .iter_mut()
                .map(|agent| {
                    let barrier = &barrier;
                    scope.spawn(move || {
                        barrier.wait();
                        agent.turn(HUNDRED)
                    })
                })
                .collect();
            running.into_iter().try_for_each(|one| {
                one.join().unwrap_or_else(|_| Err(Problem::farm("a turn's thread panicked"))).map(drop)
            })
        })?;
        together.push(started.elapsed());
    }
    let (apart, together) = (median(apart), median(together));
    Ok(vec![Figure {
        name: "two_at_once_rust",
        value: apart.as_secs_f64() / together.as_secs_f64(),
        unit: "ratio",
        bound: Bound::AtLeast(1.6),
        note: format!(
            "two turns of 100 lines: {:.0} ms one after the other, {:.0} ms at once",
            ms(apart),
            ms(together)
        ),
    }])
}
