//! What there is of this process: its tasks, threads, processes and descriptors, and what lies in a place and is nobody's
//! record. What is there after agents and was not before them was left over.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;

/// What there is, each kind counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Census {
    /// Tasks of the runtime that have not ended.
    pub(super) tasks: usize,
    pub(super) threads: usize,
    /// Children, theirs, and those that ended and were not waited for.
    pub(super) processes: usize,
    pub(super) descriptors: usize,
    /// Files and folders that are no record and no object.
    pub(super) files: usize,
}

/// How long what is ending is waited for.
pub(super) const SETTLES_WITHIN: Duration = Duration::from_secs(15);
const LOOKS_EVERY: Duration = Duration::from_millis(100);

impl Census {
    /// Counts what there is now. From within the runtime.
    pub(super) fn take(place: &Path) -> Census {
        Census {
            tasks: Handle::current().metrics().num_alive_tasks(),
            threads: entries("/proc/self/task"),
            processes: descendants(std::process::id()),
            descriptors: entries("/proc/self/fd"),
            files: strays(place),
        }
    }

    /// The same once it has not changed for a second, and there is a child at least.
    pub(super) async fn at_rest(place: &Path) -> Census {
        let began = Instant::now();
        let (mut last, mut since) = (Census::take(place), Instant::now());
        while began.elapsed() < SETTLES_WITHIN && (since.elapsed() < Duration::from_secs(1) || last.processes == 0) {
            tokio::time::sleep(LOOKS_EVERY).await;
            let now = Census::take(place);
            if now != last {
                (last, since) = (now, Instant::now());
            }
        }
        last
    }

    /// What there is beyond `before`. What is still ending is waited for.
    pub(super) async fn left_over(before: Census, place: &Path, within: Duration) -> Census {
        let began = Instant::now();
        loop {
            let left = Census::take(place).beyond(before);
            if left.total() == 0 || began.elapsed() > within {
                return left;
            }
            tokio::time::sleep(LOOKS_EVERY).await;
        }
    }

    fn beyond(self, before: Census) -> Census {
        Census {
            tasks: self.tasks.saturating_sub(before.tasks),
            threads: self.threads.saturating_sub(before.threads),
            processes: self.processes.saturating_sub(before.processes),
            descriptors: self.descriptors.saturating_sub(before.descriptors),
            files: self.files.saturating_sub(before.files),
        }
    }

    pub(super) fn total(self) -> usize {
        self.tasks + self.threads + self.processes + self.descriptors + self.files
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Census { tasks, threads, processes, descriptors, files } = self;
        write!(
            f,
            "{tasks} tasks, {threads} threads, {processes} processes, {descriptors} descriptors, {files} files and folders"
        )
    }
}

fn entries(folder: &str) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

/// How many processes descend from one.
fn descendants(process: u32) -> usize {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The parent is the second field after the name, which stands in brackets and may hold anything.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(pid);
        }
    }
    let (mut count, mut open) = (0, vec![process]);
    while let Some(next) = open.pop() {
        let theirs = children.remove(&next).unwrap_or_default();
        count += theirs.len();
        open.extend(theirs);
    }
    count
}

/// Everything in homes, and drafts and half-written objects wherever they lie.
fn strays(place: &Path) -> usize {
    let (mut count, mut open) = (0, vec![(place.to_owned(), false)]);
    while let Some((folder, of_a_home)) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            count += usize::from(of_a_home || name.starts_with('.') || name.contains('#'));
            // Not what a link leads to.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push((entry.path(), of_a_home || name == "homes"));
            }
        }
    }
    count
}

/// Memory of this process that is resident, in KiB.
pub(super) fn resident_kib() -> Result<u64, String> {
    let path = "/proc/self/smaps_rollup";
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path} cannot be read: {error}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("Rss:"));
    let kib = line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse().ok());
    kib.ok_or_else(|| format!("{path} has no line of resident memory"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Stdio;

    #[test]
    fn one_of_each_kind_is_seen_and_gone_when_it_ends() {
        let place = tempfile::tempdir().expect("tempdir");
        let homes = place.path().join("homes");
        std::fs::create_dir(&homes).expect("homes");
        let runtime = super::super::runtime().expect("threads");
        runtime.block_on(async {
            let before = Census::take(place.path());
            let mut tasks = tokio::task::JoinSet::new();
            tasks.spawn(std::future::pending::<()>());
            let (wait, waits) = std::sync::mpsc::channel::<()>();
            let thread = std::thread::spawn(move || waits.recv().is_ok());
            #[expect(clippy::disallowed_methods, reason = "a process that is left over")]
            let mut child =
                std::process::Command::new("sleep").arg("100").stdin(Stdio::null()).spawn().expect("a process");
            let file = std::fs::File::open("/dev/null").expect("a descriptor");
            for left in [homes.join("7"), place.path().join("runs/r/programs"), place.path().join("runs/r/.draft")] {
                std::fs::create_dir_all(left).expect("a folder");
            }
            let left = Census::take(place.path()).beyond(before);
            assert_eq!(left, Census { tasks: 1, threads: 1, processes: 1, descriptors: 1, files: 2 });
            assert_eq!(left.total(), 6);
            child.kill().expect("killed");
            assert_eq!(Census::take(place.path()).beyond(before).processes, 1, "it was not waited for");
            child.wait().expect("its end");
            drop((wait, file));
            thread.join().expect("its end");
            tasks.shutdown().await;
            std::fs::remove_dir(homes.join("7")).expect("removed");
            std::fs::remove_dir(place.path().join("runs/r/.draft")).expect("removed");
            assert_eq!(Census::left_over(before, place.path(), SETTLES_WITHIN).await, Census::default());
        });
    }

    #[test]
    fn this_process_is_in_memory() {
        assert!(resident_kib().expect("resident") > 100);
    }
}
