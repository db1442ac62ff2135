//! The collections of programs: every program of an arm gives what its expect file says, text for text.
//!
//! `GG_BLESS=1` rewrites the expect files, `GG_ONLY=part` runs only the programs whose names contain it.

use gg_common::arm::Arm;
use gg_tests::programs::{Bench, Collection, Expectation, OutcomeName, Program};
use std::path::{Path, PathBuf};

/// What an arm's collection must have at least.
const fn floor(arm: Arm) -> usize {
    match arm {
        Arm::Python | Arm::Javascript => 100,
        Arm::Typescript => 40,
        Arm::Rust => 60,
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

fn bench(arm: Arm) -> Bench {
    Bench::start(&[arm]).unwrap_or_else(|problem| panic!("{problem}"))
}

fn collection(arm: Arm) -> Collection {
    Collection::read(&folder(), arm)
}

fn all_are_as_expected(arm: Arm) {
    let collection = collection(arm);
    let floor = floor(arm);
    assert!(collection.programs.len() >= floor, "{arm} has {} programs of {floor}", collection.programs.len());
    if let Some(differences) = bench(arm).check(&collection) {
        panic!("what came of some programs is not what their expect files say:\n{differences}");
    }
}

#[test]
fn python_programs_give_what_the_model_must_read() {
    all_are_as_expected(Arm::Python);
}

#[test]
fn javascript_programs_give_what_the_model_must_read() {
    all_are_as_expected(Arm::Javascript);
}

#[test]
fn typescript_programs_give_what_the_model_must_read() {
    all_are_as_expected(Arm::Typescript);
}

#[test]
fn rust_programs_give_what_the_model_must_read() {
    all_are_as_expected(Arm::Rust);
}

fn program(name: &str, source: &str, expectation: Expectation) -> Program {
    Program { name: name.to_owned(), expectation, source: source.as_bytes().to_vec(), expect_path: PathBuf::new() }
}

#[test]
fn a_wrong_expectation_is_caught_among_right_ones() {
    let log = |text: &str| Expectation {
        outcome: Some(OutcomeName::Completed),
        log: Some(text.to_owned()),
        ..Expectation::default()
    };
    let mut subject = collection(Arm::Python);
    subject.problems.clear();
    subject.programs = vec![
        program("right", "print('one')\n", log("one\n")),
        program("wrong", "print('one')\n", log("two\n")),
        program("failing", "1/0\n", log("")),
    ];
    let told = bench(Arm::Python).check(&subject).expect("differences");
    assert!(told.contains("python/wrong:\n  log:\n      - two\n      + one\n"), "{told}");
    assert!(told.contains("python/failing:\n  outcome: completed expected, failed found"), "{told}");
    assert!(told.contains("ZeroDivisionError: division by zero"), "the model's text is told:\n{told}");
    assert!(!told.contains("python/right"), "{told}");
}

/// Chance is the machine's, though the guest was frozen after its start.
fn gives_something_else_each_time(arm: Arm, source: &str) {
    let subject = collection(arm);
    let bench = bench(arm);
    let run = |name: &str| {
        let observed = bench.run(&subject, &program(name, source, Expectation::default())).expect("a run");
        assert_eq!(observed.outcome, "completed", "{:?}", observed.error_text);
        observed.log
    };
    let (first, second) = (run("first"), run("second"));
    for (a, b) in first.lines().zip(second.lines()) {
        assert_ne!(a, b, "two runs gave the same");
    }
    assert!(first.lines().count() > 3, "{first}");
}

#[test]
fn chance_differs_between_two_runs_of_a_python_program() {
    gives_something_else_each_time(
        Arm::Python,
        "import os, random, secrets, tempfile, uuid\n\
         print(random.random())\nprint(random.Random().random())\nprint(random.sample(range(10**9), 3))\n\
         print(secrets.token_hex())\nprint(uuid.uuid4())\nprint(os.urandom(8).hex())\nprint(tempfile.mktemp())\n",
    );
}

#[test]
fn chance_differs_between_two_runs_of_a_javascript_program() {
    gives_something_else_each_time(
        Arm::Javascript,
        "console.log(Math.random());\nconsole.log(crypto.randomUUID());\n\
         console.log(crypto.getRandomValues(new Uint32Array(4)).join());\n\
         console.log(Array.from({ length: 3 }, () => Math.floor(Math.random() * 1e9)).join());\n",
    );
}

/// Of the standard library alone: no crate of the library set gives chance.
#[test]
fn chance_differs_between_two_runs_of_a_rust_program() {
    gives_something_else_each_time(
        Arm::Rust,
        "use std::collections::HashMap;\nuse std::collections::hash_map::RandomState;\nuse std::hash::BuildHasher;\n\
         fn main() {\n\
         println!(\"{}\", RandomState::new().hash_one(1));\nprintln!(\"{}\", RandomState::new().hash_one(\"a\"));\n\
         println!(\"{}\", HashMap::<u8, u8>::new().hasher().hash_one(()));\n\
         let order: Vec<u32> = (0..1000).map(|n| (n, n)).collect::<HashMap<_, _>>().into_keys().collect();\n\
         println!(\"{order:?}\");\n}\n",
    );
}
