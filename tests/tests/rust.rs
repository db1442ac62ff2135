//! What the documents say of the Rust arm and no program can show: what its compiler is told, what its library set holds
//! and where that came from, and how its SDK is catalogued.
#![expect(clippy::disallowed_methods, reason = "the arm's build is started as a person starts it")]

use gg_common::arm::Arm;
use gg_common::catalogue::EntryKind;
use gg_common::folders::CacheRoot;
use gg_common::job::WorkerId;
use gg_tests::subject::{Agent, Registered, Subject, artifacts};
use gg_worker::WorkerSettings;
use gg_worker::language::{Guest, Prepared, language};
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../packages/gg-sandbox-rust")
}

/// The arm's declaration of its compiler and of its libraries.
fn declared() -> toml_edit::DocumentMut {
    let text = std::fs::read_to_string(package().join("Cargo.toml")).expect("the SDK's manifest");
    text.parse().expect("toml")
}

fn toolchain() -> Value {
    let path = artifacts(Arm::Rust).path("toolchain.json");
    serde_json::from_slice(&std::fs::read(path).expect("toolchain.json")).expect("json")
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list");
    list.iter().map(|one| one.as_str().expect("a text").to_owned()).collect()
}

#[test]
fn rustc_is_told_what_the_documents_list() {
    let arguments = &toolchain()["arguments"];
    let common = texts(&arguments["common"]);
    for wanted in [
        "--edition=2024",
        "--target=wasm32-wasip1",
        "-Cpanic=abort",
        "-Awarnings",
        "-Copt-level=s",
        "-Ccodegen-units=1",
        "--error-format=json",
        "-Ldependency={libraries}",
    ] {
        assert!(common.iter().any(|argument| argument == wanted), "{wanted}: {common:?}");
    }
    let program = texts(&arguments["program"]);
    for wanted in ["--crate-name=program", "--crate-type=bin", "-Cstrip=debuginfo"] {
        assert!(program.iter().any(|argument| argument == wanted), "{wanted}: {program:?}");
    }
    // The world's export, the canonical ABI's, and the archive that has them, which a program need not refer to.
    for wanted in ["-Clink-arg=--export=run", "-Clink-arg=--export=cabi_realloc", "-Clink-arg={libraries}/libgg.rlib"] {
        assert!(program.iter().any(|argument| argument == wanted), "{wanted}: {program:?}");
    }
    assert_eq!(texts(&arguments["module"]), ["--crate-name={key}", "--crate-type=lib"]);
}

#[test]
fn the_bare_compile_pins_the_release_and_names_the_program_by_its_fixed_name() {
    let subject = Registered::new(Arm::Rust);
    let (source, output) = (Path::new("/some/where/program.rs"), Path::new("/some/where/program.wasm"));
    let bare = subject.prepare.bare(&artifacts(Arm::Rust), source, output).expect("the arm compiles");
    let release = declared()["package"]["metadata"]["gg"]["compiler"].as_str().expect("a version").to_owned();
    let pinned = bare.env.iter().find(|(name, _)| name == "RUSTUP_TOOLCHAIN").map(|(_, value)| value.clone());
    assert_eq!(pinned, Some(release.into()));
    assert_eq!(bare.args.last().and_then(|last| last.to_str()), Some("program.rs"));
}

