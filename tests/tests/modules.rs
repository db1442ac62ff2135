//! Code modules through a worker, for every registered arm: a read brings a skill's code into scope, later programs call
//! it, and it is built once.

use gg_common::arm::Arm;
use gg_common::folders::CacheRoot;
use gg_common::job::{Body, Effect, TurnResult, ViewKind, WorkerId};
use gg_common::objects::{Durability, Objects};
use gg_common::outcome::Outcome;
use gg_common::profile::MemoryStrategy;
use gg_tests::ground::program;
use gg_tests::modules::{Agent, SKILL, caller, key, log, module, reader, refused_module, skill};
use gg_tests::subject::files_in;
use gg_worker::language::language;
use gg_worker::{Worker, WorkerSettings};
use std::path::Path;
use std::sync::Arc;

struct Ground {
    folder: tempfile::TempDir,
    objects: Objects,
}

impl Ground {
    fn new() -> Ground {
        let folder = tempfile::tempdir().expect("tempdir");
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o711)).expect("mode");
        let objects = Objects::in_folder(&folder.path().join("objects"), Durability::Cached).expect("objects");
        Ground { folder, objects }
    }

    fn worker(&self, name: &str, arms: &[Arm]) -> Arc<Worker> {
        self.worker_with(name, arms, &program("gg-child"))
    }

    fn worker_with(&self, name: &str, arms: &[Arm], helper: &Path) -> Arc<Worker> {
        let root = CacheRoot::from_environment().expect("a cache root");
        let mut settings = WorkerSettings::under(&root, WorkerId(name.to_owned()));
        settings.homes = self.folder.path().join(name);
        settings.executor_program = program("worker");
        settings.children.helper = Some(helper.to_owned());
        settings.spare_executors = 0;
        Worker::start(settings, self.objects.clone(), arms).unwrap_or_else(|error| panic!("{error}"))
    }

    fn agent(&self, worker: &Arc<Worker>, arm: Arm, name: &str, code: &str) -> Agent {
        let mut agent = Agent::new(worker, &self.objects, arm, name);
        agent.profile.skills = vec![skill(code)];
        agent
    }
}

#[track_caller]
fn completed(result: &TurnResult) {
    assert_eq!(result.outcome, Outcome::Completed, "{}", result.stderr);
}

/// The documentation that a turn opened.
fn docs(result: &TurnResult) -> Vec<String> {
    let shown = result.effects.iter().filter_map(|effect| match effect {
        Effect::ViewOpened { view } if view.kind == ViewKind::Docs => match &view.body {
            Body::Inline(text) => Some(text.clone()),
            Body::Object { .. } => None,
        },
        _ => None,
    });
    shown.collect()
}

fn compiles(result: &TurnResult) -> u32 {
    result.timings.compiles_cold.unwrap_or(0) + result.timings.compiles_warm.unwrap_or(0)
}

/// The documentation that a turn's programs opened.
fn docs_shown(result: &TurnResult) -> Vec<String> {
    let opened = result.effects.iter().filter_map(|effect| match effect {
        Effect::ViewOpened { view } if view.kind == ViewKind::Docs => Some(&view.body),
        _ => None,
    });
    let text = |body: &Body| match body {
        Body::Inline(text) => text.clone(),
        Body::Object { key, .. } => format!("a long view: {key}"),
    };
    opened.map(text).collect()
}

#[test]
fn a_read_brings_the_code_into_scope_once_and_shows_what_it_offers() {
    let ground = Ground::new();
    let worker = ground.worker("one", &Arm::ALL);
    for arm in Arm::ALL {
        let compiles_programs = u32::from(language(arm).checker().is_some());
        let builds = u32::from(refused_module(arm).is_some());
        let mut agent = ground.agent(&worker, arm, arm.id(), &module(arm, "first"));
        let early = agent.turn(&caller(arm, "nobody"));
        assert_ne!(early.outcome, Outcome::Completed, "{arm}: nothing is in scope yet");

        let read = agent.turn(&reader(arm));
        completed(&read);
        assert!(compiles(&read) >= compiles_programs + builds, "{arm}: {:?}", read.timings);
        let shown = docs_shown(&read);
        assert!(
            shown.len() == 1 && shown[0].contains("greet") && shown[0].contains("Greets somebody."),
            "{arm}: {shown:?}"
        );
        assert!(shown[0].contains("The code of the skill `word tools`"), "{arm}: {shown:?}");

        let called = agent.turn(&caller(arm, "Ada"));
        completed(&called);
        assert_eq!(log(&called), "first greets Ada\n", "{arm}");
        assert_eq!(compiles(&called), compiles_programs, "{arm}: the reply alone is compiled");

        let again = agent.turn(&reader(arm));
        completed(&again);
        assert_eq!(docs_shown(&again), shown, "{arm}: a repeat read is answered as the first was");
        assert_eq!(compiles(&again), compiles_programs, "{arm}: a repeat read costs no compiler");
        let loaded = |result: &TurnResult| {
            result.effects.iter().filter(|effect| matches!(effect, Effect::ModuleLoaded { .. })).count()
        };
        assert_eq!((loaded(&read), loaded(&again)), (1, 0), "{arm}");
        completed(&agent.turn(&caller(arm, "Bob")));
    }
}

