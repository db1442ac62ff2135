//! Where confined children are tried: a folder with a tree and the helper, for a worker that is root and for one that is an
//! ordinary user, with and without namespaces.
#![allow(dead_code, reason = "each test binary uses its part")]

use gg_worker::confine::credentials::SlotIds;
use gg_worker::confine::{Bounds, ConfineError, Job, Mount, MountAccess, Namespaces, Report, Settings, run};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Who the worker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worker {
    Root,
    User,
}

/// A way in which jobs are held.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    pub worker: Worker,
    pub namespaces: Namespaces,
    pub landlock_abi: Option<u8>,
}

const fn way(worker: Worker, namespaces: Namespaces, landlock_abi: Option<u8>) -> Way {
    Way { worker, namespaces, landlock_abi }
}

/// One of each kind, with the kernel's own Landlock.
const KINDS: [Way; 3] = [
    way(Worker::Root, Namespaces::WherePossible, None),
    way(Worker::Root, Namespaces::Never, None),
    way(Worker::User, Namespaces::WherePossible, None),
];

/// The kinds that can be tried here: an ordinary user cannot be root.
pub fn kinds() -> Vec<Way> {
    possible(&KINDS)
}

/// Every way that is meant to hold: with namespaces at any Landlock, without them at ABI 6.
pub fn ways_that_hold() -> Vec<Way> {
    let mut ways = vec![way(Worker::Root, Namespaces::Never, Some(6))];
    for worker in [Worker::Root, Worker::User] {
        for abi in [0, 2, 4, 6] {
            ways.push(way(worker, Namespaces::WherePossible, Some(abi)));
        }
    }
    possible(&ways)
}

fn possible(ways: &[Way]) -> Vec<Way> {
    ways.iter().copied().filter(|way| is_root() || way.worker == Worker::User).collect()
}

pub fn is_root() -> bool {
    SlotIds::current().uid == 0
}

/// A folder that a job is run in.
pub struct Ground {
    pub folder: tempfile::TempDir,
    pub way: Way,
    /// Whose the job is: nobody else's, so that what is left of it can be told from everything else.
    pub ids: SlotIds,
    pub settings: Settings,
}

impl Ground {
    pub fn new(way: Way, helper: &Path) -> Ground {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = std::process::id().wrapping_mul(64).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let ids = if is_root() { SlotIds::of(100_000, number % 1_000_000) } else { SlotIds::current() };
        let folder = tempfile::Builder::new().prefix("gg-confine").tempdir_in("/tmp").expect("folder");
        let open = |path: &Path| std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("mode");
        open(folder.path());
        // The folders above the build's are often closed to others.
        let copy = folder.path().join("gg-child");
        if std::fs::hard_link(helper, &copy).is_err() {
            std::fs::copy(helper, &copy).expect("the helper: build it with `cargo build -p gg-worker`");
        }
        let mut program = copy.clone();
        if way.worker == Worker::User && is_root() {
            program = folder.path().join("as-user");
            let SlotIds { uid, gid } = ids;
            let script =
                format!("#!/bin/sh\nexec setpriv --reuid {uid} --regid {gid} --clear-groups {}\n", copy.display());
            std::fs::write(&program, script).expect("script");
            open(&program);
        }
        for name in ["tree", "scratch"] {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).expect("folder");
            chown(&path, Some(ids.uid), Some(ids.gid)).expect("owner");
        }
        let settings = Settings {
            helper: Some(program),
            namespaces: way.namespaces,
            landlock_abi: way.landlock_abi,
            ..Settings::default()
        };
        Ground { folder, way, ids, settings }
    }

    pub fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    pub fn scratch(&self) -> PathBuf {
        self.folder.path().join("scratch")
    }

    /// A job of bash in the tree.
    pub fn bash(&self, script: &str) -> Job {
        let mut job = Job::new("/bin/bash", self.ids, bounds()).args(["-c", script]);
        job.mounts.push(Mount { source: self.tree(), target: "/work".into(), access: MountAccess::ReadWrite });
        job.cwd = "/work".into();
        job.scratch = Some(self.scratch());
        job
    }

    pub fn try_run(&self, job: &Job) -> Result<Report, ConfineError> {
        run(&self.settings, job, None, None)
    }

    pub fn run(&self, job: &Job) -> Report {
        self.try_run(job).unwrap_or_else(|error| panic!("{:?}: {error}", self.way))
    }

    /// The processes of the job's user.
    pub fn processes(&self) -> Vec<i32> {
        processes_of(self.ids.uid)
    }

    pub fn assert_nothing_is_left(&self) {
        // An ordinary user's tests run among that user's other processes.
        if is_root() {
            assert_eq!(self.processes(), [] as [i32; 0], "{:?}", self.way);
        }
    }
}

pub fn bounds() -> Bounds {
    Bounds {
        memory_bytes: 512 << 20,
        process_memory_bytes: None,
        processes: 64,
        file_bytes: 64 << 20,
        open_files: 256,
        temp_bytes: 4 << 20,
        temp_entries: 100,
    }
}

pub fn processes_of(uid: u32) -> Vec<i32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("/proc").flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(status) = std::fs::read_to_string(entry.path().join("status")) else { continue };
        let real = status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().next()?.parse().ok());
        if real == Some(uid) {
            found.push(pid);
        }
    }
    found
}

/// Waits for something that must come true.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("never: {what}");
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Owner and mode of a file, to see that nobody changed them.
pub fn stamp(path: &Path) -> (u32, u32, u64, i64) {
    let meta = std::fs::symlink_metadata(path).expect("file");
    (meta.mode(), meta.uid(), meta.size(), meta.mtime())
}
