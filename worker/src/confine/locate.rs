//! Where the helpers lie: binaries of ours that are started beside the worker.

use std::path::{Path, PathBuf};

/// The helper that confines children, by its file's name.
pub const HELPER: &str = "gg-child";

/// The helper that reads and rewrites programs' sources, confined, by its file's name.
pub const SOURCE: &str = "gg-source";

/// A helper beside a program, or one folder up (programs of a test run lie in `deps/`).
pub fn beside(program: &Path, name: &'static str) -> Result<PathBuf, HelperMissing> {
    let folder = program.parent().unwrap_or(Path::new("/"));
    let places: Vec<PathBuf> = [Some(folder), folder.parent()].into_iter().flatten().map(|f| f.join(name)).collect();
    places.iter().find(|place| place.is_file()).cloned().ok_or(HelperMissing { name, places })
}

/// A helper beside the program that runs.
pub fn find(name: &'static str) -> Result<PathBuf, HelperMissing> {
    match std::env::current_exe() {
        Ok(program) => beside(&program, name),
        Err(_) => Err(HelperMissing { name, places: Vec::new() }),
    }
}

/// The helper that confines children, beside the program that runs.
pub fn helper() -> Result<PathBuf, HelperMissing> {
    find(HELPER)
}

/// There is no helper.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the helper {name} is missing (looked for: {}): build it with `cargo build --workspace --bins`, or install it beside the \
     worker{}",
    list(places),
    if *name == HELPER { ", or name it in the settings" } else { "" }
)]
pub struct HelperMissing {
    /// The helper, by its file's name.
    pub name: &'static str,
    /// Where it was looked for.
    pub places: Vec<PathBuf>,
}

fn list(places: &[PathBuf]) -> String {
    places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_helper_is_found_beside_the_program_or_one_folder_up_else_the_error_says_how_to_build_it() {
        let folder = tempfile::tempdir().expect("folder");
        let deps = folder.path().join("deps");
        std::fs::create_dir(&deps).expect("deps");
        for name in [HELPER, SOURCE] {
            let error = beside(&deps.join("test-1"), name).expect_err("missing").to_string();
            assert!(error.contains("cargo build --workspace --bins"), "{error}");
            assert!(error.contains(&format!("deps/{name}")), "{error}");
            std::fs::write(folder.path().join(name), "").expect("helper");
            assert_eq!(beside(&deps.join("test-1"), name), Ok(folder.path().join(name)));
            assert_eq!(beside(&folder.path().join("worker"), name), Ok(folder.path().join(name)));
        }
    }
}