#[test]
fn another_version_replaces_the_one_before_it_under_the_same_key() {
    let ground = Ground::new();
    let worker = ground.worker("one", &Arm::ALL);
    for arm in Arm::ALL {
        let mut agent = ground.agent(&worker, arm, arm.id(), &module(arm, "first"));
        completed(&agent.turn(&reader(arm)));
        agent.profile.skills = vec![skill(&module(arm, "second"))];
        let before = agent.turn(&caller(arm, "Ada"));
        assert_eq!(log(&before), "first greets Ada\n", "{arm}: what was read stands until it is read again");
        completed(&agent.turn(&reader(arm)));
        assert_eq!(log(&agent.turn(&caller(arm, "Ada"))), "second greets Ada\n", "{arm}");
        assert_eq!(agent.state.modules.len(), 1, "{arm}");
    }
}

#[test]
fn all_that_a_turn_has_compiled_is_charged_to_it() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Rust]);
    let mut agent = ground.agent(&worker, Arm::Rust, "a", &module(Arm::Rust, "first"));
    agent.profile.skills[0].on_use = Some(caller(Arm::Rust, "script"));
    let hands_over = format!(
        "fn main() -> Result<(), gg::Failure> {{\n    gg::skills::read_skill(\"{SKILL}\")?;\n    gg::programs::rerun({:?})?;\n    Ok(())\n}}\n",
        caller(Arm::Rust, "Ada")
    );
    // The program, the module that it reads, the program that it hands over to, and the script of that read.
    for (turn, expected) in [("the first", 4), ("the second", 2)] {
        let result = agent.turn(&hands_over);
        completed(&result);
        let logs: Vec<_> = result.followed.iter().map(|program| program.log.clone()).collect();
        assert_eq!(logs.len(), 2, "{turn}: both ran: {:?}", result.followed);
        for wanted in ["first greets script\n", "first greets Ada\n"] {
            assert!(logs.contains(&Body::Inline(wanted.into())), "{turn}: {logs:?}");
        }
        assert_eq!(compiles(&result), expected, "{turn}: the module and the script are prepared once an agent");
        assert!(result.timings.compile_ms > Some(0.0), "{turn}");
    }
}

#[test]
fn a_slow_compile_holds_up_no_other_agent() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Python, Arm::Rust]);
    let slow = "#![allow(long_running_const_eval)]\n\nconst N: u32 = {\n    let mut n = 0;\n    while n < 2_000_000 {\n        n += 1;\n    }\n    n\n};\n\nfn main() {\n    println!(\"{N}\");\n}\n";
    let mut compiles = Agent::new(&worker, &ground.objects, Arm::Rust, "compiles");
    let mut other = Agent::new(&worker, &ground.objects, Arm::Python, "other");
    completed(&other.turn("print('warm')\n"));
    std::thread::scope(|scope| {
        let compiling = scope.spawn(move || compiles.turn(slow));
        let workspace = || find(&ground.folder.path().join("one"), "program.rs").is_some();
        while !workspace() && !compiling.is_finished() {
            std::thread::yield_now();
        }
        completed(&other.turn("print('beside')\n"));
        assert!(!compiling.is_finished(), "the other's turn began and ended while it compiled");
        completed(&compiling.join().expect("no panic"));
    });
}

