//! What is peculiar to the TypeScript arm: that its declarations are the guest's globals, that no check outlives its bounds
//! or tells of the host, and that what is wrong with its toolchain is told with what to do.

use gg_common::arm::Arm;
use gg_common::folders::CacheRoot;
use gg_common::job::{AgentId, Body, RunId, TurnJob, TurnResult, WorkerId};
use gg_common::objects::{Durability, Objects};
use gg_common::outcome::{Outcome, Rejection, Suspect};
use gg_common::profile::Profile;
use gg_tests::ground::{self as attacks, program, ways_that_hold};
use gg_tests::subject::{Agent, Registered, Subject, artifacts};
use gg_worker::language::{Module, OpenError, PrepareError, Prepared, language};
use gg_worker::{Worker, WorkerSettings};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

struct Ground {
    folder: tempfile::TempDir,
    worker: Arc<Worker>,
    objects: Objects,
}

impl Ground {
    fn new() -> Ground {
        let folder = tempfile::tempdir().expect("tempdir");
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o711)).expect("mode");
        let objects = Objects::in_folder(&folder.path().join("objects"), Durability::Cached).expect("objects");
        let root = CacheRoot::from_environment().expect("a cache root");
        let mut settings = WorkerSettings::under(&root, WorkerId("typescript".into()));
        settings.homes = folder.path().join("homes");
        settings.executor_program = program("worker");
        settings.children.helper = Some(program("gg-child"));
        settings.spare_executors = 0;
        let worker = Worker::start(settings, objects.clone(), &[Arm::Typescript]);
        Ground { folder, worker: worker.unwrap_or_else(|error| panic!("{error}")), objects }
    }

    /// A turn of an agent of its own.
    fn turn(&self, agent: &str, source: &str) -> TurnResult {
        assert!(self.folder.path().is_dir());
        self.worker.run_turn(&TurnJob {
            version: gg_common::FORMAT_VERSION,
            run: RunId("typescript".into()),
            agent: AgentId(agent.to_owned()),
            epoch: 1,
            turn: 1,
            source: Body::Inline(source.to_owned()),
            profile: Profile::with_everything(Arm::Typescript),
            tree: None,
            state: Default::default(),
            reply_to: String::new(),
            wall_left_ms: None,
            trace: None,
        })
    }

    /// What a program of an agent of its own prints, line by line.
    fn prints(&self, agent: &str, source: &str) -> Vec<String> {
        let result = self.turn(agent, source);
        assert_eq!(result.outcome, Outcome::Completed, "{}", result.stderr);
        let log = match &result.log {
            Body::Inline(text) => text.clone(),
            Body::Object { key, .. } => {
                String::from_utf8_lossy(&self.objects.get_blocking(key).expect("the log")).into_owned()
            }
        };
        log.lines().map(str::to_owned).collect()
    }
}

/// A program that looks up what is declared, and what is not.
fn comparing(declared: &str, undeclared: &str) -> String {
    // Unchecked: it asks for what may not be there.
    format!(
        r#"// @ts-nocheck
const declared = {declared};
const undeclared = {undeclared};
// What of an instance is its own, and not its prototype's.
const instances = {{
  AggregateError: new AggregateError([]),
  SuppressedError: new SuppressedError(1, 2),
  Iterator: [].values(),
  RegExp: /x/,
}};
const has = (value, member) => {{
  const key = member.startsWith("@@") ? Symbol[member.slice(2)] : member;
  return key !== undefined && key in Object(value);
}};
for (const name of Object.getOwnPropertyNames(globalThis)) {{
  if (!(name in declared) && !(name in undeclared)) console.log(`nobody declares ${{name}}`);
}}
for (const name of Object.keys(undeclared)) {{
  if (name in declared || !(name in globalThis)) console.log(`needlessly undeclared: ${{name}}`);
}}
for (const [name, {{ members, instance }}] of Object.entries(declared)) {{
  if (!(name in globalThis)) {{
    console.log(`there is no ${{name}}`);
    continue;
  }}
  const value = globalThis[name];
  for (const member of members) if (!has(value, member)) console.log(`there is no ${{name}}.${{member}}`);
  const made = instances[name] ?? value?.prototype;
  for (const member of instance) if (!has(made, member)) console.log(`there is no ${{name}}#${{member}}`);
}}
"#
    )
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository")
}

