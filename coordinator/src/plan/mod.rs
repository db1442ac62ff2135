//! What a run is to do: from a run file, or from flags.

mod file;
mod model_file;
mod profile;
pub mod resume;

pub use file::{RunFile, read, read_with_model};
pub use model_file::read_model;
pub use profile::read_profile;

use crate::model::Binding;
use crate::model::Model;
use gg_common::ceilings::Ceilings;
use gg_common::config::{self, Problem};
use gg_common::model::ModelBinding;
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
    /// Who answers.
    pub model: Answers,
    /// What the agent is started from.
    pub profile: Profile,
    /// What bounds the run.
    pub ceilings: Ceilings,
}

/// Who answers, as it was asked for. Paths are resolved.
#[derive(Debug, Clone, PartialEq)]
pub enum Answers {
    /// Replies from a folder or a file.
    Replies(PathBuf),
    /// A `[model]` table.
    Table(Box<ModelBinding>),
    /// Something else says it, or it is known to be wrong already, and told.
    Elsewhere,
}

impl Answers {
    fn open(self) -> Result<Option<Binding>, Vec<Finding>> {
        let environment = |name: &str| std::env::var(name).ok();
        match self {
            // Absolute: a resume may be started from elsewhere.
            Answers::Replies(path) => {
                Binding::open(ModelBinding::scripted(absolute(path)), "replies", environment).map(Some)
            }
            Answers::Table(table) => Binding::open(*table, "model.replies", environment).map(Some),
            Answers::Elsewhere => Ok(None),
        }
    }

    /// Who answers, outside of any file; otherwise everything that is wrong, a problem a line.
    pub fn open_alone(self) -> Result<Binding, String> {
        match self.open() {
            Ok(Some(model)) => Ok(model),
            Ok(None) => Err("nothing says who answers".to_owned()),
            Err(findings) => Err(findings.into_iter().map(|(_, message)| message).collect::<Vec<_>>().join("\n")),
        }
    }
}

fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// A field and what is wrong with it.
type Finding = (&'static str, String);

/// A finding with the line of the field that it is about.
fn problem_at(text: &str, (field, message): Finding) -> Problem {
    let path: Vec<&str> = field.split('.').collect();
    Problem { line: config::line_of(text, &path), message }
}

fn sorted(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by_key(|problem| problem.line);
    problems
}

impl Wanted {
    /// Checks everything at once: the plan with who answers (none where something else says it), or what is
    /// wrong, each with the field that it is about.
    pub fn check(self) -> Result<(RunPlan, Option<Binding>), Vec<Finding>> {
        let mut findings: Vec<Finding> = Vec::new();
        if self.task.trim().is_empty() {
            findings.push(("task", "the task is empty: say what the agent is to do".to_owned()));
        }
        if let Some(message) = self.files.as_deref().and_then(unusable_folder) {
            findings.push(("files", message));
        }
        let model = self.model.open().unwrap_or_else(|found| {
            findings.extend(found);
            None
        });
        findings.extend(self.profile.problems().iter().map(|problem| ("profile", problem.to_string())));
        findings.extend(self.ceilings.problems().iter().map(|problem| ("ceilings", problem.to_string())));
        let priced = model.as_ref().and_then(|model| model.binding()).is_some_and(|table| table.prices.is_some());
        if self.ceilings.cost.is_some() && model.is_some() && !priced {
            let message = "`ceilings.cost` bounds what nothing counts: state `prices` under [model], or remove it";
            findings.push(("ceilings", message.to_owned()));
        }
        if !findings.is_empty() {
            return Err(findings);
        }
        let Wanted { task, files, profile, ceilings, .. } = self;
        Ok((RunPlan { task, files, profile, ceilings }, model))
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