#[test]
fn a_module_that_its_compiler_dies_of_is_ours_and_the_reader_learns_nothing() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Rust]);
    let brackets = format!("pub fn greet() {{ let _ = {}1{}; }}\n", "(".repeat(100_000), ")".repeat(100_000));
    let mut agent = ground.agent(&worker, Arm::Rust, "a", &brackets);
    let read = agent.turn(&reader(Arm::Rust));
    let Outcome::Internal { error_text, suspect } = &read.outcome else { panic!("{:?}", read.outcome) };
    assert!(error_text.contains(SKILL) && error_text.contains("rustc was killed by signal"), "{error_text}");
    assert!(suspect.is_some() && read.outcome.model_text().is_none() && !read.outcome.is_error_turn());
    assert!(agent.state.modules.is_empty());
}

#[test]
fn a_refused_module_hands_its_authors_diagnostic_back_on_the_read() {
    let ground = Ground::new();
    let worker = ground.worker("one", &Arm::ALL);
    for arm in Arm::ALL {
        let Some(refused) = refused_module(arm) else { continue };
        let mut agent = ground.agent(&worker, arm, arm.id(), refused);
        let read = agent.turn(&reader(arm));
        let text = read.outcome.model_text().unwrap_or_default().to_owned();
        assert_eq!(read.outcome.error_type().as_deref(), Some("program_api_error"), "{arm}: {text}");
        assert!(text.contains("word tools") && text.contains("refused"), "{arm}: {text}");
        assert!(agent.state.modules.is_empty(), "{arm}");
        assert!(read.timings.compile_ms.is_some_and(|ms| ms > 0.0), "{arm}: it was charged");
    }
}

#[test]
fn another_worker_fetches_a_build_and_says_so() {
    let ground = Ground::new();
    let (one, two) = (ground.worker("one", &Arm::ALL), ground.worker("two", &Arm::ALL));
    for arm in Arm::ALL {
        let builds = u32::from(refused_module(arm).is_some());
        let compiles_programs = u32::from(language(arm).checker().is_some());
        let mut agent = ground.agent(&one, arm, arm.id(), &module(arm, "here"));
        let read = agent.turn(&reader(arm));
        completed(&read);
        assert_eq!(read.timings.modules_fetched, 0, "{arm}: nobody had built it");
        let mut moved = agent.moved(&two);
        let called = moved.turn(&caller(arm, "Ada"));
        completed(&called);
        assert_eq!(log(&called), "here greets Ada\n", "{arm}");
        assert_eq!((called.timings.modules_fetched, compiles(&called)), (builds, compiles_programs), "{arm}");
        if builds > 0 {
            assert!(called.timings.modules_fetched_cost_ms > 0.0, "{arm}: what making it had cost is told");
        }
        let again = moved.turn(&caller(arm, "Bob"));
        assert_eq!(again.timings.modules_fetched, 0, "{arm}: it is here now");
    }
}

#[test]
fn a_module_that_is_refused_when_it_is_built_again_is_ours_and_names_it() {
    let ground = Ground::new();
    let (one, two) = (ground.worker("one", &Arm::ALL), ground.worker("two", &Arm::ALL));
    for arm in Arm::ALL {
        let Some(refused) = refused_module(arm) else { continue };
        let mut agent = ground.agent(&one, arm, arm.id(), &module(arm, "here"));
        completed(&agent.turn(&reader(arm)));
        // Another compiler might: here, the source that the state names is another.
        let mut loaded = agent.state.modules.iter().next().expect("one").clone();
        loaded.source = ground.objects.put_blocking(refused.as_bytes().to_vec()).expect("stored");
        agent.state.modules.put(loaded);
        let mut moved = agent.moved(&two);
        let called = moved.turn(&caller(arm, "Ada"));
        let Outcome::Internal { error_text, .. } = &called.outcome else { panic!("{arm}: {:?}", called.outcome) };
        assert!(error_text.contains(key(arm)), "{arm}: {error_text}");
        assert!(called.outcome.model_text().is_none(), "{arm}: the model reads nothing");
    }
}

#[test]
fn a_memorys_code_and_its_script_work_together() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Python]);
    let mut agent = Agent::new(&worker, &ground.objects, Arm::Python, "a");
    agent.profile.memories.strategy = MemoryStrategy::Markdown;
    let written = agent.turn(
        "from gg import memories\n\
         memories.create_memory('Word tools', 'greets', 'How to greet.', code='def greet(name):\\n    return f\"hi {name}\"\\n', \
         on_use='from lib import word_tools\\nprint(word_tools.greet(\"script\"))')\n",
    );
    completed(&written);
    let read = agent.turn("from gg import memories\nmemories.read_memory('Word tools')\n");
    completed(&read);
    assert_eq!(read.followed.len(), 1);
    assert_eq!(read.followed[0].log, Body::Inline("hi script\n".into()), "{:?}", read.followed[0].outcome);
    assert_eq!(log(&agent.turn("from lib.word_tools import greet\nprint(greet('Ada'))\n")), "hi Ada\n");
}

