//! The table of `README.md`, which maps what the documents say to the tests that fail without it: every test that it cites
//! is there, and every row cites one or says why it cannot.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders that tests lie in.
const FOLDERS: &[&str] = &["common", "coordinator", "packages", "source", "tests", "worker"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sources are here") {
        let path = entry.expect("entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "target" && !path.ends_with("tests/programs") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The names of the tests of a source: the functions under an attribute that makes them tests.
fn tests_of(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some(name) = line.strip_prefix("async fn ").or_else(|| line.strip_prefix("fn ")) {
            if is_test {
                names.push(name.split('(').next().unwrap_or_default());
            }
            is_test = false;
        }
    }
    names
}

/// What there is to cite: functions by their names, and programs as `programs/ARM/NAME`.
fn there() -> BTreeSet<String> {
    let root = root();
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| sources(&root.join(folder), &mut files));
    let mut names = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("source");
        names.extend(tests_of(&text).into_iter().map(str::to_owned));
    }
    for arm in std::fs::read_dir(root.join("tests/programs")).expect("programs").flatten() {
        for file in std::fs::read_dir(arm.path()).into_iter().flatten().flatten() {
            let file = file.file_name().to_string_lossy().into_owned();
            if let Some(name) = file.strip_suffix(".expect.toml") {
                names.insert(format!("programs/{}/{name}", arm.file_name().to_string_lossy()));
            }
        }
    }
    names
}

/// A row of a table: what is said, and its last cell.
type Row = (String, String);

/// The rows of the tables whose last column is `test`.
fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut is_cited = false;
    for line in text.lines() {
        let Some(line) = line.strip_prefix('|').and_then(|line| line.trim_end().strip_suffix('|')) else {
            is_cited = false;
            continue;
        };
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let last = cells.last().copied().unwrap_or_default();
        if last == "test" {
            is_cited = true;
        } else if is_cited && !last.starts_with("---") {
            rows.push((cells[..cells.len() - 1].join(" "), last.to_owned()));
        }
    }
    rows
}

/// What a cell cites: everything in it that is set as code.
fn cited(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// What is wrong with a table.
fn faults(text: &str, there: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for (said, cell) in rows(text) {
        let names = cited(&cell);
        if names.is_empty() && !cell.starts_with("none: ") {
            faults.push(format!("{said}: cites nothing, and does not say `none: ` and why"));
        }
        faults.extend(names.into_iter().filter(|name| !there.contains(*name)).map(|name| format!("{said}: {name}")));
    }
    faults
}

#[test]
fn every_test_that_the_table_of_the_documents_cites_is_there() {
    let text = std::fs::read_to_string(root().join("tests/README.md")).expect("README.md");
    let there = there();
    assert!(
        rows(&text).len() > 100 && there.len() > 500,
        "the gate reads {} rows, {} tests",
        rows(&text).len(),
        there.len()
    );
    assert_eq!(faults(&text, &there), [] as [String; 0], "renamed or removed: mend tests/README.md");
}

#[test]
fn the_gate_over_the_table_catches_made_up_names_and_rows_that_cite_nothing() {
    let there = there();
    let table = |cell: &str| format!("# Tests\n\n| what is said | test |\n| --- | --- |\n| one | {cell} |\n");
    let found = |cell: &str| faults(&table(cell), &there);
    assert_eq!(found("`the_gate_over_the_table_catches_made_up_names_and_rows_that_cite_nothing`"), [] as [&str; 0]);
    assert_eq!(
        found("`programs/rust/hello`, `what_every_arm_prepares_is_a_function_of_its_input_alone`"),
        [] as [&str; 0]
    );
    assert_eq!(found("`programs/rust/hello`, `a_test_that_nobody_wrote`"), ["one: a_test_that_nobody_wrote"]);
    assert_eq!(found("`programs/rust/nobody_wrote`"), ["one: programs/rust/nobody_wrote"]);
    // A function that is no test fails nothing.
    assert_eq!(found("`faults`"), ["one: faults"]);
    assert_eq!(found("").len(), 1);
    assert_eq!(found("none: it cannot be had"), [] as [&str; 0]);
    let untested = "| what is said | why |\n| --- | --- |\n| one | `made_up` |\n";
    assert_eq!(faults(untested, &there), [] as [&str; 0], "another table is not the gate's");
}
