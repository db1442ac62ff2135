//! The preparations of a turn: the reply's program, what it hands over to, on-use scripts. What they cost is the turn's,
//! and how they fail is kept apart: the program's rejection, or the farm's failure.

use crate::home::Home;
use crate::home::scripts::Scripts;
use crate::language::canary::judge;
use crate::language::seam::{Ground, PrepareContext, Workspace};
use crate::language::{CompileCost, PrepareError, Prepared, language};
use crate::service::{ReadyArm, Worker};
use gg_common::arm::Arm;
use gg_common::job::Timings;
use gg_common::outcome::Outcome;
use std::path::PathBuf;
use std::time::Instant;

/// What an agent's preparations are made with, taken out of its home for a turn.
pub(super) struct Preparing<'a> {
    worker: &'a Worker,
    arm: Arm,
    ready: &'a ReadyArm,
    folder: PathBuf,
    owner: Option<(u32, u32)>,
    workspace: Option<Workspace>,
    scripts: Scripts,
    cost: CompileCost,
}

impl<'a> Preparing<'a> {
    /// Takes what the home keeps of it.
    pub(super) fn take(worker: &'a Worker, arm: Arm, ready: &'a ReadyArm, home: &mut Home) -> Preparing<'a> {
        Preparing {
            worker,
            arm,
            ready,
            folder: home.folder().to_owned(),
            owner: home.owner(),
            workspace: home.workspace.take(),
            scripts: std::mem::take(&mut home.scripts),
            cost: CompileCost::default(),
        }
    }

    /// Gives it back, for the next turn.
    pub(super) fn put_back(self, home: &mut Home) {
        home.workspace = self.workspace;
        home.scripts = self.scripts;
    }

    /// What a program is run as.
    pub(super) fn program(&mut self, source: &str) -> Result<Prepared, PrepareError> {
        let judged = judge(source, language(self.arm).selfcheck_program(), |source| self.prepare(source));
        if let Some(why) = judged.broken {
            self.ready.close(&why.to_string());
        }
        judged.prepared
    }

    /// What an on-use script is run as: prepared by its first use.
    pub(super) fn script(&mut self, source: &str) -> Result<Prepared, PrepareError> {
        let mut scripts = std::mem::take(&mut self.scripts);
        let prepared = scripts.prepare(source, |source| self.program(source));
        self.scripts = scripts;
        prepared
    }

    fn prepare(&mut self, source: &str) -> Result<Prepared, PrepareError> {
        let began = Instant::now();
        let ground = Ground {
            site: &self.worker.site,
            folder: &self.folder,
            owner: self.owner,
            artifacts: &self.ready.artifacts,
        };
        let prepare = &*self.ready.prepare;
        let mut context = PrepareContext::mint(&ground, &mut self.workspace, prepare.persistent_work());
        let prepared = prepare.program(&mut context, source);
        let mut cost = context.cost();
        cost.wall = began.elapsed().saturating_sub(cost.pool_wait);
        self.cost.add(cost);
        prepared
    }

    /// Writes down what the preparations cost; nothing for an arm that compiles nothing.
    pub(super) fn charge(&self, timings: &mut Timings) {
        if language(self.arm).checker().is_some() {
            timings.compile_ms = Some(super::ms(self.cost.wall));
            timings.compile_cpu_ms = Some(super::ms(self.cost.cpu));
            timings.compile_pool_wait_ms = Some(super::ms(self.cost.pool_wait));
        }
    }
}

/// How a program that was not prepared ended.
pub(super) fn outcome_of(error: PrepareError) -> Outcome {
    match error {
        PrepareError::Rejected { band, text } => Outcome::Rejected { error_type: band.into(), error_text: text },
        PrepareError::Toolchain(ref failure) => {
            let suspect = failure.suspect;
            Outcome::Internal { error_text: error.to_string(), suspect }
        }
        PrepareError::Lowering { .. } => Outcome::Internal { error_text: error.to_string(), suspect: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Band, ToolchainEnd, ToolchainFailure};
    use gg_common::outcome::Suspect;

    #[test]
    fn a_rejection_is_the_models_to_fix_and_everything_else_is_ours() {
        for (band, name) in [
            (Band::Syntax, "transpile_syntax"),
            (Band::Compile, "transpile_compile"),
            (Band::Unsupported, "transpile_unsupported"),
        ] {
            let outcome = outcome_of(PrepareError::Rejected { band, text: "error: no".into() });
            assert_eq!((outcome.error_type().as_deref(), outcome.model_text()), (Some(name), Some("error: no")));
            assert!(outcome.is_error_turn());
        }
        let failure = ToolchainFailure {
            compiler: "rustc".into(),
            end: ToolchainEnd::Signalled(11),
            tail: "stack".into(),
            suspect: Some(Suspect::Program),
        };
        let lowering = PrepareError::Lowering { binding: Some("tools".into()), text: "no".into() };
        for (error, suspect, part) in [
            (PrepareError::Toolchain(failure), Some(Suspect::Program), "rustc was killed by signal 11: stack"),
            (lowering, None, "`tools`"),
        ] {
            let outcome = outcome_of(error);
            assert!(outcome.model_text().is_none() && !outcome.is_error_turn(), "the model reads nothing");
            let Outcome::Internal { error_text, suspect: told } = outcome else { panic!("{outcome:?}") };
            assert!(error_text.contains(part) && told == suspect, "{error_text}");
        }
    }
}
