//! What a machine must have, looked at: each finding with how to mend it.

use super::{Worker, WorkerSettings, selfcheck};
use crate::artifacts::Artifacts;
use crate::confine::{landlock, locate};
use crate::home::disk;
use gg_common::arm::Arm;
use gg_common::objects::{Durability, Objects};
use serde::Serialize;
use std::path::Path;

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is as it should be.
    Ok,
    /// It works, with less than there could be.
    Warning,
    /// Turns fail for want of it.
    Wrong,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What was looked at.
    pub what: String,
    /// How it came out.
    pub verdict: Verdict,
    /// What was found.
    pub found: String,
    /// How to mend it; none where nothing is to be mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

fn check(what: impl Into<String>, verdict: Verdict, found: impl Into<String>, mend: Option<&str>) -> Check {
    Check { what: what.into(), verdict, found: found.into(), mend: mend.map(str::to_owned) }
}

/// Looks at the machine: kernel, disk, helper, artifacts, and whether an agent of each arm can really be confined and run.
pub fn checks(settings: &WorkerSettings, objects: &Path) -> Vec<Check> {
    let mut checks = vec![kernel(), landlock_abi(), helper(settings), source_reader(settings)];
    let places = [("data folder", settings.homes.parent()), ("objects", Some(objects))];
    for (what, folder) in places {
        checks.extend(folder.map(|folder| writable(what, folder)));
    }
    checks.extend(settings.homes.parent().map(|folder| free_disk(folder, settings.disk_reserve_bytes)));
    for arm in Arm::ALL {
        checks.push(artifacts(settings, arm));
        if checks.last().is_some_and(|check| check.verdict == Verdict::Ok) {
            checks.push(program(settings, objects, arm));
        }
    }
    checks
}

fn kernel() -> Check {
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    let mut numbers = release.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if version >= (5, 13) {
        check("kernel", Verdict::Ok, release, None)
    } else {
        check(
            "kernel",
            Verdict::Wrong,
            release,
            Some("programs are confined by what Linux 5.13 brought: use a newer kernel"),
        )
    }
}

fn landlock_abi() -> Check {
    match landlock::kernel_abi() {
        0 => check(
            "Landlock",
            Verdict::Warning,
            "the kernel has none, or it is not switched on",
            Some("add `landlock` to the kernel's `lsm=` parameter; until then namespaces alone confine"),
        ),
        abi => check("Landlock", Verdict::Ok, format!("ABI {abi}"), None),
    }
}

fn helper(settings: &WorkerSettings) -> Check {
    let found = match &settings.children.helper {
        Some(path) if path.is_file() => Ok(path.clone()),
        Some(path) => Err(format!("{} is no file", path.display())),
        None => locate::helper().map_err(|error| error.to_string()),
    };
    match found {
        Ok(path) => check("helper for shell commands", Verdict::Ok, path.display().to_string(), None),
        Err(why) => check(
            "helper for shell commands",
            Verdict::Wrong,
            why,
            Some("put `gg-child` of the same build beside the worker"),
        ),
    }
}

fn source_reader(settings: &WorkerSettings) -> Check {
    match locate::source_tool(&settings.children) {
        Ok(path) => check("reader of code modules", Verdict::Ok, path.display().to_string(), None),
        Err(why) => check(
            "reader of code modules",
            Verdict::Wrong,
            why.to_string(),
            Some("put `gg-source` of the same build beside the worker"),
        ),
    }
}

fn writable(what: &str, folder: &Path) -> Check {
    let tried = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
    match tried {
        Ok(_) => check(what, Verdict::Ok, folder.display().to_string(), None),
        Err(error) => check(
            what,
            Verdict::Wrong,
            format!("{} cannot be written: {error}", folder.display()),
            Some("give this user the right to it, or set GG_FARM_HOME to another folder"),
        ),
    }
}