#[test]
fn what_is_declared_is_what_the_guest_has_and_all_that_it_has() {
    let declared = std::fs::read_to_string(artifacts(Arm::Typescript).path("globals.json")).expect("globals.json");
    let package = repository().join("packages/gg-sandbox-typescript");
    let undeclared = std::fs::read_to_string(package.join("undeclared.json")).expect("undeclared.json");
    let reasons: BTreeMap<String, String> = serde_json::from_str(&undeclared).expect("names and reasons");
    assert!(reasons.values().all(|reason| reason.split(' ').count() > 3), "each has its reason");
    let ground = Ground::new();
    assert_eq!(ground.prints("right", &comparing(&declared, &undeclared)), [] as [&str; 0]);

    // And it is noticed where it is not so.
    let mut wrong: serde_json::Value = serde_json::from_str(&declared).expect("JSON");
    let members = wrong["Array"]["members"].as_array_mut().expect("members");
    members.push("ofAll".into());
    wrong["Math"]["members"] = serde_json::json!(["floor", "@@toStringTag", "@@nothing"]);
    wrong["Map"]["instance"].as_array_mut().expect("members").push("emplaceAll".into());
    wrong["Intl"] = serde_json::json!({ "members": [], "instance": [] });
    wrong.as_object_mut().expect("names").remove("console");
    let undeclared = r#"{ "InternalError": "", "Set": "", "nowhere": "" }"#;
    let mut noticed = ground.prints("wrong", &comparing(&wrong.to_string(), undeclared));
    noticed.sort();
    let expected = [
        "needlessly undeclared: Set",
        "needlessly undeclared: nowhere",
        "nobody declares console",
        "there is no Array.ofAll",
        "there is no Intl",
        "there is no Map#emplaceAll",
        "there is no Math.@@nothing",
    ];
    assert_eq!(noticed, expected);
}

/// Prepares programs of one agent.
struct Preparing {
    subject: Registered,
    agent: Agent,
}

impl Preparing {
    fn new() -> Preparing {
        Preparing { subject: Registered::new(Arm::Typescript), agent: Agent::new(Arm::Typescript) }
    }

    fn program(&mut self, source: &str, modules: &[Module]) -> Result<Prepared, PrepareError> {
        let subject = &self.subject;
        self.agent.prepare(subject, |context| subject.program(context, source, modules))
    }

    fn module(&mut self, module: &Module) -> Result<(), PrepareError> {
        let subject = &self.subject;
        self.agent.prepare(subject, |context| subject.module(context, module))
    }
}

#[test]
fn what_the_guest_lacks_does_not_check() {
    let mut preparing = Preparing::new();
    let lacking = [
        "new Intl.DateTimeFormat()",
        "(1.5).toLocaleString(\"de\")",
        "\"a\".localeCompare(\"b\", \"de\")",
        "new Date().toLocaleDateString(\"de\")",
        "Atomics.load(new Int32Array(1), 0)",
        "fetch(\"a\")",
        "document.title",
        "process.exit()",
        "require(\"fs\")",
        "new Worker(\"a\")",
        "WebAssembly.compile",
        "RegExp.$1",
        "Temporal.Now",
        "new Error().nothing",
        "globalThis.nothing",
    ];
    for source in lacking {
        let refused = preparing.program(&format!("console.log({source});\n"), &[]);
        let Err(PrepareError::Rejected { band, text }) = refused else { panic!("{source} was taken: {refused:?}") };
        assert_eq!(Rejection::from(band), Rejection::TranspileCompile, "{text}");
    }
    for source in ["new Date().toLocaleString()", "\"a\".localeCompare(\"b\")", "Object.groupBy([1], String)"] {
        preparing
            .program(&format!("console.log({source});\n"), &[])
            .unwrap_or_else(|error| panic!("{source}: {error}"));
    }
}

#[test]
fn a_program_that_only_has_types_is_handed_over_with_all_else_in_place() {
    let source = "const é: number = 1, s = \"😀\" as string; // ok\n";
    let Ok(Prepared::Source { program, places, .. }) = Preparing::new().program(source, &[]) else {
        panic!("a source")
    };
    let text = String::from_utf8(program).expect("text");
    assert_eq!(text.encode_utf16().count(), source.encode_utf16().count());
    assert!(places.is_empty() && text.contains("// ok"), "{text}");
}

