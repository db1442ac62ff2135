//! Turns on a worker: what a home keeps, what is counted, what a profile opens.

use gg_common::arm::Arm;
use gg_common::content::ContentKey;
use gg_common::folders::CacheRoot;
use gg_common::job::{AgentId, Body, RunId, TurnJob, TurnResult, WorkerId};
use gg_common::objects::{Durability, Objects};
use gg_common::outcome::Outcome;
use gg_common::profile::{Capability, Profile, TreeAccess};
use gg_worker::{Worker, WorkerSettings};
use std::path::Path;
use std::sync::Arc;

struct Bench {
    folder: tempfile::TempDir,
    objects: Objects,
}

impl Bench {
    fn new() -> Bench {
        let folder = tempfile::tempdir().expect("tempdir");
        let objects = Objects::in_folder(&folder.path().join("objects"), Durability::Cached).expect("objects");
        Bench { folder, objects }
    }

    fn worker_with(&self, name: &str, change: impl FnOnce(&mut WorkerSettings)) -> Arc<Worker> {
        let root = CacheRoot::from_environment().expect("a cache root");
        let mut settings = WorkerSettings::under(&root, WorkerId(name.to_owned()));
        settings.homes = self.folder.path().join(name);
        settings.executor_program = env!("CARGO_BIN_EXE_worker").into();
        settings.children.helper = Some(env!("CARGO_BIN_EXE_gg-child").into());
        change(&mut settings);
        Worker::start(settings, self.objects.clone(), &[Arm::Javascript]).unwrap_or_else(|error| {
            panic!("{error}; run `make artifacts` or `worker artifacts build --arm javascript`")
        })
    }

    fn worker(&self, name: &str) -> Arc<Worker> {
        self.worker_with(name, |_| {})
    }
}

fn job(agent: &str, turn: u32, source: &str, tree: Option<ContentKey>) -> TurnJob {
    TurnJob {
        version: gg_common::FORMAT_VERSION,
        run: RunId("r".into()),
        agent: AgentId(agent.into()),
        epoch: 1,
        turn,
        source: Body::Inline(source.to_owned()),
        profile: Profile::with_everything(Arm::Javascript),
        tree,
        state: Default::default(),
        reply_to: String::new(),
        wall_left_ms: None,
        trace: None,
    }
}

fn log(result: &TurnResult) -> &str {
    match &result.log {
        Body::Inline(text) => text,
        Body::Object { .. } => panic!("a short log"),
    }
}

#[track_caller]
fn completed(result: &TurnResult) {
    assert_eq!(result.outcome, Outcome::Completed, "{}", result.stderr);
}

#[track_caller]
fn failed(result: &TurnResult, error_type: &str) -> String {
    assert_eq!(result.outcome.error_type().as_deref(), Some(error_type), "{:?}", result.outcome);
    result.outcome.model_text().expect("the model reads it").to_owned()
}

const APPEND: &str = "import { readTextFile, writeFile } from 'gg/files';\n\
let old = ''; try { old = readTextFile('log.txt'); } catch {}\n\
writeFile('log.txt', old + 'x');\nconsole.log(old.length + 1);\n";

#[test]
fn a_tree_goes_on_from_turn_to_turn_and_from_worker_to_worker() {
    let bench = Bench::new();
    let (one, two) = (bench.worker("one"), bench.worker("two"));
    let first = one.run_turn(&job("a", 1, APPEND, None));
    completed(&first);
    let second = one.run_turn(&job("a", 2, APPEND, first.tree));
    assert_eq!(log(&second), "2\n");
    let moved = two.run_turn(&job("a", 3, APPEND, second.tree));
    assert_eq!(log(&moved), "3\n", "{:?}", moved.outcome);
    let behind = one.run_turn(&job("a", 3, APPEND, first.tree));
    assert_eq!(log(&behind), "2\n", "the home is brought to the tree that the job names");
}

#[test]
fn a_turn_that_is_delivered_again_is_answered_and_not_run_again() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let chance = job("a", 1, "console.log(Math.random());", None);
    let first = worker.run_turn(&chance);
    completed(&first);
    assert_eq!(worker.run_turn(&chance), first);
    let mut newer = chance.clone();
    newer.epoch = 2;
    assert_ne!(log(&worker.run_turn(&newer)), log(&first), "another epoch runs");
}

