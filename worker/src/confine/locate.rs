//! Where the helper `gg-child` lies.

use super::Settings;
use std::path::{Path, PathBuf};

/// The helper's file name.
pub const HELPER: &str = "gg-child";

/// The helper beside a program, or one folder up (programs of a test run lie in `deps/`).
pub fn helper_beside(program: &Path) -> Result<PathBuf, HelperMissing> {
    let folder = program.parent().unwrap_or(Path::new("/"));
    let places: Vec<PathBuf> = [Some(folder), folder.parent()].into_iter().flatten().map(|f| f.join(HELPER)).collect();
    places.iter().find(|place| place.is_file()).cloned().ok_or(HelperMissing { places })
}

/// The helper beside the program that runs.
pub fn helper() -> Result<PathBuf, HelperMissing> {
    match std::env::current_exe() {
        Ok(program) => helper_beside(&program),
        Err(_) => Err(HelperMissing { places: Vec::new() }),
    }
}

/// What reads and rewrites sources, by its file's name.
pub const SOURCE_TOOL: &str = "gg-source";

/// What reads and rewrites sources: it lies beside the helper.
pub fn source_tool(settings: &Settings) -> Result<PathBuf, SourceToolMissing> {
    let helper = match &settings.helper {
        Some(helper) => Some(helper.clone()),
        None => helper().ok(),
    };
    let place = helper.map(|helper| helper.with_file_name(SOURCE_TOOL));
    match place {
        Some(place) if place.is_file() => Ok(place),
        place => Err(SourceToolMissing { place }),
    }
}

/// The reader of sources is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{SOURCE_TOOL} is missing (looked for: {}): build it with `cargo build --workspace --bins`, or install it beside the worker",
    place.as_ref().map_or_else(|| "beside the helper, which is missing too".to_owned(), |place| place.display().to_string())
)]
pub struct SourceToolMissing {
    /// Where it was looked for.
    pub place: Option<PathBuf>,
}

/// There is no helper.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the helper {HELPER} is missing (looked for: {}): build it with `cargo build -p gg-worker`, install it beside the worker, \
     or name it in the settings",
    list(places)
)]
pub struct HelperMissing {
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
        let error = helper_beside(&deps.join("test-1")).expect_err("missing").to_string();
        assert!(error.contains("cargo build -p gg-worker") && error.contains("deps/gg-child"), "{error}");
        std::fs::write(folder.path().join(HELPER), "").expect("helper");
        assert_eq!(helper_beside(&deps.join("test-1")), Ok(folder.path().join(HELPER)));
        assert_eq!(helper_beside(&folder.path().join("worker")), Ok(folder.path().join(HELPER)));
    }
}
