//! The preparations of a turn: the reply's program, what it hands over to, on-use scripts. What they cost is the turn's,
//! and how they fail is kept apart: the program's rejection, or the farm's failure.

use crate::calls::modules::LoadModule;
use crate::home::Home;
use crate::home::scripts::Scripts;
use crate::language::canary::judge;
use crate::language::seam::{Ground, PrepareContext, Workspace};
use crate::language::{CompileCost, Module, Prepare, PrepareError, Prepared, Reach, language, modules};
use crate::service::{ReadyArm, Worker};
use gg_common::arm::Arm;
use gg_common::content::ContentKey;
use gg_common::job::Timings;
use gg_common::outcome::Outcome;
use gg_common::state::Modules;
use gg_source::exports::Export;
use std::cell::RefCell;
use std::collections::HashMap;
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
    /// The sources of the modules in scope.
    modules: HashMap<ContentKey, String>,
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
            modules: std::mem::take(&mut home.modules),
            cost: CompileCost::default(),
        }
    }

    /// Gives it back, for the next turn.
    pub(super) fn put_back(self, home: &mut Home) {
        home.workspace = self.workspace;
        home.scripts = self.scripts;
        home.modules = self.modules;
    }

    /// What a program is run as, with these modules in scope.
    pub(super) fn program(&mut self, source: &str, modules: &Modules) -> Result<Prepared, PrepareError> {
        let modules = self.sources(modules)?;
        self.guarded(|prepare, context| modules::program(prepare, context, source, &modules))
    }

    /// What an on-use script is run as: prepared by its first use.
    pub(super) fn script(&mut self, source: &str, scope: &Modules) -> Result<Prepared, PrepareError> {
        let mut scripts = std::mem::take(&mut self.scripts);
        let prepared = scripts.prepare(source, scope, |source| self.program(source, scope));
        self.scripts = scripts;
        prepared
    }

    /// Prepares a module, at the read that binds it, and gives what it offers.
    fn module(&mut self, module: &Module) -> Result<Vec<Export>, PrepareError> {
        let exports = self.guarded(|prepare, context| modules::module(prepare, context, module))?;
        self.modules.insert(ContentKey::of(module.source.as_bytes()), module.source.clone());
        Ok(exports)
    }

    /// The modules in scope with their sources. An agent's are read once.
    fn sources(&mut self, scope: &Modules) -> Result<Vec<Module>, PrepareError> {
        let mut modules = Vec::new();
        for loaded in scope.iter() {
            let source = match self.modules.get(&loaded.source) {
                Some(source) => source.clone(),
                None => {
                    let bytes = self.worker.objects.get_blocking(&loaded.source).map_err(|error| {
                        PrepareError::Lowering { binding: Some(loaded.key.clone()), text: error.to_string() }
                    })?;
                    let source = String::from_utf8_lossy(&bytes).into_owned();
                    self.modules.insert(loaded.source, source.clone());
                    source
                }
            };
            modules.push(Module { key: loaded.key.clone(), source });
        }
        self.modules.retain(|key, _| scope.iter().any(|loaded| loaded.source == *key));
        Ok(modules)
    }

    /// A preparation. After a compiler that died, one of our own programs tells whose fault it was.
    fn guarded<T>(
        &mut self,
        prepare: impl FnOnce(&dyn Prepare, &mut PrepareContext<'_>) -> Result<T, PrepareError>,
    ) -> Result<T, PrepareError> {
        let canary = language(self.arm).selfcheck_program();
        let prepared = self.prepare(prepare);
        let judged =
            judge(prepared, || self.prepare(|prepare, context| modules::program(prepare, context, canary, &[])));
        if let Some(why) = judged.broken {
            self.ready.close(&why.to_string());
        }
        judged.prepared
    }

    fn prepare<T>(
        &mut self,
        prepare: impl FnOnce(&dyn Prepare, &mut PrepareContext<'_>) -> Result<T, PrepareError>,
    ) -> Result<T, PrepareError> {
        let began = Instant::now();
        let ground = Ground {
            site: &self.worker.site,
            folder: &self.folder,
            owner: self.owner,
            artifacts: &self.ready.artifacts,
            objects: Some(&self.worker.objects),
        };
        let arm = &*self.ready.prepare;
        let mut context = PrepareContext::mint(&ground, &mut self.workspace, arm.persistent_work());
        let prepared = prepare(arm, &mut context);
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
            timings.compiles_warm = Some(self.cost.warm);
            timings.compiles_cold = Some(self.cost.cold);
            timings.modules_fetched = self.cost.fetched;
            timings.modules_fetched_cost_ms = super::ms(self.cost.fetched_cost);
        }
    }
}

/// What a program's reads load modules by, while it runs.
impl LoadModule for RefCell<Preparing<'_>> {
    fn load(&self, module: &Module) -> Result<Vec<Export>, PrepareError> {
        self.borrow_mut().module(module)
    }

    fn key(&self, name: &str) -> String {
        self.borrow().ready.prepare.module_key(name)
    }

    fn reach(&self, key: &str) -> Reach {
        self.borrow().ready.prepare.reach(key)
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
