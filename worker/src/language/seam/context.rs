//! What a preparation is handed: minted for it by the worker, and by nothing else.

use super::compile::Compiler;
use super::pool::{CompilerPool, Lent};
use super::shared::SharedDir;
use super::site::Site;
use super::workspace::Workspace;
use crate::artifacts::ArtifactSet;
use crate::confine::locate::source_tool;
use crate::language::prepared::{CompileCost, PrepareError, ToolchainEnd, ToolchainFailure};
use gg_common::content::ContentKey;
use gg_common::objects::Objects;
use gg_source::exports::Export;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a worker mints contexts from, for one agent.
#[derive(Debug)]
pub struct Ground<'a> {
    /// What is the worker's.
    pub site: &'a Site,
    /// The folder that the agent's workspace is made in.
    pub folder: &'a Path,
    /// The user of the agent's processes, where the worker is root.
    pub owner: Option<(u32, u32)>,
    /// What the arm has on disk.
    pub artifacts: &'a ArtifactSet,
    /// Where builds of modules are fetched from and stored; none builds each here.
    pub objects: Option<&'a Objects>,
}

/// Whether a compiler had compiled before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It was a process of its own, or this is an instance's first.
    Cold,
    /// It had.
    Warm,
}

/// How long it may take to read what a module offers.
const READ_WITHIN: Duration = Duration::from_secs(10);

/// The ground of one preparation.
#[derive(Debug)]
pub struct PrepareContext<'a> {
    pub(in crate::language) ground: &'a Ground<'a>,
    workspace: &'a mut Option<Workspace>,
    persistent: &'static [&'static str],
    /// Whether this preparation has its workspace.
    begun: bool,
    /// Whether what a module offers could not be read.
    pub(in crate::language) is_undocumented: bool,
    pub(super) cost: CompileCost,
}

impl<'a> PrepareContext<'a> {
    /// The context of one preparation of an agent, whose workspace is made when it is first asked for. `persistent` are
    /// the entries that the language declares.
    pub fn mint(
        ground: &'a Ground<'a>,
        workspace: &'a mut Option<Workspace>,
        persistent: &'static [&'static str],
    ) -> PrepareContext<'a> {
        PrepareContext {
            ground,
            workspace,
            persistent,
            begun: false,
            is_undocumented: false,
            cost: CompileCost::default(),
        }
    }

    /// Somewhere to put files while compiling, cleared of what the preparation before left.
    pub fn workspace(&mut self) -> Result<&mut Workspace, PrepareError> {
        let failed =
            |error: io::Error| not_started("the compile workspace", format!("it cannot be made ready: {error}"));
        let (folder, owner) = (self.ground.folder, self.ground.owner);
        let workspace = match &mut *self.workspace {
            Some(workspace) => workspace,
            none => none.insert(Workspace::create(folder, owner).map_err(failed)?),
        };
        if !self.begun {
            workspace.begin(self.persistent).map_err(failed)?;
            self.begun = true;
        }
        Ok(workspace)
    }

    /// Writes a source to where the compiler runs, for the compiler of this name.
    pub fn write_source(&mut self, compiler: &str, name: &str, source: &str) -> Result<(), PrepareError> {
        let written = self.workspace()?.write(name, source.as_bytes());
        written.map_err(|error| not_started(compiler, format!("{name} cannot be written: {error}")))
    }

    /// Removes what this preparation put where the compiler runs, but for the two bands.
    pub(in crate::language) fn clear_work(&mut self) -> Result<(), PrepareError> {
        let persistent = self.persistent;
        let cleared = self.workspace()?.clear(persistent);
        cleared.map_err(|error| not_started("the compile workspace", format!("it cannot be cleared: {error}")))
    }

    /// A file of the arm's artifacts.
    pub fn artifact(&self, name: &str) -> PathBuf {
        self.ground.artifacts.path(name)
    }

    /// The folder that a module's build is to be put in, empty.
    pub fn open_module(&mut self, key: &str) -> Result<PathBuf, PrepareError> {
        let opened = self.workspace()?.open_module(key);
        opened.map_err(|error| not_started("the compile workspace", format!("the module {key} has no folder: {error}")))
    }

    /// Our own reader and writer of sources.
    pub fn source_tool(&self) -> Result<PathBuf, PrepareError> {
        source_tool(&self.ground.site.children).map_err(|error| not_started("gg-source", error.to_string()))
    }

    /// What a source file of the workspace offers, read by the grammar of its language. A source that its reader does not
    /// come to an end with is a module without documentation, and no failure.
    pub fn exports(&mut self, language: &str, file: &Path) -> Result<Vec<Export>, PrepareError> {
        let tool =
            source_tool(&self.ground.site.children).map_err(|error| not_started("gg-source", error.to_string()))?;
        let reader = self.compiler(&tool).reads(&tool).arg("exports").arg(language).arg(file).timeout(READ_WITHIN);
        let read = match reader.run_uncharged() {
            Err(PrepareError::Toolchain(failure)) if failure.end.is_death() => Err(failure.to_string()),
            read => serde_json::from_slice(&read?.stdout).map_err(|error| error.to_string()),
        };
        Ok(read.unwrap_or_else(|error: String| {
            self.is_undocumented = true;
            tracing::warn!(error, file = %file.display(), "what a module offers could not be read; it has no documentation");
            Vec::new()
        }))
    }

    /// A run of a compiler in the workspace, confined.
    pub fn compiler(&mut self, program: &Path) -> Compiler<'_, 'a> {
        Compiler::new(self, program)
    }

    /// A warm compiler, lent until it is dropped: waited for where none is free. A preparation holds one of a pool at a time.
    pub fn checkout<'p>(&mut self, pool: &'p CompilerPool) -> Result<Lent<'p>, PrepareError>
    where
        'a: 'p,
    {
        let (lent, waited) = pool.checkout(self.ground.site);
        self.cost.pool_wait += waited;
        lent
    }

    /// The directory of what is too big to unpack for each preparation, the same for all.
    pub fn shared_toolchain_dir(&self, key: &ContentKey) -> io::Result<SharedDir> {
        self.ground.site.shared_toolchain_dir(key)
    }

    /// What compiling cost so far, but for the wall time, which whoever minted the context takes.
    pub fn cost(&self) -> CompileCost {
        self.cost
    }

    /// Notes a module's build that was fetched, and what making it had cost.
    pub(in crate::language) fn charge_fetch(&mut self, had_cost: Duration) {
        self.cost.fetched += 1;
        self.cost.fetched_cost += had_cost;
    }

    /// Adds what a compiler used.
    pub(super) fn charge(&mut self, cpu: Duration, state: State) {
        self.cost.cpu += cpu;
        match state {
            State::Cold => self.cost.cold += 1,
            State::Warm => self.cost.warm += 1,
        }
    }
}

/// The farm's failure before a compiler ran.
pub(crate) fn not_started(compiler: &str, reason: String) -> PrepareError {
    PrepareError::Toolchain(ToolchainFailure {
        compiler: compiler.to_owned(),
        end: ToolchainEnd::NotStarted,
        tail: reason,
        suspect: None,
    })
}
