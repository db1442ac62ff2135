//! The run file.

use super::model_file::{KIND, resolved};
use super::task_folder::{TaskFolder, read_task_folder};
use super::{Answers, Finding, PlanError, RunPlan, Wanted, problem_at, sorted};
use crate::model::Binding;
use gg_common::arm::Arm;
use gg_common::ceilings::Ceilings;
use gg_common::config::{self, Problem, StandIn};
use gg_common::model::ModelBinding;
use gg_common::profile::Profile;
use gg_common::regular;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A run file. Paths are relative to the folder that holds it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunFile {
    /// A task folder, which says what the agent is asked, what it is started from and how its work is checked. This, or
    /// `profile` with `task` or `taskFile`, is needed. Default: none.
    #[serde(default)]
    pub task_folder: Option<PathBuf>,
    /// What the agent is asked. Default: what `taskFile` holds, or the task folder.
    #[serde(default)]
    pub task: Option<String>,
    /// A file that says what the agent is asked, in UTF-8. Default: none.
    #[serde(default)]
    pub task_file: Option<PathBuf>,
    /// The folder that the agent's tree is filled from. Default: none, the tree is empty.
    #[serde(default)]
    pub files: Option<PathBuf>,
    /// Who answers. Default: `replies` do; one of the two is needed, or `--model`.
    #[serde(default)]
    pub model: Option<Box<ModelBinding>>,
    /// Replies that were written beforehand, instead of a model: a folder with a file a reply, taken in the order of their
    /// names (hidden ones are passed over), or a file of JSON lines with `text` and, where they matter, `finishReason`
    /// (`stop`, `length`, `content_filter`, `refusal`, `no_choice`, `other`) and `usage` (`inputTokens`, `outputTokens`,
    /// `cachedTokens`, `reasoningTokens`). Default: none.
    #[serde(default)]
    pub replies: Option<PathBuf>,
    /// What the agent is started from: its arm, its capabilities, its limits. Default: what the task folder says.
    #[serde(default)]
    pub profile: Option<Profile>,
    /// What bounds the run. Default: what the task folder says, else 50 turns, 5 error turns in a row, 20 in all, an hour.
    #[serde(default)]
    pub ceilings: Option<Ceilings>,
}

/// What stands in for the fields that a run file needs, so that all its problems are found.
const STAND_INS: [StandIn; 2] = [KIND, StandIn { field: "profile.arm", toml: "'python'" }];

/// Where it is said who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// In the run file.
    IsSaidHere,
    /// Elsewhere, which stands above what the run file says of it.
    IsSaidElsewhere,
}

/// Reads a run file, with who answers where that is said here; otherwise everything that is wrong, a file an error.
pub fn read(path: &Path, who: Who) -> Result<(RunPlan, Option<Binding>), Vec<PlanError>> {
    let fail = |problems| PlanError { file: Some(path.to_owned()), problems };
    let text = regular::read_to_string(path).map_err(|error| {
        vec![fail(vec![Problem { line: None, message: format!("the run file cannot be read: {error}") }])]
    })?;
    let reading = config::read_all::<RunFile>(&text, &STAND_INS);
    let mut problems = reading.problems;
    let Some(mut file) = reading.value else { return Err(vec![fail(problems)]) };
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    let model = answers(&mut file, folder, who, &reading.stood_in, &mut found);
    let goal = match &file.task_folder {
        Some(name) => of_folder(&file, &folder.join(name), &mut found),
        None => Ok(of_file(&file, folder, &mut found)),
    };
    let mut at = |found: Vec<Finding>| problems.extend(found.into_iter().map(|finding| problem_at(&text, finding)));
    at(found);
    let (goal, mut errors) = match goal {
        Ok(goal) => (goal, Vec::new()),
        Err(error) => (Goal::stand_in(), vec![error]),
    };
    let Goal { task, files, profile, ceilings, check } = goal;
    let ceilings = file.ceilings.unwrap_or(ceilings);
    let checked = Wanted { task, files, model, profile, ceilings, check }.check();
    let plan = checked.map_err(at).ok();
    match plan {
        Some(plan) if problems.is_empty() && errors.is_empty() => Ok(plan),
        _ => {
            if !problems.is_empty() {
                errors.insert(0, fail(sorted(problems)));
            }
            Err(errors)
        }
    }
}

/// What is to be done, whoever answers.
type Goal = TaskFolder;

impl Goal {
    /// For one that is wrong, and told so: nothing further is wrong with it.
    fn stand_in() -> Goal {
        Goal {
            task: "-".to_owned(),
            files: None,
            profile: Profile::with_everything(Arm::Python),
            ceilings: Ceilings::default(),
            check: None,
        }
    }
}

/// What a task folder says; the run file may say nothing of it again.
fn of_folder(file: &RunFile, folder: &Path, found: &mut Vec<Finding>) -> Result<Goal, PlanError> {
    let again = [
        ("task", file.task.is_some()),
        ("taskFile", file.task_file.is_some()),
        ("files", file.files.is_some()),
        ("profile", file.profile.is_some()),
    ];
    for (field, _) in again.into_iter().filter(|(_, said)| *said) {
        found.push(Finding::at(field, format!("`taskFolder` says this already: remove `{field}`, or `taskFolder`")));
    }
    read_task_folder(folder)
}

/// What the run file itself says.
fn of_file(file: &RunFile, folder: &Path, found: &mut Vec<Finding>) -> Goal {
    let mut goal = Goal { files: file.files.as_ref().map(|files| folder.join(files)), ..Goal::stand_in() };
    match (&file.task, &file.task_file) {
        (Some(_), Some(_)) => {
            found.push(Finding::at("taskFile", "`task` and `taskFile` both say what to do: keep one"));
        }
        (Some(task), None) => goal.task.clone_from(task),
        (None, Some(name)) => {
            let name = folder.join(name);
            match regular::read_to_string(&name) {
                Ok(task) => goal.task = task,
                Err(error) => {
                    let message = format!("`taskFile` {} cannot be read: {error}", name.display());
                    found.push(Finding::at("taskFile", message));
                }
            }
        }
        (None, None) => {
            let message = "neither `task`, `taskFile` nor `taskFolder` says what to do: add one";
            found.push(Finding::at("task", message));
        }
    }
    match &file.profile {
        Some(profile) => goal.profile = profile.clone(),
        None => found.push(Finding::at("profile", "the field `profile` is missing: add it")),
    }
    goal
}

/// Who answers.
fn answers(file: &mut RunFile, folder: &Path, who: Who, stood_in: &[String], found: &mut Vec<Finding>) -> Answers {
    match (file.model.take(), file.replies.take()) {
        _ if who == Who::IsSaidElsewhere => Answers::Elsewhere,
        (Some(_), Some(_)) => {
            found.push(Finding::at("replies", "`replies` and `[model]` both say who answers: keep one"));
            Answers::Elsewhere
        }
        (Some(_), None) if stood_in.iter().any(|field| field == KIND.field) => Answers::Elsewhere,
        (Some(table), None) => Answers::Table(Box::new(resolved(*table, folder))),
        (None, Some(replies)) => Answers::Replies(folder.join(replies)),
        (None, None) => {
            let message =
                "neither `[model]` nor `replies` says who answers: add one, or name it with --model or --replies";
            found.push(Finding::at("replies", message));
            Answers::Elsewhere
        }
    }
}