#[test]
fn a_module_is_checked_and_declared_and_its_errors_are_where_they_stood() {
    let mut preparing = Preparing::new();
    let module = Module {
        key: "tables".to_owned(),
        source: "import { ErrorCode } from \"gg/core\";\n\nexport enum Side {\n  Left,\n}\n/** Fails. */\nexport function fail(side: Side): ErrorCode {\n  throw new Error(Side[side]);\n}\nexport const guessed = () => new Map<string, number>();\n"
            .to_owned(),
    };
    preparing.module(&module).unwrap_or_else(|error| panic!("{error}"));
    let scope = [module];
    let caller = "import { Side, fail, guessed } from \"lib/tables\";\nconst n: number | undefined = guessed().get(\"a\");\nconsole.log(fail(Side.Left), n);\n";
    let prepared = preparing.program(caller, &scope).unwrap_or_else(|error| panic!("{error}"));
    let places: Vec<&str> = prepared.places().iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((prepared.modules().len(), places.as_slice()), (1, ["lib/tables"].as_slice()));
    for (wrong, part) in [
        ("import { nothing } from \"lib/tables\"; console.log(nothing);", "'\"lib/tables\"' has no exported member"),
        ("import tables from \"lib/tables\"; console.log(tables);", "has no default export"),
        ("import { fail } from \"lib/tables\"; fail(\"left\");", "not assignable to parameter of type 'Side'"),
        ("import { parse } from \"lib/other\"; parse();", "Cannot find module 'lib/other'"),
    ] {
        let refused = preparing.program(wrong, &scope);
        let Err(PrepareError::Rejected { text, .. }) = refused else { panic!("{wrong} was taken: {refused:?}") };
        assert!(text.contains(part), "{text}");
    }
    let other =
        Module { key: "other".to_owned(), source: "import { fail } from \"lib/tables\";\nexport { fail };\n".into() };
    let Err(PrepareError::Rejected { text, .. }) = preparing.module(&other) else { panic!("it reaches another") };
    assert!(text.starts_with("other.ts(1,22): error TS2307: Cannot find module 'lib/tables'"), "{text}");
}

/// What a model may write to have a place of the host told: nothing of it is.
#[test]
fn no_diagnostic_names_a_place_of_the_host() {
    let mut preparing = Preparing::new();
    let home = std::env::var("HOME").unwrap_or_else(|_| "/root".into());
    for source in [
        "declare module \"gg/files\" {\n  export const readFile: number;\n}\n",
        "declare global {\n  interface Array<T> {\n    length: string;\n  }\n  var console: number;\n}\nexport {};\n",
        "interface Promise<T, U> {}\ndeclare global {\n  interface Promise<T, U> {}\n}\nexport {};\n",
        "declare global {\n  class Map {}\n  function URL(): void;\n}\nexport {};\n",
        "namespace A {\n  export interface T {\n    a: 1;\n  }\n}\ninterface T {\n  b: 1;\n}\nconst a: T = {} as A.T;\nexport { a };\n",
        "import * as own from \"./program\";\nconst x: typeof own & { a: 1 } = 1;\n",
        "class Iterator {}\nconst x: Iterator = [1].values();\nexport class Y extends globalThis.Iterator { z: number }\n",
        "/// <reference path=\"../../../etc/passwd\" />\n/// <reference types=\"../../root\" />\nconst x: number = \"\";\n",
        "import a from \"/proc/self/environ\";\nimport b from \"../out/program\";\nimport c from \"/w/work/other\";\n",
    ] {
        let refused = preparing.program(source, &[]);
        let Err(PrepareError::Rejected { text, .. }) = refused else { panic!("{source} was taken: {refused:?}") };
        for place in [home.as_str(), "/artifacts/", "/toolchains/", "/declarations/", "compile-", "/tmp/.", "../gg"] {
            assert!(!text.contains(place), "{place} in:\n{text}");
        }
    }
}

/// In every way in which a worker holds its children: with namespaces, where the check finds itself by a link, and without.
#[test]
fn a_check_runs_however_its_children_are_held() {
    for way in ways_that_hold() {
        let ground = attacks::Ground::new(way);
        let worker = ground.worker(&[Arm::Typescript]);
        let mut agent = attacks::Agent::new("main", Arm::Typescript);
        assert_eq!(agent.completes(&worker, "enum E { A = 4 }\nconsole.log(E.A);\n"), "4\n", "{way:?}");
        let refused =
            agent.turn(&worker, "const x: number = \"\";\ndeclare module \"gg/files\" { const readFile: 1; }\n");
        let Outcome::Rejected { error_text, .. } = &refused.outcome else { panic!("{way:?}: {:?}", refused.outcome) };
        assert!(error_text.starts_with("program.ts(1,7): error TS2322:"), "{way:?}: {error_text}");
        assert!(!error_text.contains("/tmp"), "{way:?}: {error_text}");
    }
}