#[test]
fn two_names_of_one_key_are_two_modules_and_a_reserved_name_is_prefixed() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Python]);
    let mut agent = Agent::new(&worker, &ground.objects, Arm::Python, "a");
    agent.profile.skills = ["word tools", "word-tools", "files"]
        .into_iter()
        .map(|name| gg_common::profile::Skill {
            name: name.into(),
            ..skill(&format!("def greet():\n    return '{name}'\n"))
        })
        .collect();
    completed(&agent.turn(
        "from gg import skills\nfor name in ['word tools', 'word-tools', 'files']:\n    skills.read_skill(name)\n",
    ));
    let called = agent.turn(
        "from lib import word_tools, _word_tools, _files\nprint(word_tools.greet(), _word_tools.greet(), _files.greet())\n",
    );
    assert_eq!(log(&called), "word tools word-tools files\n", "{:?}", called.outcome);
}

#[test]
fn what_a_module_offers_is_found_and_looked_up_with_the_types_that_it_names() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Python]);
    let code = "class Quaternion:\n    \"\"\"Four numbers that turn.\"\"\"\n\n\
        def rotate(q: Quaternion, by: float) -> Quaternion:\n    \"\"\"Turns a quaternion about its axis.\"\"\"\n    return q\n";
    let mut agent = ground.agent(&worker, Arm::Python, "a", code);
    completed(&agent.turn(&reader(Arm::Python)));
    let found = agent.turn(
        "from gg import docs, views\nhits = docs.search('turns a quaternion about an axis')\n\
         print(hits.hits[0].key, hits.hits[0].module)\nviews.open_docs_view('word_tools.rotate')\n",
    );
    completed(&found);
    assert_eq!(log(&found), "word_tools.rotate word_tools\n");
    let docs: Vec<String> = found
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::ViewOpened { view } if view.kind == ViewKind::Docs => Some(view.selector.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(docs, ["word_tools.rotate", "word_tools.Quaternion"]);
}

#[test]
fn a_build_that_is_gone_or_damaged_is_made_again() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Rust]);
    let mut agent = ground.agent(&worker, Arm::Rust, "a", &module(Arm::Rust, "first"));
    completed(&agent.turn(&reader(Arm::Rust)));
    let library = find(&ground.folder.path().join("one"), "libword_tools.rlib").expect("the build is in the home");
    std::fs::remove_file(&library).expect("removed");
    // What the store has of it is damaged too: the build is made here.
    for object in files_in(&ground.folder.path().join("objects/objects")) {
        if std::fs::metadata(&object).expect("object").len() == 0 {
            continue;
        }
        let bytes = std::fs::read(&object).expect("object");
        if bytes.starts_with(b"!<arch>") {
            std::fs::write(&object, b"damaged").expect("damage");
        }
    }
    let called = agent.turn(&caller(Arm::Rust, "Ada"));
    completed(&called);
    assert_eq!(log(&called), "first greets Ada\n");
    assert_eq!((called.timings.modules_fetched, compiles(&called)), (0, 2), "the module, and the program");
}

#[test]
fn a_module_that_is_compiled_to_too_much_is_refused_on_its_read_and_names_the_bound() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Rust]);
    let code = "#[unsafe(no_mangle)]\npub static HELD: [u8; 20_000_000] = [7; 20_000_000];\n";
    let read = ground.agent(&worker, Arm::Rust, "a", code).turn(&reader(Arm::Rust));
    let text = read.outcome.model_text().unwrap_or_default().to_owned();
    assert_eq!(read.outcome.error_type().as_deref(), Some("program_api_error"), "{:?}", read.outcome);
    assert!(text.contains("moduleBuildBytes") && text.contains("word tools"), "{text}");
}

