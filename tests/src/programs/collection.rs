//! Finding the programs of an arm and what stands beside them.

use super::Expectation;
use gg_common::arm::Arm;
use gg_common::config::read_toml;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const EXPECT: &str = ".expect.toml";

/// One program of a collection.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file's name without extensions.
    pub name: String,
    /// What it is run with and what must come of it.
    pub expectation: Expectation,
    /// Its bytes.
    pub source: Vec<u8>,
    /// The expect file.
    pub expect_path: PathBuf,
}

/// The programs of an arm.
#[derive(Debug)]
pub struct Collection {
    /// The arm.
    pub arm: Arm,
    /// By name.
    pub programs: Vec<Program>,
    /// The folder of the trees that they start from.
    pub trees: PathBuf,
    /// What is wrong with the collection itself: files without a counterpart, files that do not read.
    pub problems: Vec<String>,
}

/// Whether a program without an expect file is a problem, or one is about to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    Problem,
    Filled,
}

impl Collection {
    /// Reads `folder/ARM`, with the trees in `folder/trees`.
    pub fn read(folder: &Path, arm: Arm) -> Collection {
        let missing = if super::bless::is_asked() { Missing::Filled } else { Missing::Problem };
        Collection::read_as(folder, arm, missing)
    }

    pub(super) fn read_as(folder: &Path, arm: Arm, missing: Missing) -> Collection {
        let of_arm = folder.join(arm.id());
        let extension = Path::new(arm.program_name()).extension().and_then(|e| e.to_str()).unwrap_or_default();
        let mut collection =
            Collection { arm, programs: Vec::new(), trees: folder.join("trees"), problems: Vec::new() };
        let (mut sources, mut expects) = (BTreeSet::new(), BTreeSet::new());
        for name in names(&of_arm) {
            if let Some(stem) = name.strip_suffix(EXPECT) {
                expects.insert(stem.to_owned());
            } else if let Some(stem) = name.strip_suffix(&format!(".{extension}")) {
                sources.insert(stem.to_owned());
            } else {
                collection
                    .problems
                    .push(format!("{arm}/{name}: is neither a .{extension} program nor a {EXPECT} file"));
            }
        }
        for name in expects.difference(&sources) {
            collection.problems.push(format!("{arm}/{name}{EXPECT}: there is no {name}.{extension} beside it"));
        }
        for name in sources {
            let expect_path = of_arm.join(format!("{name}{EXPECT}"));
            let expectation = if expects.contains(&name) {
                read_toml::<Expectation>(&expect_path).map_err(|e| e.to_string())
            } else if missing == Missing::Filled {
                Ok(Expectation::default())
            } else {
                Err(format!("{arm}/{name}.{extension}: there is no {name}{EXPECT} beside it"))
            };
            let source = std::fs::read(of_arm.join(format!("{name}.{extension}"))).map_err(|e| format!("{name}: {e}"));
            match (expectation, source) {
                (Ok(expectation), Ok(source)) => {
                    if let (Some(problem), Missing::Problem) = (expectation.problem(), missing) {
                        collection.problems.push(format!("{arm}/{name}{EXPECT}: {problem}"));
                    }
                    collection.programs.push(Program { name, expectation, source, expect_path });
                }
                (Err(problem), _) | (_, Err(problem)) => collection.problems.push(problem),
            }
        }
        collection
    }
}

impl Program {
    /// The program's bytes, repeated where its expectation asks for it.
    pub fn bytes(&self) -> Vec<u8> {
        match self.expectation.repeated_to_bytes {
            Some(length) => self.source.iter().copied().cycle().take(length).collect(),
            None => self.source.clone(),
        }
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_counterpart_or_states_too_little_is_named() {
        let folder = tempfile::tempdir().expect("folder");
        let python = folder.path().join("python");
        std::fs::create_dir(&python).expect("folder");
        let write = |name: &str, text: &str| std::fs::write(python.join(name), text).expect("write");
        write("good.py", "print(1)");
        write("good.expect.toml", "outcome = \"completed\"\nlog = \"1\\n\"\n");
        write("alone.py", "print(1)");
        write("orphan.expect.toml", "outcome = \"completed\"\n");
        write("vague.py", "1/0");
        write("vague.expect.toml", "outcome = \"failed\"\nerrorType = \"program_error\"\n");
        write("misspelt.py", "1/0");
        write("misspelt.expect.toml", "outcome = \"completed\"\nlogg = \"1\"\n");
        write("notes.txt", "");
        let collection = Collection::read_as(folder.path(), Arm::Python, Missing::Problem);
        let all = collection.problems.join("\n");
        for part in [
            "alone.py: there is no alone.expect.toml beside it",
            "orphan.expect.toml: there is no orphan.py beside it",
            "vague.expect.toml: it states neither errorText nor errorTextContains",
            "logg",
            "notes.txt: is neither",
        ] {
            assert!(all.contains(part), "{part} is not in:\n{all}");
        }
        assert_eq!(collection.problems.len(), 5, "{all}");
    }
}
