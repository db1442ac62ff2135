//! What a run is to do: from a run file, or from flags.

mod file;
mod profile;
pub mod resume;

pub use file::{RunFile, read};
pub use profile::read_profile;

use crate::model::{ScriptError, Scripted};
use gg_common::ceilings::Ceilings;
use gg_common::config::Problem;
use gg_common::profile::Profile;
use std::fmt;
use std::path::{Path, PathBuf};

/// What a run is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPlan {
    /// What the agent is asked.
    pub task: String,
    /// The folder that its tree is filled from.
    pub files: Option<PathBuf>,
    /// What the agent is started from.
    pub profile: Profile,
    /// What bounds the run.
    pub ceilings: Ceilings,
}

/// A run cannot be started as it was asked for. All problems are named at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanError {
    /// The run file; none where the run was asked for by flags.
    pub file: Option<PathBuf>,
    /// Everything that is wrong.
    pub problems: Vec<Problem>,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            match (&self.file, problem.line) {
                (Some(file), Some(line)) => write!(f, "{}:{line}: {}", file.display(), problem.message)?,
                (Some(file), None) => write!(f, "{}: {}", file.display(), problem.message)?,
                (None, _) => f.write_str(&problem.message)?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for PlanError {}

/// What a run is asked for with, before it is checked.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What the agent is asked.
    pub task: String,
    /// The folder that its tree is filled from.
    pub files: Option<PathBuf>,
    /// Where the replies are.
    pub replies: PathBuf,
    /// What the agent is started from.
    pub profile: Profile,
    /// What bounds the run.
    pub ceilings: Ceilings,
}

/// A field and what is wrong with it.
type Finding = (&'static str, String);

impl Wanted {
    /// Checks everything at once: the plan with its replies, or what is wrong, each with the field that it is about.
    pub fn check(self) -> Result<(RunPlan, Scripted), Vec<Finding>> {
        let mut findings: Vec<Finding> = Vec::new();
        if self.task.trim().is_empty() {
            findings.push(("task", "the task is empty: say what the agent is to do".to_owned()));
        }
        if let Some(message) = self.files.as_deref().and_then(unusable_folder) {
            findings.push(("files", message));
        }
        let replies = match Scripted::read(&self.replies) {
            Ok(replies) => Some(replies),
            Err(errors) => {
                findings.extend(errors.iter().map(|error: &ScriptError| ("replies", error.to_string())));
                None
            }
        };
        findings.extend(self.profile.problems().iter().map(|problem| ("profile", problem.to_string())));
        findings.extend(self.ceilings.problems().iter().map(|problem| ("ceilings", problem.to_string())));
        match replies {
            Some(replies) if findings.is_empty() => {
                let Wanted { task, files, profile, ceilings, .. } = self;
                Ok((RunPlan { task, files, profile, ceilings }, replies))
            }
            _ => Err(findings),
        }
    }
}

/// Why a tree cannot be filled from this folder, if it cannot.
fn unusable_folder(folder: &Path) -> Option<String> {
    match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => None,
        Ok(_) => Some(format!("the files {} are no folder: name the folder that holds them", folder.display())),
        Err(error) => Some(format!(
            "the files {} cannot be read: {error}; name a folder, or leave `files` out for an empty tree",
            folder.display()
        )),
    }
}

#[cfg(test)]
mod tests;