#[test]
fn two_agents_share_nothing_and_the_executor_used_longest_ago_ends() {
    let bench = Bench::new();
    let worker = bench.worker_with("one", |settings| settings.executors = 1);
    let mut trees = [None, None];
    for turn in 1..=3 {
        for (index, agent) in ["a", "b"].iter().enumerate() {
            let result = worker.run_turn(&job(agent, turn, APPEND, trees[index]));
            assert_eq!(log(&result), format!("{turn}\n"), "{:?}", result.outcome);
            trees[index] = result.tree;
        }
    }
}

#[test]
fn time_in_calls_is_not_the_programs_and_time_asleep_is() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let mut parked = job("a", 1, "import { shell } from 'gg/shell';\nconsole.log(shell('sleep 2').exitCode);", None);
    parked.profile.limits.guest_time_ms = 500;
    let result = worker.run_turn(&parked);
    assert_eq!(log(&result), "0\n", "{:?}", result.outcome);
    let mut asleep = job("a", 2, "await new Promise((wake) => setTimeout(wake, 60_000));", result.tree);
    asleep.profile.limits.guest_time_ms = 500;
    assert!(failed(&worker.run_turn(&asleep), "program_timeout").contains("limit guestTimeMs"));
    let mut busy = job("a", 3, "for (;;);", result.tree);
    busy.profile.limits.guest_time_ms = 200;
    assert!(failed(&worker.run_turn(&busy), "program_timeout").contains("limit guestTimeMs"));
}

#[test]
fn the_wall_bound_ends_a_program_whatever_it_waits_for() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let mut asleep = job("a", 1, "await new Promise((wake) => setTimeout(wake, 60_000));", None);
    asleep.profile.limits.program_wall_ms = 300;
    assert!(failed(&worker.run_turn(&asleep), "program_timeout").contains("limit programWallMs"));
    completed(&worker.run_turn(&job("a", 2, "console.log(1)", None)));
}

#[test]
fn the_runs_wall_clock_refuses_calls_and_still_lets_the_session_end() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let source = "import { listDir } from 'gg/files';\nimport { finish } from 'gg/session';\n\
try { listDir(); } catch (error) { console.log(error.code); }\nfinish('out of time');\n";
    let mut late = job("a", 1, source, None);
    late.wall_left_ms = Some(0);
    let result = worker.run_turn(&late);
    completed(&result);
    assert_eq!(log(&result), "limit-exceeded\n");
    assert_eq!(result.effects.len(), 1, "{:?}", result.effects);
}

#[test]
fn a_limit_on_the_tree_loses_nothing_of_the_tree_before_the_turn() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let before = worker.run_turn(&job("a", 1, APPEND, None));
    let source = "import { shell } from 'gg/shell';\nshell('rm log.txt; for i in $(seq 200); do : > f$i; done');";
    let mut flood = job("a", 2, source, before.tree);
    flood.profile.limits.tree_entries = 100;
    let result = worker.run_turn(&flood);
    let text = failed(&result, "program_limit");
    assert!(text.contains("limit treeEntries"), "{text}");
    assert_eq!(result.tree, before.tree);
    assert_eq!(log(&worker.run_turn(&job("a", 3, APPEND, result.tree))), "2\n");
}

#[test]
fn files_without_a_name_that_a_command_holds_count_as_the_trees() {
    // SAFETY: geteuid has no preconditions.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("an ordinary user may not look at another namespace's descriptors: the disk's reserve is what holds");
        return;
    }
    let bench = Bench::new();
    let worker = bench.worker("one");
    let source = "import { shell } from 'gg/shell';\nshell('exec 3>a 4>b; rm a b; while :; do head -c 1000000 /dev/zero >&3; head -c 1000000 /dev/zero >&4; sleep 0.01; done');";
    let mut holding = job("a", 1, source, None);
    holding.profile.limits.tree_bytes = 8 << 20;
    let text = failed(&worker.run_turn(&holding), "program_api_error");
    assert!(text.contains("`limits.treeBytes`"), "{text}");
}

