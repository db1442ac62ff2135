//! Where this machine's state lies: one cache root, with a folder a purpose.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The environment variable that names the cache root.
pub const HOME_VARIABLE: &str = "GG_FARM_HOME";

/// There is no place for state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no folder for gg-farm's state, since neither {HOME_VARIABLE}, XDG_DATA_HOME nor HOME is set: set {HOME_VARIABLE} to one"
)]
pub struct NoCacheRoot;

/// Where this machine's state lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheRoot(pub PathBuf);

impl CacheRoot {
    /// The root that the environment names: `$GG_FARM_HOME`, else `gg-farm` under `$XDG_DATA_HOME`, else under
    /// `$HOME/.local/share`.
    pub fn from_environment() -> Result<CacheRoot, NoCacheRoot> {
        CacheRoot::from_variables(|name| std::env::var_os(name))
    }

    /// The root that these variables name. Empty ones count as unset, as does a relative `XDG_DATA_HOME`.
    pub fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Result<CacheRoot, NoCacheRoot> {
        let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(root) = set(HOME_VARIABLE) {
            return Ok(CacheRoot(root));
        }
        let data = set("XDG_DATA_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| set("HOME").map(|home| home.join(".local/share")))
            .ok_or(NoCacheRoot)?;
        Ok(CacheRoot(data.join("gg-farm")))
    }

    /// Objects and action records.
    pub fn objects(&self) -> PathBuf {
        self.0.join("objects")
    }

    /// Memories that outlive their runs, a file a store.
    pub fn memories(&self) -> PathBuf {
        self.0.join("memories")
    }

    /// Compilers that the installers of `containers/gg-toolchains` put here.
    pub fn toolchains(&self) -> PathBuf {
        self.0.join("toolchains")
    }

    /// What toolchains share and no preparation changes, a folder a key.
    pub fn shared_toolchains(&self) -> PathBuf {
        self.0.join("shared-toolchains")
    }

    /// Trees of long-lived compilers.
    pub fn daemons(&self) -> PathBuf {
        self.0.join("daemons")
    }

    /// Homes of agents.
    pub fn homes(&self) -> PathBuf {
        self.0.join("homes")
    }

    /// The file that lists where runs were ever recorded, a path a line: what their logs refer to is kept.
    pub fn runs_folders_file(&self) -> PathBuf {
        self.0.join("runs-folders")
    }

    /// Every folder in which runs were ever recorded.
    pub fn runs_folders(&self) -> Vec<PathBuf> {
        let text = std::fs::read_to_string(self.runs_folders_file()).unwrap_or_default();
        text.lines().map(PathBuf::from).collect()
    }

    /// Adds a folder in which runs are recorded. Its objects lie here, so nobody may remove them who does not know of it.
    pub fn add_runs_folder(&self, runs: &Path) -> std::io::Result<()> {
        let runs = std::path::absolute(runs)?;
        if self.runs_folders().contains(&runs) {
            return Ok(());
        }
        std::fs::create_dir_all(&self.0)?;
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(self.runs_folders_file())?;
        // One write, so that two processes' lines do not mix.
        file.write_all(format!("{}\n", runs.display()).as_bytes())?;
        file.sync_all()
    }

    /// What benchmarks measure with, beside what it stands for. Each removes its own.
    pub fn bench(&self) -> PathBuf {
        self.0.join("bench")
    }

    /// What arms need on disk.
    pub fn artifacts(&self) -> PathBuf {
        self.0.join("artifacts")
    }

    /// The engine's native form of guests, which only the user may write.
    pub fn precompiled(&self) -> PathBuf {
        self.0.join("precompiled")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_variable_names_the_root() {
        let root = |variables: &[(&str, &str)]| {
            let variables = variables.to_vec();
            CacheRoot::from_variables(|name| {
                variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
            })
            .map(|root| root.0.display().to_string())
        };
        let all = [("GG_FARM_HOME", "/gg"), ("XDG_DATA_HOME", "/data"), ("HOME", "/home/u")];
        assert_eq!(root(&all).as_deref(), Ok("/gg"));
        assert_eq!(root(&all[1..]).as_deref(), Ok("/data/gg-farm"));
        assert_eq!(root(&all[2..]).as_deref(), Ok("/home/u/.local/share/gg-farm"));
        assert_eq!(
            root(&[("GG_FARM_HOME", ""), ("XDG_DATA_HOME", "rel"), ("HOME", "/h")]).as_deref(),
            Ok("/h/.local/share/gg-farm")
        );
        assert_eq!(root(&[]), Err(NoCacheRoot));
    }
}
