//! What the gates over preparations drive: a registered arm, or a preparation that is broken on purpose.

use gg_common::arm::Arm;
use gg_common::folders::CacheRoot;
use gg_common::job::WorkerId;
use gg_worker::WorkerSettings;
use gg_worker::artifacts::{ArtifactSet, Artifacts};
use gg_worker::confine::Settings;
use gg_worker::language::seam::{Ground, PrepareContext, Site, Workspace};
use gg_worker::language::{Module, Prepare, PrepareError, Prepared, language, modules};
use std::path::{Path, PathBuf};

use crate::ground::{is_root, program};

/// What a gate drives.
pub trait Subject: Sync {
    /// Prepares a module, at the read that binds it.
    fn module(&self, context: &mut PrepareContext<'_>, module: &Module) -> Result<(), PrepareError>;

    /// Prepares a program with these modules in scope.
    fn program(
        &self,
        context: &mut PrepareContext<'_>,
        source: &str,
        modules: &[Module],
    ) -> Result<Prepared, PrepareError>;

    /// The entries of the working directory that outlive a preparation.
    fn persistent_work(&self) -> &'static [&'static str] {
        &[]
    }
}

/// A registered arm.
#[derive(Debug)]
pub struct Registered {
    /// Which.
    pub arm: Arm,
    /// Its preparations.
    pub prepare: Box<dyn Prepare>,
}

impl Registered {
    /// The arm as a worker of this machine has it. Panics where its toolchain or its artifacts are missing.
    pub fn new(arm: Arm) -> Registered {
        let root = CacheRoot::from_environment().expect("a cache root");
        let mut places = WorkerSettings::under(&root, WorkerId("gate".into())).places;
        places.warm = 2;
        let prepare = language(arm).open(&artifacts(arm), &places).unwrap_or_else(|error| panic!("{error}"));
        Registered { arm, prepare }
    }
}

impl Subject for Registered {
    fn module(&self, context: &mut PrepareContext<'_>, module: &Module) -> Result<(), PrepareError> {
        modules::module(&*self.prepare, context, module).map(drop)
    }

    fn program(
        &self,
        context: &mut PrepareContext<'_>,
        source: &str,
        modules: &[Module],
    ) -> Result<Prepared, PrepareError> {
        modules::program(&*self.prepare, context, source, modules)
    }

    fn persistent_work(&self) -> &'static [&'static str] {
        self.prepare.persistent_work()
    }
}

/// An arm's artifacts. Panics where they are missing.
pub fn artifacts(arm: Arm) -> ArtifactSet {
    let root = CacheRoot::from_environment().expect("a cache root");
    Artifacts::new(&root.artifacts(), None)
        .find(arm)
        .unwrap_or_else(|error| panic!("{error}; run `make artifacts` or `worker artifacts build --arm {arm}`"))
}

/// One agent, whose preparations a gate makes and looks at.
#[derive(Debug)]
pub struct Agent {
    folder: tempfile::TempDir,
    artifacts: ArtifactSet,
    site: Site,
    owner: Option<(u32, u32)>,
    workspace: Option<Workspace>,
}

impl Agent {
    /// An agent of an arm.
    pub fn new(arm: Arm) -> Agent {
        let folder = tempfile::tempdir().expect("tempdir");
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o711)).expect("mode");
        let children = Settings { helper: Some(program("gg-child")), ..Settings::default() };
        Agent {
            site: Site::new(children, folder.path().join("daemons"), folder.path().join("shared")),
            folder,
            artifacts: artifacts(arm),
            owner: is_root().then_some((63_000, 63_000)),
            workspace: None,
        }
    }

    /// A preparation of a subject.
    pub fn prepare<T>(
        &mut self,
        subject: &dyn Subject,
        prepare: impl FnOnce(&mut PrepareContext<'_>) -> Result<T, PrepareError>,
    ) -> Result<T, PrepareError> {
        let ground = Ground {
            site: &self.site,
            folder: self.folder.path(),
            owner: self.owner,
            artifacts: &self.artifacts,
            objects: None,
        };
        let mut context = PrepareContext::mint(&ground, &mut self.workspace, subject.persistent_work());
        prepare(&mut context)
    }

    /// Its workspace, once it has one.
    pub fn workspace(&self) -> Option<&Workspace> {
        self.workspace.as_ref()
    }

    /// Every file of its workspace.
    pub fn files(&self) -> Vec<PathBuf> {
        self.workspace.as_ref().map(|workspace| files_in(workspace.root())).unwrap_or_default()
    }
}

/// Every file in a folder, at any depth.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