#[test]
fn the_wall_bound_of_a_turn_names_itself() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let mut waiting = job("a", 1, "await new Promise((resolve) => setTimeout(resolve, 20000));", None);
    waiting.profile.limits.turn_wall_ms = 300;
    let text = failed(&worker.run_turn(&waiting), "program_timeout");
    assert!(text.contains("limit turnWallMs"), "{text}");
}

#[test]
fn the_depth_of_a_tree_is_a_limit_of_the_profile() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let source = "import { writeFile } from 'gg/files';\nwriteFile('a/b/c/file', 'x');";
    let mut deep = job("a", 1, source, None);
    deep.profile.limits.tree_depth = 2;
    let text = failed(&worker.run_turn(&deep), "program_limit").to_owned();
    assert!(text.contains("3 of 2, limit treeDepth"), "{text}");
    deep.profile.limits.tree_depth = 3;
    deep.turn = 2;
    completed(&worker.run_turn(&deep));
}

#[test]
fn the_stack_of_a_program_is_a_limit_of_the_profile() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let recursion = "function depth(n) { return depth(n + 1) + 1; }\ndepth(0);";
    let mut nesting = job("a", 1, recursion, None);
    nesting.profile.limits.wasm_stack_bytes = 256 << 10;
    let text = failed(&worker.run_turn(&nesting), "program_stack_overflow");
    assert!(text.contains("256 KiB") && text.contains("limit wasmStackBytes"), "{text}");
    // With the default the language's own bound comes first.
    let text = failed(&worker.run_turn(&job("a", 2, recursion, None)), "program_stack_overflow");
    assert!(text.starts_with("RangeError") && !text.contains("wasmStackBytes"), "{text}");
}

#[test]
fn the_tree_is_opened_to_a_shell_and_to_calls_by_the_profile() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let source = "import { listDir } from 'gg/files';\nconsole.log(listDir().length);";
    let mut only_lists = job("a", 1, source, None);
    only_lists.profile.capabilities = [Capability::ListDir].into();
    assert_eq!(only_lists.profile.tree_access(), TreeAccess::None);
    assert_eq!(log(&worker.run_turn(&only_lists)), "0\n");
    let result = worker.run_turn(&{
        let mut refused = job("a", 2, "import { shell } from 'gg/shell';\nshell('true');", None);
        refused.profile.capabilities = [Capability::ListDir].into();
        refused
    });
    failed(&result, "program_unknown_name");
    assert_eq!(result.refusals, ["shell.shell"]);
}

#[test]
fn an_unconfined_command_is_recorded_as_one() {
    let bench = Bench::new();
    let source = "import { shell } from 'gg/shell';\nconsole.log(shell('echo hi').output);";
    let confined = bench.worker("one").run_turn(&job("a", 1, source, None));
    completed(&confined);
    assert!(!confined.unconfined);
    let trusting =
        bench.worker_with("two", |settings| settings.children.confinement = gg_worker::confine::Confinement::Off);
    let result = trusting.run_turn(&job("a", 1, source, None));
    completed(&result);
    assert!(result.unconfined);
}

#[test]
fn a_missing_object_is_the_farms_failure_and_the_next_turn_is_well() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let gone = ContentKey::of(b"no tree has these bytes");
    let result = worker.run_turn(&job("a", 1, "console.log(1)", Some(gone)));
    let Outcome::Internal { error_text, suspect: None } = &result.outcome else { panic!("{:?}", result.outcome) };
    assert!(error_text.contains(&gone.to_string()), "{error_text}");
    assert_eq!(result.tree, Some(gone), "the tree is what it was");
    completed(&worker.run_turn(&job("a", 1, "console.log(1)", None)));
}

