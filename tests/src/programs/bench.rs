//! A worker that runs programs, each as an agent of its own.

use super::bless;
use super::compare::differences;
use super::{Collection, Expectation, KeptExpected, Program};
use gg_common::arm::Arm;
use gg_common::folders::CacheRoot;
use gg_common::job::{AgentId, Body, Effect, Follows, RunId, TurnJob, TurnResult, WorkerId};
use gg_common::objects::{Durability, Objects};
use gg_common::outcome::{Location, Outcome};
use gg_common::profile::Profile;
use gg_common::reply::{FinishReason, as_program};
use gg_common::state::{Carried, Memory, ProgramEntry, State, Task, ThreadEntry};
use gg_worker::{Worker, WorkerSettings};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;

/// A worker over temporary homes and objects; artifacts and compiled guests are the machine's own.
#[derive(Debug)]
pub struct Bench {
    worker: Arc<Worker>,
    folder: TempDir,
}

/// What came of a program.
#[derive(Debug)]
pub struct Observed {
    /// The arm that ran it.
    pub arm: Arm,
    /// `completed`, `failed`, `rejected` or `internal`.
    pub outcome: &'static str,
    /// The error's type.
    pub error_type: Option<String>,
    /// What the model reads of it; of the farm's own failure, what the operator reads.
    pub error_text: Option<String>,
    /// Where in the program.
    pub location: Option<Location>,
    /// The status that it left with.
    pub exit_code: Option<i32>,
    /// The log.
    pub log: String,
    /// What was dropped of it, in bytes.
    pub log_dropped_bytes: u64,
    /// What was kept of standard error.
    pub stderr: String,
    /// What the model is shown, in order.
    pub views: Vec<ShownView>,
    /// Operations that were called and not granted.
    pub refusals: Vec<String>,
    /// How the session is to end.
    pub ending: Option<Effect>,
    /// The programs that ran after the reply's own, in order.
    pub followed: Vec<Follower>,
    /// What the agent keeps after the turn.
    pub kept: KeptExpected,
    /// The tree after the turn.
    pub tree: TempDir,
}

/// A program that ran after the reply's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follower {
    /// `rerun`, `skill NAME` or `memory NAME`.
    pub follows: String,
    /// `completed` or `failed`.
    pub outcome: &'static str,
    /// What the model reads of its failure.
    pub error_text: Option<String>,
    /// Its log.
    pub log: String,
}

/// A view that the model is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownView {
    /// What it shows.
    pub kind: String,
    /// Its path, label or name.
    pub selector: String,
    /// Which part.
    pub region: Option<String>,
    /// The text.
    pub body: String,
}

impl Bench {
    /// Starts a worker for these arms, with the `worker` binary that stands beside the tests as its executors.
    pub fn start(arms: &[Arm]) -> Result<Bench, String> {
        let root = CacheRoot::from_environment().map_err(|e| e.to_string())?;
        let folder = tempfile::Builder::new().prefix("gg-programs-").tempdir().map_err(|e| e.to_string())?;
        let settings = WorkerSettings {
            homes: folder.path().join("homes"),
            executor_program: worker_binary()?,
            ..WorkerSettings::under(&root, WorkerId("programs".to_owned()))
        };
        let objects =
            Objects::in_folder(&folder.path().join("objects"), Durability::Cached).map_err(|e| e.to_string())?;
        let worker = Worker::start(settings, objects, arms).map_err(|e| e.to_string())?;
        Ok(Bench { worker, folder })
    }