fn free_disk(folder: &Path, most: u64) -> Check {
    let free = std::fs::File::open(folder).and_then(disk::free);
    match (free, disk::reserve(folder, most)) {
        (Ok(free), Ok(reserve)) => {
            let found = format!("{} MiB free, of which {} MiB are kept", free >> 20, reserve >> 20);
            if free >= reserve.saturating_mul(2) {
                check("disk", Verdict::Ok, found, None)
            } else {
                let verdict = if free < reserve { Verdict::Wrong } else { Verdict::Warning };
                check(
                    "disk",
                    verdict,
                    found,
                    Some("free some space: `coordinator runs rm` removes old runs with their objects"),
                )
            }
        }
        (Err(error), _) | (_, Err(error)) => {
            check("disk", Verdict::Warning, format!("{} does not tell: {error}", folder.display()), None)
        }
    }
}

fn artifacts(settings: &WorkerSettings, arm: Arm) -> Check {
    let what = format!("{arm}: artifacts");
    let mend = format!("run `worker artifacts build --arm {arm}`");
    match Artifacts::new(&settings.artifacts, None).on_disk(arm) {
        Ok(Some(set)) => check(what, Verdict::Ok, set.folder().display().to_string(), None),
        Ok(None) => check(what, Verdict::Wrong, "missing", Some(&mend)),
        Err(error) => check(what, Verdict::Wrong, error.to_string(), Some(&mend)),
    }
}

fn program(settings: &WorkerSettings, objects: &Path, arm: Arm) -> Check {
    let what = format!("{arm}: a confined program");
    let settings = WorkerSettings { spare_executors: 0, ..settings.clone() };
    let ran = Objects::in_folder(objects, Durability::Cached)
        .map_err(|error| error.to_string())
        .and_then(|objects| Worker::start(settings, objects, &[arm]).map_err(|error| error.to_string()))
        .and_then(|worker| selfcheck::check(&worker, arm));
    match ran {
        Ok(()) => check(what, Verdict::Ok, "ran", None),
        Err(why) => check(
            what,
            Verdict::Wrong,
            why,
            Some(
                "an ordinary user needs unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, and kernel.apparmor_restrict_unprivileged_userns=0 where there is one); root needs nothing",
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::folders::CacheRoot;
    use gg_common::job::WorkerId;

    #[test]
    fn what_is_missing_is_named_with_how_to_mend_it() {
        let folder = tempfile::tempdir().expect("tempdir");
        let mut settings = WorkerSettings::under(&CacheRoot(folder.path().join("data")), WorkerId("doctor".into()));
        settings.disk_reserve_bytes = 1;
        settings.children.helper = Some(folder.path().join("gg-child"));
        let blocked = folder.path().join("blocked");
        std::fs::write(&blocked, "").expect("a file where a folder should be");
        let checks = checks(&settings, &blocked.join("objects"));
        let of = |what: &str| checks.iter().find(|check| check.what == what).unwrap_or_else(|| panic!("{what}"));
        assert_eq!(of("kernel").verdict, Verdict::Ok);
        assert_eq!(of("data folder").verdict, Verdict::Ok);
        assert_eq!(of("disk").verdict, Verdict::Ok);
        let helper = of("helper for shell commands");
        assert!(helper.verdict == Verdict::Wrong && helper.found.contains("gg-child is no file"), "{helper:?}");
        let reader = of("reader of code modules");
        assert!(reader.verdict == Verdict::Wrong && reader.found.contains("gg-source is missing"), "{reader:?}");
        let objects = of("objects");
        assert!(objects.verdict == Verdict::Wrong && objects.mend.as_ref().is_some_and(|m| m.contains("GG_FARM_HOME")));
        let artifacts = of("python: artifacts");
        assert_eq!(artifacts.mend.as_deref(), Some("run `worker artifacts build --arm python`"));
        assert!(checks.iter().all(|check| (check.verdict == Verdict::Ok) == check.mend.is_none()), "{checks:#?}");
        assert!(!checks.iter().any(|check| check.what.contains("confined program")), "nothing can run");
    }
}
