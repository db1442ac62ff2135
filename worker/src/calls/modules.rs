//! The code half of skills and memories: a read brings it into scope for the programs that run after, under a key of its
//! own, and shows what it offers. What is in scope already is not prepared again.

use super::surface::{Surface, entry};
use super::{FarmFault, Turn, docs, error, programs, views};
use crate::contract::{ApiError, ErrorCode};
use crate::language::{Module, PrepareError, Reach};
use gg_common::catalogue::{self, Entry};
use gg_common::content::ContentKey;
use gg_common::job::{Effect, ViewKind};
use gg_common::operation::Operation;
use gg_common::state::{LoadedModule, ModuleOf};
use gg_source::exports::Export;

/// How many modules an agent may have in scope: each is linked with every program.
const MOST_MODULES: usize = 100;

/// What is searched of the documentation of modules, in bytes: of what is beyond it, the names alone.
const INDEXED_BYTES: usize = 256 * 1024;

/// What prepares modules while a program runs.
pub trait LoadModule {
    /// Prepares a module, and gives what it offers.
    fn load(&self, module: &Module) -> Result<Vec<Export>, PrepareError>;
    /// The key of a name, as the arm's users spell a module.
    fn key(&self, name: &str) -> String;
    /// How a program reaches the module of a key.
    fn reach(&self, key: &str) -> Reach;
}

/// Brings the code of a skill or a memory into scope, and shows what it offers.
pub(super) fn load(turn: &mut Turn<'_>, operation: Operation, of: ModuleOf, source: &str) -> Result<(), ApiError> {
    let source_key = ContentKey::of(source.as_bytes());
    let known = turn.state.modules.of(&of).cloned();
    let module = match known {
        Some(known) if known.source == source_key => known,
        known => bring(turn, operation, of, known.map(|known| known.key), source)?,
    };
    show(turn, operation, &module)
}

fn bring(
    turn: &mut Turn<'_>,
    operation: Operation,
    of: ModuleOf,
    key: Option<String>,
    source: &str,
) -> Result<LoadedModule, ApiError> {
    programs::check(turn, operation, programs::CODE, source)?;
    let key = match key {
        Some(key) => key,
        None if turn.state.modules.len() >= MOST_MODULES => {
            let message = format!("{MOST_MODULES} code modules are in scope, as many as there may be: use those");
            return Err(error(operation, ErrorCode::LimitExceeded, message));
        }
        None => {
            let mut key = turn.loader.key(of.name());
            while turn.state.modules.get(&key).is_some() {
                key.insert(0, '_');
            }
            key
        }
    };
    let module = Module { key: key.clone(), source: source.to_owned() };
    let exports = turn.loader.load(&module).map_err(|problem| refused(turn, operation, &of, problem))?;
    let exports = serde_json::to_vec(&exports).unwrap_or_default();
    let source = turn.store(operation, source.as_bytes().to_vec(), "the module")?;
    let exports = turn.store(operation, exports, "what the module offers")?;
    let module = LoadedModule { key, of, source, exports };
    turn.change(operation, Effect::ModuleLoaded { module: module.clone() })?;
    turn.with_modules = None;
    Ok(module)
}

/// What the caller reads of a module that was not prepared: its author's diagnostic, or nothing where the failure is ours.
fn refused(turn: &mut Turn<'_>, operation: Operation, of: &ModuleOf, problem: PrepareError) -> ApiError {
    let whose = match of {
        ModuleOf::Skill { name } => format!("skill `{name}`"),
        ModuleOf::Memory { name } => format!("memory `{name}`"),
    };
    match problem {
        PrepareError::Rejected { text, .. } => {
            let message = format!("the code of the {whose} was refused, so it is not in scope:\n{text}");
            error(operation, ErrorCode::Other, message)
        }
        problem => {
            let suspect = match &problem {
                PrepareError::Toolchain(failure) => failure.suspect,
                _ => None,
            };
            turn.fault = Some(FarmFault { text: format!("the code of the {whose}: {problem}"), suspect });
            error(operation, ErrorCode::IoError, format!("the code of the {whose} could not be prepared"))
        }
    }
}

/// Opens the documentation of a module. One that does not fit among the turn's views is left to be asked for.
fn show(turn: &mut Turn<'_>, operation: Operation, module: &LoadedModule) -> Result<(), ApiError> {
    let entries = entries(turn, operation, module)?;
    let page = docs::module_page(&about(turn, module), &entries, turn.profile.limits.view_bytes);
    match views::open(turn, operation, ViewKind::Docs, &module.key, None, &page) {
        Err(refusal) if refusal.code != ErrorCode::LimitExceeded => Err(refusal),
        _ => Ok(()),
    }
}

/// A module as the catalogue lists it.
fn about(turn: &Turn<'_>, module: &LoadedModule) -> catalogue::Module {
    let summary = match &module.of {
        ModuleOf::Skill { name } => format!("The code of the skill `{name}`."),
        ModuleOf::Memory { name } => format!("The code of the memory `{name}`."),
    };
    catalogue::Module { name: module.key.clone(), import: turn.loader.reach(&module.key).import, summary }
}

fn entries(turn: &mut Turn<'_>, operation: Operation, module: &LoadedModule) -> Result<Vec<Entry>, ApiError> {
    let unread = "what the module offers could not be read";
    let bytes = turn.objects.get_blocking(&module.exports);
    let bytes = bytes.map_err(|problem| turn.farm_fault(operation, &problem, unread))?;
    let exports: Vec<Export> =
        serde_json::from_slice(&bytes).map_err(|problem| turn.farm_fault(operation, &problem, unread))?;
    let prefix = turn.loader.reach(&module.key).prefix;
    Ok(exports.into_iter().map(|export| entry(&module.key, &prefix, export)).collect())
}

/// What the agent can look up now.
pub(super) fn surface(turn: &mut Turn<'_>, operation: Operation) -> Result<Surface, ApiError> {
    if turn.state.modules.is_empty() {
        return Ok(turn.surface.clone());
    }
    if let Some(surface) = &turn.with_modules {
        return Ok(surface.clone());
    }
    let loaded: Vec<LoadedModule> = turn.state.modules.iter().cloned().collect();
    let (mut modules, mut indexed) = (Vec::new(), 0);
    for module in loaded {
        let mut entries = entries(turn, operation, &module)?;
        for entry in &mut entries {
            indexed += entry.documentation.len();
            if indexed > INDEXED_BYTES {
                entry.documentation.clone_from(&entry.name);
                entry.summary.clear();
            }
        }
        modules.push((about(turn, &module), entries));
    }
    let surface = turn.surface.with(modules);
    turn.with_modules = Some(surface.clone());
    Ok(surface)
}
