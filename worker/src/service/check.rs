//! The check of a run: a command on a copy of its final tree, confined as an agent's own commands are, beside files that
//! the agent never saw. What comes of it is data: a failing check is no error, and what the farm could not do is told
//! apart from it.

use super::Worker;
use crate::calls::files::open::{open_regular, read_bounded};
use crate::calls::files::path::tree_path;
use crate::calls::files::problem::FileProblem;
use crate::confine::credentials::SlotIds;
use crate::confine::shell::{TREE, joined};
use crate::confine::{Bounds, Ended, Job, LimitReached, Mount, MountAccess, Part, Report, Watch, run};
use crate::home::disk;
use crate::home::slot::Slot;
use crate::home::tree::{self, Owner, TreeLimits};
use crate::home::watch::TreeWatch;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use gg_common::check::{Check, CheckEnd, CheckJob, CheckResult, LONGEST_CHECK_SECS, SCORE_BYTES, Score};
use gg_common::job::Body;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the folder of the score may hold, in bytes and in entries.
const RESULT_LIMITS: TreeLimits = TreeLimits { bytes: 1 << 20, entries: 16, depth: 1, disk_reserve: 0 };
/// What bash leaves with where it cannot execute a command, or finds none.
const NO_COMMAND: [i32; 2] = [126, 127];
/// The score's file in there.
const SCORE: &str = "score";

/// What is kept of the command's output, its tail, in bytes.
const OUTPUT_BYTES: usize = 16 * 1024;
/// Processes and threads of the command at one time.
const PROCESSES: u64 = 512;
/// The temporary folder, in bytes. It is memory.
const TEMP_BYTES: u64 = 256 << 20;
/// The temporary folder, in entries.
const TEMP_ENTRIES: u64 = 65_536;

impl Worker {
    /// Runs a check to its end. Blocks; call it from a thread of its own.
    pub fn run_check(&self, job: &CheckJob) -> CheckResult {
        let not_run = |reason: String| CheckResult::not_run(Some(self.id().clone()), reason);
        if job.version != gg_common::FORMAT_VERSION {
            return not_run(format!(
                "the check has version {}, this worker reads version {}: upgrade the older of coordinator and worker",
                job.version,
                gg_common::FORMAT_VERSION
            ));
        }
        match catch_unwind(AssertUnwindSafe(|| self.check(job))) {
            Ok(Ok(result)) => result,
            Ok(Err(reason)) => not_run(reason),
            Err(_) => not_run("the worker panicked in this check; this is a defect, report it".to_owned()),
        }
    }

    fn check(&self, job: &CheckJob) -> Result<CheckResult, String> {
        let text = |error: &dyn std::error::Error| error.to_string();
        disk::check(&self.settings.homes, self.disk_reserve()).map_err(|error| text(&error))?;
        let place = Place::make(self, job)?;
        let watched = |folder: &Path, limits: TreeLimits| TreeWatch {
            tree: folder.to_owned(),
            scratch: place.scratch.clone(),
            limits: limits.with_disk_reserve(self.disk_reserve()),
        };
        let mut watch = Both(watched(&place.tree, place.limits), watched(&place.result, RESULT_LIMITS));
        let command = place.command(&job.check);
        let report = run(&self.settings.children, &command, Some(&mut watch), None).map_err(|error| text(&error))?;
        let (score, score_problem) = match place.score() {
            Ok(score) => (score, None),
            Err(problem) => (None, Some(problem)),
        };
        Ok(self.result(job, report, score, score_problem))
    }

    fn result(
        &self,
        job: &CheckJob,
        report: Report,
        score: Option<Score>,
        score_problem: Option<String>,
    ) -> CheckResult {
        let (output, truncated) = joined(&report.stdout, &report.stderr, OUTPUT_BYTES);
        let limit = |limit: &str, bound| CheckEnd::LimitReached { limit: limit.to_owned(), bound };
        let end = match report.ended {
            Ended::Exited(status) if NO_COMMAND.contains(&status) => CheckEnd::NotRun { reason: no_command(status) },
            Ended::Exited(status) => CheckEnd::Exited { status },
            Ended::Signalled(signal) => CheckEnd::Signalled { signal },
            Ended::TimedOut => CheckEnd::TimedOut,
            Ended::Memory => limit("memoryBytes", job.check.memory_bytes),
            Ended::Processes => limit("processes", PROCESSES),
            // Whose the missing room is nobody can tell.
            Ended::Limit(LimitReached { name, bound }) if name == tree::DISK_RESERVE => CheckEnd::NotRun {
                reason: format!("the worker keeps {bound} bytes of its disk free, so the check was ended: free space"),
            },
            Ended::Limit(LimitReached { name, bound }) => limit(&name, bound),
            Ended::Cancelled => CheckEnd::NotRun { reason: "it was ended with its worker".to_owned() },
        };
        CheckResult {
            version: gg_common::FORMAT_VERSION,
            worker: Some(self.id().clone()),
            verdict: end.verdict(),
            end,
            score,
            score_problem,
            output: Body::Inline(output),
            truncated,
            unconfined: !report.held.is_confinement(),
            wall_ms: report.wall_ms as f64,
            cpu_ms: report.cpu_ms as f64,
            peak_memory_bytes: report.peak_memory_bytes,
        }
    }
}