#[test]
fn nothing_of_a_home_is_left_when_its_agent_is_released() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    completed(&worker.run_turn(&job("a", 1, APPEND, None)));
    let homes = || {
        let entries = std::fs::read_dir(bench.folder.path().join("one")).expect("homes");
        entries.filter(|e| e.as_ref().is_ok_and(|e| e.path().is_dir())).count()
    };
    assert_eq!(homes(), 1);
    worker.release_agent(&RunId("r".into()), &AgentId("a".into()));
    assert_eq!(homes(), 0);
    assert!(Path::new(env!("CARGO_BIN_EXE_worker")).exists());
}

#[test]
fn a_loop_over_calls_leaves_a_result_that_is_bounded() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let source = "import * as tasks from 'gg/tasks';\nimport * as views from 'gg/views';\n\
        let changes = 0;\n\
        try { for (;;) { tasks.addTask({ id: 't', title: 'x' }); changes++; tasks.removeTask('t'); changes++; } }\n\
        catch (error) { console.log(changes, error.code); }\n\
        for (let n = 0; n < 3000; n++) { views.openText('view ' + n, 'x'); views.close('view ' + n); }\n\
        console.log(views.current().length);";
    let result = worker.run_turn(&job("a", 1, source, None));
    completed(&result);
    assert_eq!(log(&result), "1000 limit-exceeded\n0\n");
    assert_eq!(result.effects.len(), 1_000, "what was opened and closed again leaves nothing");
}

const HANDS_OVER: &str = "import { writeFile } from 'gg/files';\nimport { rerun } from 'gg/programs';\n\
    import { readSkill } from 'gg/skills';\nwriteFile('caller', 'was here');\n";

fn with_skill(mut job: TurnJob, script: &str) -> TurnJob {
    job.profile.skills = vec![gg_common::profile::Skill {
        name: "s".into(),
        description: "d".into(),
        body: "b".into(),
        on_use: Some(script.into()),
        code: None,
    }];
    job
}

#[test]
fn a_script_that_was_asked_for_runs_although_what_ran_before_it_had_to_be_killed() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let source = format!("{HANDS_OVER}rerun('for (;;) {{}}');\nreadSkill('s');");
    let script = "import { readTextFile } from 'gg/files';\nconsole.log(readTextFile('caller'));";
    let mut killed = with_skill(job("a", 1, &source, None), script);
    killed.profile.limits.program_wall_ms = 3_000;
    let result = worker.run_turn(&killed);
    failed(&result, "program_timeout");
    let ends: Vec<_> = result.followed.iter().map(|run| run.outcome.error_type()).collect();
    assert_eq!(ends, [Some("program_timeout".to_owned()), None]);
    assert_eq!(result.followed[1].log, Body::Inline("was here\n".to_owned()));
    let next =
        worker.run_turn(&job("a", 2, "import { readTextFile } from 'gg/files'; readTextFile('caller');", result.tree));
    completed(&next);
}

#[test]
fn nothing_runs_in_a_tree_that_is_over_its_limits() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let before = worker.run_turn(&job("a", 1, APPEND, None));
    let source = format!(
        "{HANDS_OVER}import {{ shell }} from 'gg/shell';\nshell('head -c 3000000 /dev/zero > big');\nrerun('1');\nreadSkill('s');"
    );
    let mut over = with_skill(job("a", 2, &source, before.tree), "1");
    over.profile.limits.tree_bytes = 1 << 20;
    let result = worker.run_turn(&over);
    failed(&result, "program_limit");
    assert_eq!(result.tree, before.tree);
}

#[test]
fn times_and_calls_of_a_turn_are_those_of_all_its_programs() {
    let bench = Bench::new();
    let worker = bench.worker("one");
    let work = "let n = 0; for (let i = 0; i < 1e6; i++) n += i;";
    let source = format!(
        "{HANDS_OVER}{work}\nrerun(`import {{ writeFile }} from 'gg/files'; writeFile('second', ''); {work}`);"
    );
    let result = worker.run_turn(&job("a", 1, &source, None));
    completed(&result);
    let second = &result.followed[0];
    assert!(second.duration_ms > 0.0 && result.timings.duration_ms > second.duration_ms, "{:?}", result.timings);
    let writes: u32 =
        result.calls.iter().filter(|record| record.operation == "files.write_file").map(|record| record.count).sum();
    assert_eq!(writes, 2);
}
