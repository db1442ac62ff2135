//! Building a set from the sources beside the worker, by the arm's own `build.sh`.

use super::{ArtifactError, ArtifactSet, Artifacts, SOURCES, failed, set, sources};
use gg_common::arm::Arm;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Where the sources are looked for before the folder that the worker was built in.
pub const SOURCES_VARIABLE: &str = "GG_FARM_SOURCES";

/// The sources of an arm, the very ones whose digest was compiled in.
#[derive(Debug, Clone)]
pub struct Sources {
    root: PathBuf,
}

impl Sources {
    /// Finds them, or says why they cannot be used.
    pub fn find(arm: Arm) -> Result<Sources, String> {
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned);
        let root = std::env::var_os(SOURCES_VARIABLE).map(PathBuf::from).or(built_in).unwrap_or_default();
        let script = root.join(format!("packages/gg-sandbox-{arm}/build.sh"));
        if !script.exists() {
            return Err(format!(
                "the sources are not here: {} does not exist; run it where they are, or set {SOURCES_VARIABLE}",
                script.display()
            ));
        }
        let found = sources::digest(&root, arm.id()).map_err(|e| format!("the sources cannot be read: {e}"))?;
        let wanted = SOURCES.iter().find(|(id, _)| *id == arm.id()).map_or("", |(_, digest)| digest);
        if found.to_hex().as_str() != wanted {
            return Err(format!(
                "the sources in {} have changed since this worker was built: build the worker again",
                root.display()
            ));
        }
        Ok(Sources { root })
    }
}

/// Builds a set and places it. One process builds an arm at a time; who waited finds it built.
pub fn build(artifacts: &Artifacts, arm: Arm, from: &Sources) -> Result<ArtifactSet, ArtifactError> {
    let folder = artifacts.folder(arm);
    let staged = set::stage(&folder)?;
    let lock_path = folder.with_file_name(".building");
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&lock_path)
        .map_err(failed("opening", &lock_path))?;
    if lock.try_lock().is_err() {
        tracing::info!(%arm, "another process builds these artifacts: waiting for it");
        lock.lock().map_err(failed("locking", &lock_path))?;
        if let Ok(Some(set)) = artifacts.on_disk(arm) {
            return Ok(set);
        }
    }
    let script = from.root.join(format!("packages/gg-sandbox-{arm}/build.sh"));
    tracing::info!(%arm, script = %script.display(), "building artifacts");
    let started = Instant::now();
    #[expect(clippy::disallowed_methods, reason = "the operator's own build, before any program is there")]
    let mut command = std::process::Command::new("bash");
    let status = command
        .arg(&script)
        .arg(staged.path())
        .stdin(std::process::Stdio::null())
        // Standard output is the caller's to print results on.
        .stdout(std::io::stderr())
        .status()
        .map_err(failed("starting", &script))?;
    if !status.success() {
        return Err(ArtifactError::Build {
            arm,
            message: format!("{} ended with {status}; what it printed above says what is missing", script.display()),
        });
    }
    let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    set::seal(staged.path(), arm, took)?;
    set::place(staged, &folder)?;
    ArtifactSet::read(arm, &folder)
}
