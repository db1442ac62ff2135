//! What a tree of processes uses, read from `/proc`.

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

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

/// CPU time of the processes beneath `root`, itself apart, and of those that ended there and were waited for. It only grows,
/// but for what a kernel's tick hides: the time of those that ended is told in ticks.
pub(super) fn cpu_beneath(root: libc::pid_t) -> Duration {
    // SAFETY: takes a plain number.
    let ticks_a_second = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100).max(1);
    let mut cpu = Duration::ZERO;
    for pid in beneath(root) {
        let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { continue };
        let own = process_clock(pid);
        let (ended, ticked) = ticks(&stat);
        let of_ticks = |ticks: u64| Duration::from_millis(ticks * 1000 / ticks_a_second);
        cpu += of_ticks(ended) + own.unwrap_or_else(|| of_ticks(ticked));
    }
    cpu
}

/// What a process used by its own clock, in nanoseconds and with its threads that ended.
fn process_clock(pid: libc::pid_t) -> Option<Duration> {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both places are valid for the answers.
    unsafe {
        if libc::clock_getcpuclockid(pid, &raw mut clock) != 0 || libc::clock_gettime(clock, &raw mut time) != 0 {
            return None;
        }
    }
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// Of a `/proc/<pid>/stat`: the ticks of the children that were waited for, and the process's own.
fn ticks(stat: &str) -> (u64, u64) {
    // The name, in parentheses, may hold anything. User, system, and the same of the children are fields 14 to 17, and the
    // state after the name is field 3.
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let mut fields = rest.split_whitespace().skip(11).map(|field| field.parse::<u64>().unwrap_or(0));
    let mut pair = || fields.next().unwrap_or(0) + fields.next().unwrap_or(0);
    let own = pair();
    (pair(), own)
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
    fn ticks_are_found_behind_any_name() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 10 20 0 0 3 4 50 60 20 0 1 0 100";
        assert_eq!(ticks(stat), (110, 7));
        assert_eq!(ticks("nothing"), (0, 0));
    }

    #[test]
    fn cpu_time_of_children_counts_while_they_live_and_once_they_were_waited_for() {
        // SAFETY: cannot fail.
        let own = unsafe { libc::getpid() };
        #[expect(clippy::disallowed_methods, reason = "processes to look at")]
        let mut shell = std::process::Command::new("sh")
            .args(["-c", "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; read x"])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("sh");
        let mut seen = Duration::ZERO;
        for _ in 0..2000 {
            let now = cpu_beneath(own);
            // A tick of the kernel's may be lost where the inner one ends.
            assert!(now + Duration::from_millis(50) >= seen, "{now:?} {seen:?}");
            seen = seen.max(now);
            if seen > Duration::from_millis(50) && beneath(shell.id() as libc::pid_t).is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let after = cpu_beneath(own);
        drop(shell.stdin.take());
        shell.wait().expect("wait");
        assert!(after > Duration::from_millis(30), "{after:?}");
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