    /// Runs all programs of a collection and says in one text what differs, by program; none where nothing does.
    pub fn check(&self, collection: &Collection) -> Option<String> {
        let blesses = bless::is_asked();
        let only = std::env::var("GG_ONLY").unwrap_or_default();
        let programs: Vec<&Program> = collection.programs.iter().filter(|p| p.name.contains(&only)).collect();
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let problem = match self.run(collection, program) {
                            Ok(observed) if blesses => bless_program(program, &observed),
                            Ok(observed) => differences(&program.expectation, &observed),
                            Err(problem) => vec![problem],
                        };
                        if !problem.is_empty() {
                            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                            found.push((program.name.clone(), problem));
                        }
                    }
                });
            }
        });
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort();
        let mut text = String::new();
        for problem in &collection.problems {
            let _ = writeln!(text, "{problem}");
        }
        for (name, problems) in &found {
            let _ = writeln!(text, "{}/{name}:", collection.arm);
            for problem in problems {
                let _ = writeln!(text, "  {}", problem.trim_end());
            }
        }
        (!text.is_empty()).then_some(text)
    }

    /// Runs one program of a collection.
    pub fn run(&self, collection: &Collection, program: &Program) -> Result<Observed, String> {
        let expectation = &program.expectation;
        let mut profile = Profile::with_everything(collection.arm);
        profile.limits = expectation.limits.clone();
        if let Some(capabilities) = &expectation.capabilities {
            profile.capabilities.clone_from(capabilities);
        }
        profile.grants.clone_from(&expectation.grants);
        profile.role = expectation.role;
        profile.tree = expectation.tree_access;
        profile.doc_view_types = expectation.doc_view_types;
        profile.skills.clone_from(&expectation.skills);
        profile.tasks.clone_from(&expectation.tasks);
        profile.memories.clone_from(&expectation.memories);
        let problems: Vec<String> = profile.problems().iter().map(ToString::to_string).collect();
        if !problems.is_empty() {
            return Err(problems.join("; "));
        }
        let tree = match &expectation.files {
            Some(name) => {
                let folder = collection.trees.join(name);
                if !folder.is_dir() {
                    return Err(format!("files: there is no folder trees/{name}"));
                }
                Some(self.worker.import_tree(&folder, None).map_err(|e| e.to_string())?)
            }
            None => None,
        };
        // What the coordinator does with a reply before it publishes a turn.
        let bytes = program.bytes();
        let source = match as_program(&bytes, FinishReason::Stop, profile.limits.reply_bytes) {
            Ok(source) => source.to_owned(),
            Err(rejected) => return self.observed(collection.arm, Some(&rejected), None, State::default()),
        };
        let state = self.state(expectation)?;
        let job = TurnJob {
            version: gg_common::FORMAT_VERSION,
            run: RunId("programs".to_owned()),
            agent: AgentId(format!("{}-{}", collection.arm, program.name)),
            epoch: 1,
            turn: 1 + expectation.last_turn(),
            source: Body::Inline(source),
            profile,
            tree,
            state: Carried::Inline(Box::new(state.clone())),
            reply_to: String::new(),
            wall_left_ms: expectation.wall_left_ms,
            trace: None,
        };
        let result = self.worker.run_turn(&job);
        self.worker.release_agent(&job.run, &job.agent);
        self.observed(collection.arm, None, Some(result), state)
    }

    /// What the agent kept of its earlier turns.
    fn state(&self, expectation: &Expectation) -> Result<State, String> {
        let mut state = State::default();
        self.earlier(expectation)?.into_iter().for_each(|program| state.programs.push(program));
        for turn in &expectation.thread {
            let put = |text: &str| self.worker.objects().put_blocking(text.to_owned()).map_err(|e| e.to_string());
            state.thread.entries.push(ThreadEntry {
                turn: turn.turn,
                reply: put(&turn.reply)?,
                shown: put(&turn.shown)?,
                tokens: gg_common::tokens::estimate(&turn.reply) + gg_common::tokens::estimate(&turn.shown),
            });
        }
        for turn in &expectation.thread {
            for view in &turn.views {
                let view = gg_common::job::View {
                    kind: view.kind,
                    selector: view.selector.clone(),
                    region: view.region.clone(),
                    body: Body::Inline(String::new()),
                    tokens: 10,
                };
                state.apply(turn.turn, &Effect::ViewOpened { view });
            }
        }
        Ok(state)
    }

    fn earlier(&self, expectation: &Expectation) -> Result<Vec<ProgramEntry>, String> {
        let entry = |earlier: &super::Earlier| {
            let source = self.worker.objects().put_blocking(earlier.source.clone()).map_err(|e| e.to_string())?;
            Ok(ProgramEntry {
                turn: earlier.turn,
                lines: earlier.source.lines().count() as u32,
                chars: earlier.source.chars().count() as u32,
                ok: earlier.error.is_none(),
                error: earlier.error.clone(),
                source,
            })
        };
        expectation.earlier.iter().map(entry).collect()
    }

    fn observed(
        &self,
        arm: Arm,
        rejected: Option<&Outcome>,
        result: Option<TurnResult>,
        mut state: State,
    ) -> Result<Observed, String> {
        let tree = tempfile::Builder::new()
            .prefix("tree-")
            .tempdir_in(self.folder.path())
            .map_err(|e| format!("a folder for the tree: {e}"))?;
        let outcome = rejected.or(result.as_ref().map(|r| &r.outcome)).ok_or("the turn gave nothing")?;
        let (location, exit_code) = match outcome {
            Outcome::Failed { location, exit_code, .. } => (*location, *exit_code),
            _ => (None, None),
        };
        let error_text = match outcome {
            Outcome::Internal { error_text, .. } => Some(error_text.clone()),
            outcome => outcome.model_text().map(str::to_owned),
        };
        let mut observed = Observed {
            arm,
            outcome: outcome_name(outcome),
            error_type: outcome.error_type(),
            error_text,
            location,
            exit_code,
            log: String::new(),
            log_dropped_bytes: 0,
            stderr: String::new(),
            views: Vec::new(),
            refusals: Vec::new(),
            ending: None,
            followed: Vec::new(),
            kept: KeptExpected::default(),
            tree,
        };
        let Some(result) = result else { return Ok(observed) };
        if let Some(key) = &result.tree {
            self.worker.export_tree(key, observed.tree.path()).map_err(|e| e.to_string())?;
        }
        observed.log = self.text(result.log)?;
        observed.log_dropped_bytes = result.log_dropped_bytes;
        observed.stderr = result.stderr;
        observed.refusals = result.refusals;
        for run in result.followed {
            observed.followed.push(Follower {
                follows: match run.follows {
                    Follows::Rerun => "rerun".to_owned(),
                    Follows::Skill { name } => format!("skill {name}"),
                    Follows::Memory { name } => format!("memory {name}"),
                },
                outcome: outcome_name(&run.outcome),
                error_text: run.outcome.model_text().map(str::to_owned),
                log: self.text(run.log)?,
            });
        }
        result.effects.iter().for_each(|effect| state.apply(result.turn, effect));
        observed.kept = kept(&state);
        for effect in result.effects {
            match effect {
                Effect::ViewOpened { view } => observed.views.push(ShownView {
                    kind: kind(view.kind).to_owned(),
                    selector: view.selector,
                    region: view.region,
                    body: self.text(view.body)?,
                }),
                effect if effect.is_ending() => observed.ending = Some(effect),
                _ => {}
            }
        }
        Ok(observed)
    }

    fn text(&self, body: Body) -> Result<String, String> {
        match body {
            Body::Inline(text) => Ok(text),
            Body::Object { key, .. } => {
                let bytes = self.worker.objects().get_blocking(&key).map_err(|e| e.to_string())?;
                Ok(String::from_utf8_lossy(&bytes).into_owned())
            }
        }
    }
}

