//! The model file: a `[model]` table of its own, to be named beside a task or a run file.

use super::{PlanError, absolute, problem_at, sorted};
use crate::model::Binding;
use gg_common::config::{self, Problem, StandIn};
use gg_common::model::ModelBinding;
use gg_common::regular;
use serde::Deserialize;
use std::path::Path;

/// A model file: what says who answers, beside or instead of a run file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelFile {
    /// Who answers. Paths are relative to the file's folder.
    model: ModelBinding,
}

/// What stands in for the kind of a model, so that the rest of a file is read.
pub(super) const KIND: StandIn = StandIn { field: "model.kind", toml: "'scripted'" };

/// The table with its paths resolved, for a resume may be started from elsewhere.
pub(super) fn resolved(mut table: ModelBinding, folder: &Path) -> ModelBinding {
    for path in [&mut table.replies, &mut table.api_key_file].into_iter().flatten() {
        *path = absolute(folder.join(&*path));
    }
    table
}

/// Reads a model file; otherwise everything that is wrong with it.
pub fn read_model(path: &Path) -> Result<Binding, PlanError> {
    let fail = |problems| PlanError { file: Some(path.to_owned()), problems };
    let text = regular::read_to_string(path).map_err(|error| {
        fail(vec![Problem { line: None, message: format!("the model file cannot be read: {error}") }])
    })?;
    let reading = config::read_all::<ModelFile>(&text, &[KIND]);
    let mut problems = reading.problems;
    let table = reading.value.filter(|_| reading.stood_in.is_empty());
    let opened = table.map(|file| {
        let table = resolved(file.model, path.parent().unwrap_or(Path::new("")));
        Binding::open(table, "model.replies", |name| std::env::var(name).ok())
    });
    match opened {
        Some(Ok(model)) if problems.is_empty() => return Ok(model),
        Some(Err(findings)) => problems.extend(findings.into_iter().map(|finding| problem_at(&text, finding.into()))),
        Some(Ok(_)) | None => {}
    }
    Err(fail(sorted(problems)))
}
