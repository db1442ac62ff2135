//! What a run is to do: from a run file, or from flags.

mod file;
mod model_file;
mod profile;
pub mod resume;
mod task_folder;

pub use file::{RunFile, Who, read};
pub use model_file::read_model;
pub use profile::{Shown, read_profile};
pub use task_folder::{CheckTable, PlannedCheck, TASK_FILE, TaskFile, TaskFolder, read_task_folder, task_folder};

use crate::model::{self, Binding, Model};
use gg_common::ceilings::{CeilingError, Ceilings};
use gg_common::config::{self, Problem};
use gg_common::model::ModelBinding;
use gg_common::profile::{Profile, ProfileError};
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
    /// How its final tree is checked.
    pub check: Option<PlannedCheck>,
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
    /// How its final tree is checked.
    pub check: Option<PlannedCheck>,
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
    fn open(self) -> Result<Option<Binding>, Vec<model::Finding>> {
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

/// Something that is wrong, and the field that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The field's path; empty where it is about the whole.
    pub field: Vec<String>,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// Whether something is written in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    Seen,
    Unseen,
}

impl Finding {
    /// About a field, its path by dots.
    fn at(field: &str, message: impl Into<String>) -> Finding {
        let field = field.split('.').filter(|step| !step.is_empty()).map(str::to_owned).collect();
        Finding { field, message: message.into() }
    }

    /// About an item of the field, which is a list of texts.
    fn of_item(mut self, item: &str) -> Finding {
        self.field.push(item.to_owned());
        self
    }

    /// About a profile whose fields are in the table `table`.
    fn of_profile(table: &str, problem: &ProfileError) -> Finding {
        let mut finding = Finding::at(table, problem.to_string());
        finding.field.extend(problem.field());
        finding
    }

    fn of_ceiling(problem: &CeilingError) -> Finding {
        Finding::at(&format!("ceilings.{}", problem.name), problem.to_string())
    }
}

impl From<model::Finding> for Finding {
    fn from((field, message): model::Finding) -> Finding {
        Finding::at(field, message)
    }
}

/// A finding with the line of the field that it is about.
fn problem_at(text: &str, finding: Finding) -> Problem {
    let path: Vec<&str> = finding.field.iter().map(String::as_str).collect();
    Problem { line: config::line_of(text, &path), message: finding.message }
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
            findings.push(Finding::at("task", "the task is empty: say what the agent is to do"));
        }
        if let Some(message) = self.files.as_deref().and_then(unusable_folder) {
            findings.push(Finding::at("files", message));
        }
        let model = self.model.open().unwrap_or_else(|found| {
            findings.extend(found.into_iter().map(Finding::from));
            None
        });
        findings.extend(self.profile.problems().iter().map(|problem| Finding::of_profile("profile", problem)));
        findings.extend(self.ceilings.problems().iter().map(Finding::of_ceiling));
        findings.extend(model.as_ref().and_then(|model| unpriced(&self.ceilings, model)));
        if !findings.is_empty() {
            return Err(findings);
        }
        let Wanted { task, files, profile, ceilings, check, .. } = self;
        Ok((RunPlan { task, files, profile, ceilings, check }, model))
    }
}

/// A ceiling on what nothing counts.
pub fn unpriced(ceilings: &Ceilings, model: &Binding) -> Option<Finding> {
    let priced = model.binding().is_some_and(|table| table.prices.is_some());
    let message = "`ceilings.cost` bounds what nothing counts: state `prices` under [model], or remove it";
    (ceilings.cost.is_some() && !priced).then(|| Finding::at("ceilings.cost", message))
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
