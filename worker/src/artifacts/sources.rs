// The digest of an arm's sources. Shared with the build script, which compiles it in: a worker never runs an artifact that
// is older than its own sources. (No crate documentation here: the build script includes this file as it stands.)

use std::io;
use std::path::{Path, PathBuf};

/// Folder names that hold what a build leaves behind, never a source.
const NOT_SOURCES: &[&str] = &["target", "node_modules", "__pycache__", "dist", ".venv", ".git"];

/// What an arm's artifacts are built from, relative to the repository. A missing path counts as empty.
pub fn inputs(arm: &str) -> Vec<PathBuf> {
    let mut inputs = vec![PathBuf::from(format!("packages/gg-sandbox-{arm}")), PathBuf::from("packages/wit")];
    if arm == "javascript" {
        inputs.push(PathBuf::from("packages/tools"));
        inputs.extend(["lib", "rust", "wasi"].map(|name| PathBuf::from(format!("containers/gg-toolchains/{name}.sh"))));
    }
    if arm == "typescript" {
        // The guest is the JavaScript arm's, and the declarations are of its SDK.
        inputs.extend(["gg-sandbox-javascript", "tools"].map(|name| PathBuf::from(format!("packages/{name}"))));
        let toolchains = ["lib", "rust", "typescript", "wasi"];
        inputs.extend(toolchains.map(|name| PathBuf::from(format!("containers/gg-toolchains/{name}.sh"))));
    }
    if arm == "rust" {
        inputs.push(PathBuf::from("packages/tools"));
        inputs.extend(["lib", "rust"].map(|name| PathBuf::from(format!("containers/gg-toolchains/{name}.sh"))));
    }
    inputs
}

fn collect(root: &Path, relative: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let path = root.join(relative);
    let metadata = match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    if !metadata.is_dir() {
        files.push(relative.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(&path)? {
        let name = entry?.file_name();
        if !NOT_SOURCES.iter().any(|skip| name == *skip) {
            collect(root, &relative.join(name), files)?;
        }
    }
    Ok(())
}

/// The digest of an arm's sources beneath `root`: names and bytes, in the order of the names.
pub fn digest(root: &Path, arm: &str) -> io::Result<blake3::Hash> {
    let mut files = Vec::new();
    for input in inputs(arm) {
        collect(root, &input, &mut files)?;
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let bytes = std::fs::read(root.join(&file))?;
        let name = file.to_string_lossy();
        for part in [name.as_bytes(), &bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    Ok(hasher.finalize())
}
