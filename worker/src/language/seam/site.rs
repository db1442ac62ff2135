//! What a worker's preparations have in common and no agent owns: how children start, where daemons live, what toolchains
//! share.

use super::shared::SharedDir;
use crate::confine::Settings;
use crate::confine::credentials::DEFAULT_BASE_UID;
use crate::home::slot::SLOTS;
use crate::service::WorkerSettings;
use gg_common::content::ContentKey;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a worker's preparations have in common.
#[derive(Debug, Clone)]
pub struct Site {
    /// How children are started.
    pub children: Settings,
    /// Where the trees of long-lived compilers lie.
    pub daemons: PathBuf,
    /// As root, the user of the first of them; each has one of its own, that no agent has.
    pub daemon_uid: u32,
    /// Where what toolchains share lies.
    pub shared: PathBuf,
    /// What stays free on the disk that workspaces lie on, in bytes; on a small disk a twentieth of it.
    pub disk_reserve_bytes: u64,
    /// Set when the worker ends: what warms up stops.
    ending: Arc<AtomicBool>,
}

impl Site {
    /// A site with the defaults of a worker, and no reserve of disk.
    pub fn new(children: Settings, daemons: PathBuf, shared: PathBuf) -> Site {
        let daemon_uid = first_user(DEFAULT_BASE_UID);
        Site { children, daemons, daemon_uid, shared, disk_reserve_bytes: 0, ending: Arc::default() }
    }

    /// What a worker with these settings has.
    pub(crate) fn of(settings: &WorkerSettings) -> Site {
        Site {
            daemon_uid: first_user(settings.base_uid),
            disk_reserve_bytes: settings.disk_reserve_bytes,
            ..Site::new(settings.children.clone(), settings.daemons.clone(), settings.shared_toolchains.clone())
        }
    }

    /// The directory of a key: made of everything that could change the bytes that are placed there.
    pub fn shared_toolchain_dir(&self, key: &ContentKey) -> io::Result<SharedDir> {
        SharedDir::open(&self.shared, key)
    }

    /// Lets nothing begin any more, and ends what long-lived compilers are asked.
    pub fn close(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }

    /// Whether it was closed.
    pub fn is_closing(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    pub(super) fn ending(&self) -> &AtomicBool {
        &self.ending
    }
}

/// As root, slot `n` of the homes is user `base + n`: the daemons' users come after them.
fn first_user(base_uid: u32) -> u32 {
    base_uid.saturating_add(SLOTS)
}