/// A check whose command is not there says nothing of the agent's work, and would be counted against it.
fn no_command(status: i32) -> String {
    format!(
        "it left with status {status}, by which bash says that a command is not there or cannot be executed: see its output, and mend the check or the worker (where it may be the agent's own program that is missing, test for it and leave with another status)"
    )
}

/// Two folders that are watched.
struct Both(TreeWatch, TreeWatch);

impl Watch for Both {
    fn check(&mut self, processes: &[libc::pid_t]) -> Option<LimitReached> {
        self.0.check(processes).or_else(|| self.1.check(processes))
    }
}

/// Names in a job's root that nobody knows beforehand: links in the agent's tree, which the copy keeps, lead to neither.
fn unguessable(name: &str) -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Each hasher is keyed with the system's randomness.
    let chance = || RandomState::new().build_hasher().finish();
    format!("/{name}-{:016x}{:016x}", chance(), chance())
}

/// A slot with a copy of the final tree, the check's files, and a folder for the score. Dropped, it is removed.
struct Place {
    slot: Slot,
    tree: PathBuf,
    files: PathBuf,
    result: PathBuf,
    scratch: PathBuf,
    limits: TreeLimits,
}

impl Place {
    fn make(worker: &Worker, job: &CheckJob) -> Result<Place, String> {
        let homes = &worker.settings.homes;
        let slot = Slot::take(homes, worker.settings.base_uid)
            .map_err(|error| format!("a place for the check cannot be made in {}: {error}", homes.display()))?;
        let folder = |name: &str| {
            let path = slot.folder().join(name);
            slot.make_private(&path)
                .map(|()| path.clone())
                .map_err(|error| format!("{} cannot be made: {error}; check the disk and its rights", path.display()))
        };
        let (tree, files, result, scratch) = (folder("tree")?, folder("check")?, folder("result")?, folder("scratch")?);
        let owner = slot.owner().map(|(uid, gid)| Owner { uid, gid });
        let restore = |key, folder: &Path| {
            tree::restore(key, worker.objects(), folder, &TreeLimits::UNBOUNDED, owner)
                .map_err(|error| error.to_string())
        };
        restore(&job.check.files, &files)?;
        if let Some(key) = &job.tree {
            restore(key, &tree)?;
        }
        let allowed = TreeLimits::from(&job.limits);
        let limits = TreeLimits {
            bytes: allowed.bytes.saturating_mul(2),
            entries: allowed.entries.saturating_mul(2),
            ..allowed
        };
        Ok(Place { slot, tree, files, result, scratch, limits })
    }

    fn command(&self, check: &Check) -> Job {
        let ids = self.slot.owner().map_or_else(SlotIds::current, |(uid, gid)| SlotIds { uid, gid });
        let bounds = Bounds {
            memory_bytes: check.memory_bytes,
            process_memory_bytes: None,
            processes: PROCESSES,
            file_bytes: self.limits.bytes,
            open_files: 1024,
            temp_bytes: TEMP_BYTES,
            temp_entries: TEMP_ENTRIES,
        };
        let (files, result) = (unguessable("check"), unguessable("result"));
        let mut job = Job::new("/bin/bash", ids, bounds).args(["-c", &check.command]);
        let mount =
            |source: &Path, target: &str, access| Mount { source: source.into(), target: target.into(), access };
        job.mounts =
            check.read_only_paths.iter().map(|path| mount(path.as_ref(), path, MountAccess::ReadOnly)).collect();
        // Last, so that no path that is only to be read covers them.
        job.mounts.extend([
            mount(&self.files, &files, MountAccess::ReadOnly),
            mount(&self.result, &result, MountAccess::ReadWrite),
            mount(&self.tree, TREE, MountAccess::ReadWrite),
        ]);
        job.env.push(("GG_SCORE".into(), format!("{result}/{SCORE}").into()));
        job.env.push(("GG_CHECK".into(), files.into()));
        job.cwd = TREE.into();
        job.timeout = Duration::from_secs(check.timeout_secs.clamp(1, LONGEST_CHECK_SECS));
        job.output_bytes = OUTPUT_BYTES;
        job.output_part = Part::Tail;
        job.scratch = Some(self.scratch.clone());
        job
    }

    /// The score that the command left, if it left one. What it left is not trusted: the agent's own code may have run in
    /// it.
    fn score(&self) -> Result<Option<Score>, String> {
        let dir = Dir::open_ambient_dir(&self.result, ambient_authority()).map_err(|error| error.to_string())?;
        let path = tree_path(SCORE).map_err(|error| error.to_string())?;
        match open_regular(&dir, &path).and_then(|opened| read_bounded(opened, &path, SCORE_BYTES)) {
            Ok(bytes) => Score::read(&bytes).map(Some),
            Err(FileProblem::NotFound { .. }) => Ok(None),
            Err(problem) => Err(problem.to_string()),
        }
    }
}