#[test]
fn what_a_turn_stores_of_memories_and_their_code_is_bounded() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Python]);
    let mut agent = Agent::new(&worker, &ground.objects, Arm::Python, "a");
    agent.profile.memories.strategy = MemoryStrategy::Markdown;
    let filled = agent.turn(
        "from gg import ApiError, memories\nstored = 0\ntry:\n    while True:\n        \
         memories.create_memory('m', 'd', 'b', code='#' + 'x' * 900_000 + str(stored))\n        stored += 1\n        \
         memories.delete_memory('m')\nexcept ApiError as error:\n    print(stored, error.code.name)\n",
    );
    completed(&filled);
    assert_eq!(log(&filled), "18 LIMIT_EXCEEDED\n");
    completed(&agent.turn("from gg import memories\nmemories.create_memory('n', 'd', 'b')\n"));
}

#[test]
fn a_module_of_twenty_thousand_names_is_in_scope_and_told_in_part() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Javascript]);
    let names = |before: &str, count: usize| (0..count).map(|n| format!("{before}{n},")).collect::<String>();
    let code = format!(
        "/** {} */\nexport function greet(name) {{ return name; }}\nfunction f() {{}}\nexport {{ {} }};\n",
        "\u{1}".repeat(8_000),
        names("f as b", 20_000)
    );
    let mut agent = ground.agent(&worker, Arm::Javascript, "a", &code);
    completed(&agent.turn(&reader(Arm::Javascript)));
    assert_eq!(log(&agent.turn(&caller(Arm::Javascript, "Ada"))), "Ada\n");
}

#[test]
fn a_module_whose_reader_fails_is_in_scope_without_documentation_and_that_is_kept_for_nobody() {
    let ground = Ground::new();
    let broken = ground.folder.path().join("broken");
    std::fs::create_dir(&broken).expect("folder");
    for (name, of) in [("gg-child", "gg-child"), ("gg-source", "broken-compiler")] {
        std::fs::copy(program(of), broken.join(name)).expect("copied");
    }
    for folder in [&broken, &broken.join("gg-child"), &broken.join("gg-source")] {
        std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("mode");
    }
    let failing = ground.worker_with("failing", &[Arm::Rust], &broken.join("gg-child"));
    let code = module(Arm::Rust, "here");
    let mut agent = ground.agent(&failing, Arm::Rust, "a", &code);
    let read = agent.turn(&reader(Arm::Rust));
    completed(&read);
    assert!(docs(&read)[0].contains("It offers nothing"), "{:?}", docs(&read));
    assert_eq!(log(&agent.turn(&caller(Arm::Rust, "Ada"))), "here greets Ada\n");
    let sound = ground.worker("sound", &[Arm::Rust]);
    let read = ground.agent(&sound, Arm::Rust, "b", &code).turn(&reader(Arm::Rust));
    completed(&read);
    assert_eq!(read.timings.modules_fetched, 0, "it was not kept");
    assert!(docs(&read)[0].contains("Greets somebody."), "{:?}", docs(&read));
}

#[test]
fn what_is_searched_of_modules_is_bounded_and_beyond_it_names_are_found() {
    let ground = Ground::new();
    let worker = ground.worker("one", &[Arm::Python]);
    let mut agent = Agent::new(&worker, &ground.objects, Arm::Python, "a");
    let code = |name: &str, word: &str| {
        let function = |n: usize| format!("def f{n}():\n    \"\"\"{}\"\"\"\n\n", "word ".repeat(1_600));
        let filling: String = (0..7).map(function).collect();
        format!("{filling}def {name}():\n    \"\"\"Tells of the {word}.\"\"\"\n")
    };
    agent.profile.skills = (0..6)
        .map(|n| {
            let (name, word) = if n == 0 { ("quokka", "aardvark") } else { ("quagga", "zyzzyva") };
            gg_common::profile::Skill { name: format!("s{n}"), ..skill(&code(name, word)) }
        })
        .collect();
    completed(&agent.turn("from gg import skills\nfor n in range(6):\n    skills.read_skill(f's{n}')\n"));
    let found = agent.turn(
        "from gg import docs\nfor word in ('aardvark', 'quokka', 'quagga'):\n    print(docs.search(word).total > 0)\n\
         print([hit.key for hit in docs.search('zyzzyva').hits if hit.module == 's5'])\n",
    );
    completed(&found);
    assert_eq!(log(&found), "True\nTrue\nTrue\n[]\n");
}

fn find(folder: &Path, name: &str) -> Option<std::path::PathBuf> {
    files_in(folder).into_iter().find(|path| path.file_name().is_some_and(|found| found == name))
}