/// Types that take more memory than a check may have: the farm's failure, since nothing was said of the program, which is
/// suspected, since the arm's own passes after it.
#[test]
fn a_check_that_passes_its_bound_ends_there_and_its_program_is_suspected() {
    let ground = Ground::new();
    let literals: Vec<String> =
        ('a'..='j').map(|letter| format!("\"{}\"", letter.to_string().repeat(60_000))).collect();
    let source =
        format!("type D = {};\ntype All = `${{D}}${{D}}${{D}}${{D}}`;\nconst x: All = \"\";\n", literals.join(" | "));
    let result = ground.turn("hungry", &source);
    let Outcome::Internal { error_text, suspect } = &result.outcome else { panic!("{:?}", result.outcome) };
    assert_eq!(*suspect, Some(Suspect::Program), "{error_text}");
    assert!(error_text.contains("tsc was ended at a bound: 2048 MiB of memory"), "{error_text}");
    assert_eq!(ground.prints("main", "console.log(\"goes on\");\n"), ["goes on"], "the arm stays in service");
}

#[test]
fn brackets_that_nest_beyond_the_bound_are_refused_before_anything_reads_them() {
    let ground = Ground::new();
    for (open, close) in [("[", "]"), ("(", ")"), ("{", "}")] {
        let source = format!("const x = {}{};\n", open.repeat(200_000), close.repeat(200_000));
        let result = ground.turn(open, &source);
        let Outcome::Rejected { error_type, error_text } = &result.outcome else { panic!("{:?}", result.outcome) };
        assert_eq!(*error_type, Rejection::TranspileUnsupported);
        assert!(error_text.contains("bound nestedBrackets"), "{error_text}");
    }
}

#[test]
fn a_toolchain_that_is_missing_or_of_another_release_says_which_and_how_to_install_it() {
    let folder = tempfile::tempdir().expect("tempdir");
    let root = CacheRoot::from_environment().expect("a cache root");
    let set = artifacts(Arm::Typescript);
    let mut places = WorkerSettings::under(&root, WorkerId("gate".into())).places;
    places.variables.clear();
    places.toolchains = folder.path().join("toolchains");
    places.path = folder.path().join("bin").into_os_string();
    let arm = language(Arm::Typescript);
    if !Path::new("/opt/gg/toolchains/typescript/bin/tsc").exists() {
        let missing = arm.open(&set, &places).expect_err("there is none").to_string();
        let tried = folder.path().join("toolchains/typescript/bin/tsc");
        assert!(missing.contains(&tried.display().to_string()) && missing.contains("TCAB_GG_TSC"), "{missing}");
        assert!(missing.contains("containers/gg-toolchains/typescript.sh"), "{missing}");
    }
    let other = folder.path().join("tsc");
    std::fs::write(&other, "#!/bin/sh\necho Version 5.9.3\n").expect("write");
    std::fs::set_permissions(&other, PermissionsExt::from_mode(0o755)).expect("mode");
    places.variables = vec![("TCAB_GG_TSC".into(), other.clone().into_os_string())];
    let error = arm.open(&set, &places).expect_err("another release");
    assert!(matches!(error, OpenError::Unusable { .. }));
    let told = error.to_string();
    for part in [&*other.display().to_string(), "Version 5.9.3", "typescript.sh --force"] {
        assert!(told.contains(part), "{told}");
    }
    places.variables = vec![("TCAB_GG_TSC".into(), folder.path().join("nothing").into_os_string())];
    let told = arm.open(&set, &places).expect_err("nothing is there").to_string();
    assert!(told.contains("no program is there"), "{told}");
}

/// What takes a program apart may die of it, and the worker holds secrets: it knows the types of `gg-source` alone.
#[test]
fn no_worker_reads_a_program_by_itself() {
    let mut open = vec![repository().join("worker/src")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let calls = ["gg_source::typescript", "exports::of(", "swc_", "rquickjs"];
                let found = calls.iter().find(|call| text.contains(**call));
                assert_eq!(found, None, "{}", path.display());
            }
        }
    }
}