#[test]
fn what_a_program_can_name_is_the_sdk_and_the_crates_that_its_manifest_lists() {
    let manifest = declared();
    let listed = manifest["package"]["metadata"]["gg"]["libraries"].as_array().expect("a list");
    let listed: Vec<String> = listed.iter().map(|name| name.as_str().expect("a name").to_owned()).collect();
    assert_eq!(listed, ["regex", "serde_json", "base64", "itertools", "indexmap"]);
    let toolchain = toolchain();
    let recorded: Vec<&str> = toolchain["externs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|of| of["name"].as_str().expect("a name"))
        .collect();
    let expected: Vec<&str> = ["gg"].into_iter().chain(listed.iter().map(String::as_str)).collect();
    assert_eq!(recorded, expected);
    let all = ["common", "program", "module"].map(|part| texts(&toolchain["arguments"][part])).concat();
    let named: Vec<&str> =
        all.iter().filter_map(|argument| argument.strip_prefix("--extern=")?.split('=').next()).collect();
    assert_eq!(named, expected, "and a compile lets it name no other");
    // What those need is there for the linker, and has no name.
    let libraries = std::fs::read_dir(artifacts(Arm::Rust).path("libraries")).expect("libraries");
    assert!(libraries.count() > expected.len());
}

#[test]
fn the_library_set_records_its_compiler_its_target_and_its_adapter() {
    let toolchain = toolchain();
    let release = declared()["package"]["metadata"]["gg"]["compiler"].as_str().expect("a version").to_owned();
    assert_eq!(toolchain["release"], release.as_str());
    assert!(toolchain["compiler"].as_str().is_some_and(|says| says.contains(&format!("release: {release}"))));
    assert_eq!((&toolchain["target"], &toolchain["source"]), (&"wasm32-wasip1".into(), &"program.rs".into()));
    let adapter = toolchain["adapter"].as_str().expect("a name");
    assert!(artifacts(Arm::Rust).path(adapter).is_file());
}

#[test]
fn no_library_says_where_it_was_built() {
    let folder = artifacts(Arm::Rust).path("libraries");
    let holds = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    let mut fixed = 0;
    for entry in std::fs::read_dir(folder).expect("libraries") {
        let path = entry.expect("entry").path();
        let bytes = std::fs::read(&path).expect("a library");
        for place in ["/registry/src/", "/target-guests/", "/.cargo/"] {
            assert!(!holds(&bytes, place), "{} names {place}", path.display());
        }
        fixed += usize::from(holds(&bytes, "/crates/") || holds(&bytes, "/gg/"));
    }
    assert!(fixed > 5, "the gate looks for the wrong thing: {fixed}");
}

#[test]
fn the_build_refuses_another_compiler_and_names_both_versions() {
    let folder = tempfile::tempdir().expect("tempdir");
    let rustc = folder.path().join("rustc");
    std::fs::write(&rustc, "#!/bin/sh\necho 'rustc 9.8.7 (of another time)'\n").expect("written");
    std::fs::set_permissions(&rustc, std::fs::Permissions::from_mode(0o755)).expect("mode");
    let out = folder.path().join("out");
    let output = Command::new(package().join("build.sh"))
        .arg(&out)
        .env("GG_FARM_HOME", folder.path().join("home"))
        .env("TCAB_GG_RUSTC", &rustc)
        .output()
        .expect("the build starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let pinned = declared()["package"]["metadata"]["gg"]["compiler"].as_str().expect("a version").to_owned();
    assert!(!output.status.success(), "{said}");
    for part in ["9.8.7", pinned.as_str(), "containers/gg-toolchains/rust.sh"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(std::fs::read_dir(out).expect("made").count(), 0, "nothing was built");
}

#[test]
fn a_worker_refuses_another_compiler_than_built_its_library_set() {
    let folder = tempfile::tempdir().expect("tempdir");
    let rustc = folder.path().join("rustc");
    std::fs::write(&rustc, "#!/bin/sh\necho 'rustc 9.8.7 (of another time)'\n").expect("written");
    std::fs::set_permissions(&rustc, std::fs::Permissions::from_mode(0o755)).expect("mode");
    let root = CacheRoot::from_environment().expect("a cache root");
    let mut places = WorkerSettings::under(&root, WorkerId("rust".into())).places;
    places.variables = vec![("TCAB_GG_RUSTC".to_owned(), rustc.clone().into())];
    let refused = language(Arm::Rust).open(&artifacts(Arm::Rust), &places).expect_err("another compiler").to_string();
    let release = toolchain()["release"].as_str().expect("a version").to_owned();
    for part in [rustc.to_str().expect("a path"), "9.8.7", release.as_str(), "containers/gg-toolchains/rust.sh"] {
        assert!(refused.contains(part), "{part}: {refused}");
    }
}

#[test]
fn a_program_becomes_a_component_of_its_own_that_carries_no_source() {
    let subject = Registered::new(Arm::Rust);
    assert_eq!(language(Arm::Rust).guest(), Guest::None);
    let source = "// gg-comment-of-the-source\nfn main() {\n    println!(\"gg-text-of-the-program\");\n}\n";
    let mut agent = Agent::new(Arm::Rust);
    let prepared = agent.prepare(&subject, |context| subject.program(context, source, &[]));
    let Ok(Prepared::Component(bytes)) = prepared else { panic!("{prepared:?}") };
    let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(bytes.starts_with(b"\0asm\x0d\0\x01\0"), "a component, and no core module");
    assert!(holds("gg-text-of-the-program") && !holds("gg-comment-of-the-source"));
}

#[test]
fn a_key_that_is_somebody_elses_name_takes_an_underscore() {
    let subject = Registered::new(Arm::Rust);
    // The SDK, a crate of the set, the program's own, crates of the sysroot, and a word that names none.
    for name in ["gg", "Serde JSON", "regex", "program", "std", "core", "alloc", "test", "files", "match"] {
        let key = subject.prepare.module_key(name);
        assert_eq!(key, format!("_{}", name.to_lowercase().replace(' ', "_")));
    }
    assert_eq!(subject.prepare.module_key("CSV tools"), "csv_tools");
}

#[test]
fn the_catalogue_says_how_rust_spells_each_module_call_and_second_name() {
    let catalogue = artifacts(Arm::Rust).catalogue().expect("the catalogue reads");
    assert_eq!((catalogue.arm, catalogue.member_separator.as_str()), (Arm::Rust, "::"));
    let mut names: Vec<&str> = catalogue.modules.iter().map(|module| module.name.as_str()).collect();
    for module in &catalogue.modules {
        assert_eq!(module.import, format!("use gg::{};", module.name));
    }
    names.sort_unstable();
    let twelve_and_core = [
        "board",
        "context",
        "core",
        "delegation",
        "docs",
        "files",
        "memories",
        "programs",
        "session",
        "shell",
        "skills",
        "tasks",
        "views",
    ];
    assert_eq!(names, twelve_and_core);

    let of_kind = |kind| catalogue.entries.iter().filter(move |entry| entry.kind == kind);
    for entry in of_kind(EntryKind::Operation) {
        let operation = entry.operation.as_deref().expect("an operation");
        let (module, call) = operation.split_once('.').expect("a module's");
        let spelled = if operation == "shell.shell" { "run" } else { call };
        assert_eq!(entry.key, format!("{module}::{spelled}"));
        assert!(module != "core", "`core` declares no function");
        assert!(
            entry.returns.as_deref().is_some_and(|gives| gives.ends_with(", gg::core::ApiError>")),
            "{}",
            entry.key
        );
        let signature =
            entry.signature.split_once('(').and_then(|(_, rest)| rest.split_once(") ->")).expect("a list").0;
        assert_eq!(signature.matches(": ").count(), entry.parameters.len(), "{}", entry.key);
        for parameter in &entry.parameters {
            assert!(signature.contains(&format!("{}: ", parameter.name)) && !parameter.documentation.is_empty());
        }
    }
    let aliases: BTreeSet<_> = of_kind(EntryKind::Alias)
        .map(|entry| (entry.operation.as_deref().expect("an operation"), entry.signature.contains("(&self")))
        .collect();
    let five =
        ["board.wait_for_issue", "delegation.send_message", "memories.read_memory", "programs.get", "views.close"];
    assert!(five.iter().all(|operation| aliases.iter().any(|(of, _)| of == operation)), "{aliases:?}");
    assert!(aliases.len() == five.len() && aliases.iter().all(|(_, of_a_value)| *of_a_value), "{aliases:?}");
    let mut without = catalogue.clone();
    without.entries.retain(|entry| entry.kind != EntryKind::Alias);
    assert_eq!(without.problems(), [], "they count toward no coverage");
}
