//! A profile alone: a file of its own, or that of a run file.

use super::task_folder::{TaskFolder, read_task_folder, task_folder};
use super::{Finding, PlanError, problem_at, sorted};
use gg_common::arm::Arm;
use gg_common::ceilings::Ceilings;
use gg_common::config::{self, Problem, StandIn};
use gg_common::profile::Profile;
use gg_common::regular;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What a run file says of an agent; the rest is left to who runs it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfRunFile {
    profile: Option<Profile>,
    task_folder: Option<PathBuf>,
    ceilings: Option<Ceilings>,
}

/// What a prompt is made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// What the agent is started from.
    pub profile: Profile,
    /// What bounds its run.
    pub ceilings: Ceilings,
    /// What it is asked, where a task folder says it.
    pub task: Option<String>,
    /// Whether its task comes with files.
    pub files: bool,
}

impl From<TaskFolder> for Shown {
    fn from(folder: TaskFolder) -> Shown {
        let TaskFolder { task, files, profile, ceilings, .. } = folder;
        Shown { profile, ceilings, task: Some(task), files: files.is_some() }
    }
}

/// Reads a profile from a file of its own, from a run file, which may name a task folder, or from a task folder;
/// otherwise everything that is wrong.
pub fn read_profile(path: &Path) -> Result<Shown, PlanError> {
    if let Some(folder) = task_folder(path) {
        return read_task_folder(folder).map(Shown::from);
    }
    let fail = |problems| PlanError { file: Some(path.to_owned()), problems };
    let text = regular::read_to_string(path)
        .map_err(|error| fail(vec![Problem { line: None, message: format!("the profile cannot be read: {error}") }]))?;
    let says = |field| config::line_of(&text, &[field]).is_some();
    let (shown, mut problems, table) = if says("profile") || says("taskFolder") {
        let reading = config::read_all::<OfRunFile>(&text, &[StandIn { field: "profile.arm", toml: "'python'" }]);
        let Some(file) = reading.value else { return Err(fail(reading.problems)) };
        let ceilings = file.ceilings.unwrap_or_default();
        match (file.profile, file.task_folder) {
            (None, Some(folder)) => {
                let folder = read_task_folder(&path.parent().unwrap_or(Path::new("")).join(folder))?;
                let shown = Shown { ceilings: file.ceilings.unwrap_or(folder.ceilings), ..Shown::from(folder) };
                (shown, reading.problems, "profile")
            }
            (profile, _) => {
                // It is there, or what is wrong with it is told.
                let profile = profile.unwrap_or_else(|| Profile::with_everything(Arm::Python));
                (Shown { profile, ceilings, task: None, files: false }, reading.problems, "profile")
            }
        }
    } else {
        let reading = config::read_all::<Profile>(&text, &[StandIn { field: "arm", toml: "'python'" }]);
        let Some(profile) = reading.value else { return Err(fail(reading.problems)) };
        (Shown { profile, ceilings: Ceilings::default(), task: None, files: false }, reading.problems, "")
    };
    let mut findings: Vec<Finding> =
        shown.profile.problems().iter().map(|problem| Finding::of_profile(table, problem)).collect();
    findings.extend(shown.ceilings.problems().iter().map(Finding::of_ceiling));
    problems.extend(findings.into_iter().map(|finding| problem_at(&text, finding)));
    if problems.is_empty() { Ok(shown) } else { Err(fail(sorted(problems))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Shown, PlanError> {
        let folder = tempfile::tempdir().expect("tempdir");
        let path = folder.path().join("profile.toml");
        std::fs::write(&path, text).expect("write");
        read_profile(&path)
    }

    #[test]
    fn a_profile_is_read_from_its_own_file_and_from_a_run_file() {
        let Shown { profile, .. } = read("arm = \"javascript\"\ncapabilities = [\"read-file\"]\n").expect("a profile");
        assert_eq!((profile.arm, profile.capabilities.len()), (Arm::Javascript, 1));
        let text = "task = \"x\"\nreplies = \"r\"\n[profile]\narm = \"python\"\n[ceilings]\nturns = 3\n";
        let Shown { profile, ceilings, .. } = read(text).expect("a run file");
        assert_eq!((profile.arm, ceilings.turns), (Arm::Python, 3));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = read("arm = \"python\"\ncapabilites = []\n").expect_err("misspelt").to_string();
        assert!(error.contains("profile.toml:2:") && error.contains("capabilities"), "{error}");
        let error = read("arm = \"python\"\n[limits]\nmemoryBytes = 1\n").expect_err("too little").to_string();
        assert!(error.contains("profile.toml:3:") && error.contains("`limits.memoryBytes` is 1"), "{error}");
    }
}
