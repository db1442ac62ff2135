//! What a tree of processes uses, read from `/proc`.

use std::collections::HashMap;
use std::fs;

/// What the processes beneath one use together, itself apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Usage {
    /// Resident memory that is theirs: anonymous and shared pages, not those of files.
    pub memory_bytes: u64,
    /// Processes and threads.
    pub threads: u64,
}

/// Measures the processes beneath `root`. Those that come and go meanwhile may be missed.
pub(super) fn usage_beneath(root: libc::pid_t) -> Usage {
    let mut usage = Usage::default();
    for pid in beneath(root) {
        let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) else { continue };
        usage.memory_bytes += 1024 * (number(&status, "RssAnon:") + number(&status, "RssShmem:"));
        usage.threads += number(&status, "Threads:");
    }
    usage
}

/// The size and the blocks of each file on the device that these processes hold open and that has no name any more.
pub fn nameless_files(processes: &[libc::pid_t], device: u64) -> Vec<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let mut found = HashMap::new();
    for pid in processes {
        // A process that is gone, or that is not ours to look at, shows nothing.
        for descriptor in fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten() {
            let Ok(file) = fs::metadata(descriptor.path()) else { continue };
            if file.is_file() && file.nlink() == 0 && file.dev() == device {
                found.insert(file.ino(), (file.len(), file.blocks()));
            }
        }
    }
    found.into_values().collect()
}

fn number(status: &str, name: &str) -> u64 {
    let rest = status.lines().find_map(|line| line.strip_prefix(name));
    rest.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// The processes that descend from `root`.
pub(super) fn beneath(root: libc::pid_t) -> Vec<libc::pid_t> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(pid) = open.pop() {
        let Some(children) = children(pid) else { return beneath_by_parents(root) };
        // A process that is re-parented meanwhile may be seen twice.
        open.extend(children.iter().filter(|child| !found.contains(*child)));
        found.extend(children);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The children of a process, thread by thread; none where the kernel does not list them.
fn children(pid: libc::pid_t) -> Option<Vec<libc::pid_t>> {
    let mut all = Vec::new();
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Some(all) };
    for thread in threads.flatten() {
        match fs::read_to_string(thread.path().join("children")) {
            Ok(list) => all.extend(list.split_whitespace().filter_map(|pid| pid.parse::<libc::pid_t>().ok())),
            // The thread is gone, or the kernel was built without the file.
            Err(_) if thread.path().join("stat").exists() => return None,
            Err(_) => {}
        }
    }
    Some(all)
}

/// The same from every process's parent, for kernels that do not list children.
fn beneath_by_parents(root: libc::pid_t) -> Vec<libc::pid_t> {
    let mut children: HashMap<libc::pid_t, Vec<libc::pid_t>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name, in parentheses, may hold anything; state and parent follow it.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(pid) = open.pop() {
        let these = children.remove(&pid).unwrap_or_default();
        open.extend(&these);
        found.extend(these);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_status_are_found_and_a_missing_one_is_zero() {
        let status = "Name:\tx\nRssAnon:\t      12 kB\nThreads:\t3\n";
        assert_eq!((number(status, "RssAnon:"), number(status, "Threads:"), number(status, "RssShmem:")), (12, 3, 0));
    }

    #[test]
    fn children_are_found_by_either_way() {
        #[expect(clippy::disallowed_methods, reason = "a process to look for")]
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("sleep");
        let pid = child.id() as libc::pid_t;
        // SAFETY: cannot fail.
        let own = unsafe { libc::getpid() };
        let found = (beneath(own).contains(&pid), beneath_by_parents(own).contains(&pid));
        child.kill().expect("kill");
        child.wait().expect("wait");
        assert_eq!(found, (true, true));
    }
}