fn kept(state: &State) -> KeptExpected {
    let task = |task: &Task| {
        let status = serde_json::to_value(task.status).unwrap_or_default();
        let after = if task.blocked_by.is_empty() { "" } else { " after " };
        format!("{} {}{after}{}", task.id, status.as_str().unwrap_or_default(), task.blocked_by.join(", "))
    };
    KeptExpected {
        tasks: state.tasks.iter().map(task).collect(),
        memories: state.memories.iter().map(Memory::index_line).collect(),
        views: state.views.iter().map(|view| view.key.selector.clone()).collect(),
        archived: state.thread.archived.to_string(),
        skills: state.skills.iter().cloned().collect(),
    }
}

fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Completed => "completed",
        Outcome::Failed { .. } => "failed",
        Outcome::Rejected { .. } => "rejected",
        Outcome::Internal { .. } => "internal",
    }
}

fn kind(kind: gg_common::job::ViewKind) -> &'static str {
    use gg_common::job::ViewKind;
    match kind {
        ViewKind::File => "file",
        ViewKind::Text => "text",
        ViewKind::Docs => "docs",
        ViewKind::SearchResults => "search-results",
    }
}

fn bless_program(program: &Program, observed: &Observed) -> Vec<String> {
    if observed.outcome == "internal" {
        return vec![format!("not blessed, since the farm failed: {}", observed.error_text.as_deref().unwrap_or("?"))];
    }
    let old = std::fs::read_to_string(&program.expect_path).unwrap_or_default();
    let written = bless::blessed(program, &old, observed)
        .map_err(|e| e.to_string())
        .and_then(|text| std::fs::write(&program.expect_path, text).map_err(|e| e.to_string()));
    written.err().into_iter().collect()
}

/// The `worker` binary of this build: `target/PROFILE/worker`, where the tests are `target/PROFILE/deps/…`.
fn worker_binary() -> Result<PathBuf, String> {
    const BUILD: &str = "cargo build -p gg-worker";
    let tests = std::env::current_exe().map_err(|e| e.to_string())?;
    let folder = tests.ancestors().nth(2).ok_or("the test binary lies in no target folder")?;
    let binary = folder.join("worker");
    let Ok(built) = std::fs::metadata(&binary).and_then(|metadata| metadata.modified()) else {
        return Err(format!("there is no {}: build it by `{BUILD}`", binary.display()));
    };
    // Executors of another build speak another protocol, and fail in ways that tell nothing.
    if let Some(newer) = newer_source(&folder.join("worker.d"), built) {
        return Err(format!("{} is older than {}: build it by `{BUILD}`", binary.display(), newer.display()));
    }
    Ok(binary)
}

/// A source that changed after the binary was built, by the list of sources that cargo leaves beside it.
fn newer_source(list: &Path, built: std::time::SystemTime) -> Option<PathBuf> {
    let list = std::fs::read_to_string(list).ok()?;
    let sources = list.split_once(": ")?.1.split_whitespace().map(PathBuf::from);
    let changed = |path: &PathBuf| std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    sources.into_iter().find(|path| changed(path).is_some_and(|changed| changed > built))
}
