//! Where preparations are tried without a worker: a site of its own, and agents with a workspace each.

use crate::ground::{is_root, program};
use crate::subject::artifacts;
use gg_common::arm::Arm;
use gg_worker::artifacts::ArtifactSet;
use gg_worker::confine::{Namespaces, Settings};
use gg_worker::language::CompileCost;
use gg_worker::language::seam::{DaemonPlan, Ground, PrepareContext, Site, Workspace, daemon};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A site, and a folder for agents.
#[derive(Debug)]
pub struct Yard {
    folder: tempfile::TempDir,
    /// What preparations have in common.
    pub site: Site,
    artifacts: ArtifactSet,
    agents: AtomicU32,
    first_user: u32,
}

/// One agent.
#[derive(Debug)]
pub struct Agent<'a> {
    yard: &'a Yard,
    folder: PathBuf,
    owner: Option<(u32, u32)>,
    /// Its workspace, once it had one.
    pub workspace: Option<Workspace>,
}

impl Yard {
    /// A yard in which children are held as a worker holds them.
    pub fn new() -> Yard {
        Yard::held(Namespaces::WherePossible)
    }

    /// A yard with namespaces or without.
    pub fn held(namespaces: Namespaces) -> Yard {
        Yard::named("gg-yard", namespaces)
    }

    /// A yard whose folder's name begins so.
    pub fn named(name: &str, namespaces: Namespaces) -> Yard {
        let folder = tempfile::Builder::new().prefix(name).tempdir().expect("tempdir");
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o711)).expect("mode");
        let children = Settings { helper: Some(program("gg-child")), namespaces, ..Settings::default() };
        let mut site = Site::new(children, folder.path().join("daemons"), folder.path().join("shared"));
        // Users that no other test has, so that what is left of them can be told.
        let first_user = 1_000_000 + std::process::id().wrapping_mul(200) % 1_000_000_000;
        site.daemon_uid = first_user + 100;
        let artifacts = artifacts(Arm::Javascript);
        Yard { folder, site, artifacts, agents: AtomicU32::new(0), first_user }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A new agent, as root with a user of its own.
    pub fn agent(&self) -> Agent<'_> {
        let number = self.agents.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.path().join(format!("agent-{number}"));
        std::fs::create_dir(&folder).expect("a folder");
        let owner = is_root().then_some((self.first_user + number, self.first_user + number));
        Agent { yard: self, folder, owner, workspace: None }
    }

    /// The users of its agents and daemons that have a process.
    pub fn users_at_work(&self) -> Vec<u32> {
        let users = self.first_user..self.first_user + 200;
        let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
        let status = processes.filter_map(|entry| std::fs::read_to_string(entry.path().join("status")).ok());
        let uid = |status: String| {
            let line = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
            line.split_whitespace().next()?.parse::<u32>().ok()
        };
        status.filter_map(uid).filter(|uid| users.contains(uid)).collect()
    }

    /// The trees of daemons that are there.
    pub fn daemon_trees(&self) -> usize {
        std::fs::read_dir(&self.site.daemons).map_or(0, Iterator::count)
    }

    /// Holds that nothing of any compiler runs or lies about. What an ordinary user's compilers leave running cannot be
    /// told from what else that user runs.
    pub fn assert_nothing_is_left(&self) {
        if is_root() {
            assert_eq!(self.users_at_work(), [] as [u32; 0]);
        }
        assert_eq!(self.daemon_trees(), 0);
    }
}

impl Default for Yard {
    fn default() -> Yard {
        Yard::new()
    }
}

impl Agent<'_> {
    /// One preparation.
    pub fn prepare<T>(&mut self, work: impl FnOnce(&mut PrepareContext<'_>) -> T) -> (T, CompileCost) {
        let yard = self.yard;
        let ground = Ground {
            site: &yard.site,
            folder: &self.folder,
            owner: self.owner,
            artifacts: &yard.artifacts,
            objects: None,
        };
        let mut context = PrepareContext::mint(&ground, &mut self.workspace, &[]);
        let done = work(&mut context);
        (done, context.cost())
    }
}

/// Programs of this crate where every user reaches them: the folders above the build's are often closed to others, and not
/// every child has a root of its own.
static REACHABLE: OnceLock<tempfile::TempDir> = OnceLock::new();

extern "C" fn remove_reachable() {
    if let Some(folder) = REACHABLE.get() {
        let _ = std::fs::remove_dir_all(folder.path());
    }
}

/// A program of this crate where every user reaches it.
pub fn reachable(name: &str) -> PathBuf {
    let folder = REACHABLE.get_or_init(|| {
        // Not beneath /tmp, where children have a folder of their own.
        let folder = tempfile::Builder::new().prefix("gg-programs").tempdir_in("/var/tmp").expect("tempdir");
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).expect("mode");
        // What is static is not dropped.
        // SAFETY: the function is there until the process ends, and touches nothing that may be gone by then.
        unsafe { libc::atexit(remove_reachable) };
        folder
    });
    let place = folder.path().join(name);
    if !place.exists() {
        crate::ground::place(&program(name), &place);
    }
    place
}

/// The long-lived compiler of the tests.
pub fn echo_compiler() -> DaemonPlan {
    let program = reachable("echo-compiler");
    daemon(&program).reads(&program)
}
