//! Homes: what a worker keeps for one agent. Its tree, what the last scan of it saw, its executor, its last result.

pub mod disk;
pub mod identity;
pub mod scripts;
pub mod slot;
pub mod tree;
pub mod watch;

use crate::executor::handle::Executor;
use crate::executor::protocol::Assignment;
use crate::language::seam::Workspace;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use gg_common::content::ContentKey;
use gg_common::job::TurnResult;
use gg_common::objects::Objects;
use scripts::Scripts;
use slot::Slot;
use std::collections::HashMap;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tree::{Owner, ScanCache, TreeError, TreeLimits};

/// The folder of the agent's files within a home.
const TREE: &str = "tree";
/// The executor's temporary folder, or the mount point of its private root.
const SCRATCH: &str = "scratch";

/// What a worker keeps for one agent.
#[derive(Debug)]
pub struct Home {
    /// The executor and what it was confined to. It ends before its slot is freed: fields are dropped in this order.
    pub(crate) executor: Option<(Executor, Assignment)>,
    slot: Slot,
    /// The agent's files, opened once: nothing is reached but beneath it.
    dir: Dir,
    cache: ScanCache,
    tree: Option<ContentKey>,
    /// The agent's on-use scripts, prepared.
    pub(crate) scripts: Scripts,
    /// Where the agent's programs are compiled, once one was. Removed before the slot that it lies in.
    pub(crate) workspace: Option<Workspace>,
    /// The sources of the code modules that the agent has in scope.
    pub(crate) modules: HashMap<ContentKey, String>,
    /// The last result, so that a turn that is delivered again is answered and not run again.
    pub(crate) last: Option<TurnResult>,
}

/// Whether a home's tree is taken to be what the last scan left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Belief {
    /// Nothing has run in it since.
    LastScan,
    /// Something has, and what it did is not wanted.
    Nothing,
}

/// A home that cannot be made or put in order.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HomeError {
    /// The file system failed.
    #[error("{action} {} failed: {source}; check the disk and its rights", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The tree could not be stored or restored.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> HomeError {
    let path = path.to_owned();
    move |source| HomeError::Io { action, path, source }
}

impl Home {
    /// An empty home in a slot. Whatever an earlier holder left there is removed.
    pub fn make(slot: Slot) -> Result<Home, HomeError> {
        for name in [TREE, SCRATCH] {
            let folder = slot.folder().join(name);
            slot.make_private(&folder).map_err(failed("making", &folder))?;
        }
        let dir = open(&slot.folder().join(TREE))?;
        Ok(Home {
            executor: None,
            slot,
            dir,
            cache: ScanCache::new(),
            tree: None,
            scripts: Scripts::default(),
            workspace: None,
            modules: HashMap::new(),
            last: None,
        })
    }

    /// The agent's files.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Where the agent's files lie.
    pub fn tree_folder(&self) -> PathBuf {
        self.slot.folder().join(TREE)
    }

    /// What everything of the agent's lies in.
    pub fn folder(&self) -> &Path {
        self.slot.folder()
    }

    /// The executor's temporary folder.
    pub fn scratch_folder(&self) -> PathBuf {
        self.slot.folder().join(SCRATCH)
    }

    /// The user and group that the agent's processes run as; none is the worker's own.
    pub fn owner(&self) -> Option<(u32, u32)> {
        self.slot.owner()
    }

    /// Does something in the tree as the agent's user, so that what is made is theirs and what is not theirs is closed.
    pub fn as_owner<T>(&self, act: impl FnOnce(&Dir) -> T) -> io::Result<T> {
        identity::with_identity(self.owner().map(|(uid, gid)| Owner { uid, gid }), || act(&self.dir))
    }

    /// The tree as it was last stored or restored.
    pub fn tree(&self) -> Option<ContentKey> {
        self.tree
    }

    /// Makes the tree what the key says; nothing is done where it is that already.
    pub fn bring_to(&mut self, tree: Option<ContentKey>, objects: &Objects, believe: Belief) -> Result<(), HomeError> {
        if believe == Belief::LastScan && self.tree == tree {
            return Ok(());
        }
        let folder = self.tree_folder();
        let owner = self.owner().map(|(uid, gid)| Owner { uid, gid });
        // In place: the folder itself stays, since a confined process may hold it.
        match tree {
            Some(key) => {
                let known = std::mem::take(&mut self.cache);
                self.cache = tree::restore_in_place(&key, objects, &folder, &TreeLimits::UNBOUNDED, owner, known)?;
            }
            None => {
                tree::remove_contents(&folder)?;
                self.cache = ScanCache::new();
            }
        }
        self.tree = tree;
        Ok(())
    }

    /// Gives the agent's user the right to enter its own tree, which a command may have taken away: else no executor could
    /// open it.
    pub fn open_up(&self) -> Result<(), HomeError> {
        let folder = self.tree_folder();
        let failed = |source| failed("opening", &folder)(source);
        let metadata = self.dir.dir_metadata().map_err(failed)?;
        let mode = cap_std::fs::PermissionsExt::mode(&metadata.permissions());
        if mode & 0o700 != 0o700 {
            let mode = PermissionsExt::from_mode(mode & 0o777 | 0o700);
            std::fs::set_permissions(&folder, mode).map_err(failed)?;
        }
        Ok(())
    }

    /// Empties the executor's temporary folder where it lies on the disk: what a program left there must not hinder the
    /// next executor.
    pub fn clear_scratch(&self) -> Result<(), HomeError> {
        Ok(tree::remove_contents(&self.scratch_folder())?)
    }

    /// Stores the tree as it stands. Nothing changes where a limit is reached.
    pub fn snapshot(&mut self, objects: &Objects, limits: &TreeLimits) -> Result<ContentKey, TreeError> {
        let snapshot = tree::snapshot(&self.tree_folder(), objects, limits, &mut self.cache)?;
        for skipped in &snapshot.skipped {
            tracing::debug!(path = %skipped.path.display(), "an entry that is no file, directory or link stays out of the tree");
        }
        self.tree = Some(snapshot.key);
        Ok(snapshot.key)
    }
}

fn open(folder: &Path) -> Result<Dir, HomeError> {
    Dir::open_ambient_dir(folder, ambient_authority()).map_err(failed("opening", folder))
}
