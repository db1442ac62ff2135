//! The run file.

use super::model_file::{KIND, read_model, resolved};
use super::{Answers, PlanError, RunPlan, Wanted, problem_at, sorted};
use crate::model::Binding;
use gg_common::ceilings::Ceilings;
use gg_common::config::{self, Problem, StandIn};
use gg_common::model::ModelBinding;
use gg_common::profile::Profile;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A run file. Paths are relative to the folder that holds it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunFile {
    /// What the agent is asked. Default: what `taskFile` holds; one of the two is needed.
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
    /// What the agent is started from: its arm, its capabilities, its limits.
    pub profile: Profile,
    /// What bounds the run. Default: 50 turns, 5 error turns in a row, 20 in all, an hour.
    #[serde(default)]
    pub ceilings: Ceilings,
}

/// What stands in for the fields that a run file needs, so that all its problems are found.
const STAND_INS: [StandIn; 3] = [
    KIND,
    StandIn { field: "profile", toml: "{ arm = 'python' }" },
    StandIn { field: "profile.arm", toml: "'python'" },
];

/// Reads a run file, with who answers; otherwise everything that is wrong with both.
pub fn read(path: &Path) -> Result<(RunPlan, Binding), PlanError> {
    match read_file(path, Who::IsSaidHere)? {
        (plan, Some(model)) => Ok((plan, model)),
        // Who answers is unknown only where a problem says so.
        (_, None) => Err(PlanError { file: Some(path.to_owned()), problems: Vec::new() }),
    }
}

/// Reads a run file and a model file, which stands above what the run file says of who answers; otherwise everything that
/// is wrong with each.
pub fn read_with_model(path: &Path, model: &Path) -> Result<(RunPlan, Binding), Vec<PlanError>> {
    match (read_file(path, Who::IsSaidElsewhere), read_model(model)) {
        (Ok((plan, _)), Ok(model)) => Ok((plan, model)),
        (plan, model) => Err(plan.err().into_iter().chain(model.err()).collect()),
    }
}

/// Where it is said who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    IsSaidHere,
    IsSaidElsewhere,
}

fn read_file(path: &Path, who: Who) -> Result<(RunPlan, Option<Binding>), PlanError> {
    let fail = |problems| PlanError { file: Some(path.to_owned()), problems };
    let text = std::fs::read_to_string(path).map_err(|error| {
        fail(vec![Problem { line: None, message: format!("the run file cannot be read: {error}") }])
    })?;
    let reading = config::read_all::<RunFile>(&text, &STAND_INS);
    let mut problems = reading.problems;
    let Some(file) = reading.value else { return Err(fail(problems)) };
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut find = |field: &str, message: String| {
        problems.push(Problem { line: config::line_of(&text, &[field]), message });
    };
    let task = match (file.task, file.task_file) {
        (Some(_), Some(_)) => {
            find("taskFile", "`task` and `taskFile` both say what to do: keep one".to_owned());
            None
        }
        (Some(task), None) => Some(task),
        (None, Some(name)) => {
            let name = folder.join(name);
            std::fs::read_to_string(&name)
                .map_err(|error| {
                    let message = format!("`taskFile` {} cannot be read: {error}", name.display());
                    find("taskFile", message);
                })
                .ok()
        }
        (None, None) => {
            find("task", "neither `task` nor `taskFile` says what to do: add one".to_owned());
            None
        }
    };
    let model = match (file.model, file.replies) {
        _ if who == Who::IsSaidElsewhere => Answers::Elsewhere,
        (Some(_), Some(_)) => {
            find("replies", "`replies` and `[model]` both say who answers: keep one".to_owned());
            Answers::Elsewhere
        }
        (Some(_), None) if reading.stood_in.iter().any(|field| field == KIND.field) => Answers::Elsewhere,
        (Some(table), None) => Answers::Table(Box::new(resolved(*table, folder))),
        (None, Some(replies)) => Answers::Replies(folder.join(replies)),
        (None, None) => {
            find("replies", "neither `[model]` nor `replies` says who answers: add one".to_owned());
            Answers::Elsewhere
        }
    };
    let task_is_known = task.is_some();
    let wanted = Wanted {
        // What stands in for a task that is wrong is never asked: the problem ends the reading below.
        task: task.unwrap_or_else(|| "-".to_owned()),
        files: file.files.map(|files| folder.join(files)),
        model,
        profile: file.profile,
        ceilings: file.ceilings,
    };
    match wanted.check() {
        Ok(plan) if task_is_known && problems.is_empty() => Ok(plan),
        Ok(_) => Err(fail(sorted(problems))),
        Err(findings) => {
            let follows = |field: &str| reading.stood_in.iter().any(|name| name == field);
            for (field, message) in findings.into_iter().filter(|(field, _)| !follows(field)) {
                problems.push(problem_at(&text, (field, message)));
            }
            Err(fail(sorted(problems)))
        }
    }
}
