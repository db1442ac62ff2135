//! Gates over what is registered: catalogues against the operations table, preparations against authorship, sources
//! against the house's rules. Each gate is also shown a broken subject.

use gg_common::arm::Arm;
use gg_common::catalogue::CatalogueError;
use gg_tests::subject::artifacts;
use gg_worker::language::{Guest, language};
use std::path::{Path, PathBuf};

#[test]
fn each_arms_catalogue_documents_every_operation_once_and_leaves_nothing_blank() {
    for arm in Arm::ALL {
        let catalogue = artifacts(arm).catalogue().expect("the catalogue reads");
        assert_eq!(catalogue.arm, arm);
        assert_eq!(catalogue.problems(), [], "{arm}");

        let mut broken = catalogue.clone();
        let gone = broken.entries.iter().position(|e| e.operation.as_deref() == Some("files.search")).expect("search");
        broken.entries.remove(gone);
        assert!(matches!(broken.problems()[..], [CatalogueError::Missing(_)]), "the gate misses a missing entry");
    }
}

/// What an arm's own users call what judges a program. An arm without a line here does not compile.
fn judge_of(arm: Arm) -> Option<&'static str> {
    match arm {
        Arm::Javascript | Arm::Python => None,
        Arm::Rust => Some("rustc"),
        Arm::Typescript => Some("tsc"),
    }
}

#[test]
fn each_arm_names_its_checker_and_what_names_none_runs_in_a_guest() {
    for arm in Arm::ALL {
        let language = language(arm);
        assert_eq!(language.checker(), judge_of(arm), "{arm}");
        assert!(
            language.checker().is_some() || language.guest() == Guest::Prebuilt,
            "{arm}: nothing judges its programs"
        );
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sources are here") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// What a preparation must not reach by itself: processes, temporary folders, the environment.
const FORBIDDEN: &[&str] = &["Command::new", "process::Command", "env::temp_dir", "TempDir", "tempdir", "env::var"];

/// What a source does that it must not; its tests are not looked at.
fn offences(text: &str) -> Vec<&'static str> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    FORBIDDEN.iter().copied().filter(|word| text.contains(word)).collect()
}

#[test]
fn no_language_starts_a_process_or_reads_the_environment_by_itself() {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../worker/src/language"), &mut found);
    assert!(found.len() > Arm::ALL.len(), "the gate reads nothing: {found:?}");
    for path in found {
        // The one place where compilers start.
        let is_the_seams = path.ends_with("seam/compile.rs");
        let text = std::fs::read_to_string(&path).expect("source");
        let expected: &[&str] = if is_the_seams { &["Command::new", "process::Command"] } else { &[] };
        assert_eq!(offences(&text), expected, "{}", path.display());
    }
    assert_eq!(offences("let mut c = std::process::Command::new(\"cc\");"), ["Command::new", "process::Command"]);
}

#[test]
fn worker_and_coordinator_know_each_other_by_one_door_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    sources(&root.join("coordinator/src"), &mut found);
    let doors: Vec<String> = found
        .iter()
        .filter(|path| std::fs::read_to_string(path).expect("source").contains("gg_worker"))
        .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    assert_eq!(doors, ["embedded.rs"]);
    found.clear();
    sources(&root.join("worker/src"), &mut found);
    for path in found {
        assert!(!std::fs::read_to_string(&path).expect("source").contains("gg_coordinator"), "{}", path.display());
    }
    for manifest in ["common/Cargo.toml", "worker/Cargo.toml"] {
        let text = std::fs::read_to_string(root.join(manifest)).expect("manifest");
        assert!(!text.contains("gg-coordinator"), "{manifest}");
    }
}

#[test]
fn no_committed_file_names_a_registrys_host() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // In pieces, so that this file is not its own offence.
    let hosts =
        [["deb.debian", "org"], ["registry.npmjs", "org"], ["static.crates", "io"], ["files.pythonhosted", "org"]]
            .map(|parts| parts.join("."));
    #[expect(clippy::disallowed_methods, reason = "asks git which files are committed")]
    let output =
        std::process::Command::new("git").args(["ls-files", "-z"]).current_dir(&root).output().expect("git runs");
    assert!(output.status.success(), "git ls-files failed: the gate needs a clone");
    let listed = String::from_utf8(output.stdout).expect("utf-8");
    let mut read = 0;
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        let Ok(text) = std::fs::read_to_string(root.join(name)) else { continue };
        read += 1;
        for host in &hosts {
            assert!(!text.contains(host.as_str()), "{name} names {host}");
        }
    }
    assert!(read > 50, "the gate read {read} files");
}
