//! The texts that a model reads, as Handlebars templates with typed contexts. Nothing is escaped and nothing may be
//! missing: a template that names what its context lacks fails. No template writes a call's name: `call.<operation>` is
//! the arm's own spelling from its catalogue and holds only what the profile grants, so that a prompt cannot name a call
//! that the agent does not have; `offers.<operation>` says which those are.

mod contexts;
mod strict;

pub use contexts::{Agent, Band, Kept, KeptMemory, KeptTask, ModuleLine, Moved, OpenView, PinnedSkill, TurnContext};

pub(crate) use contexts::duration;

use contexts::{KeptContext, NothingShownContext, SystemContext, TaskContext};
use gg_common::arm::Arm;
use handlebars::Handlebars;
use serde::Serialize;
use std::sync::{Arc, OnceLock};

const SYSTEM: &str = "system-code.hbs";
const TASK: &str = "task.hbs";
const NOTHING_SHOWN: &str = "code-nothing-shown.hbs";
const TURN: &str = "turn.hbs";
const KEPT: &str = "kept.hbs";

/// What a prompt segment says of an arm.
fn segment(arm: Arm) -> (&'static str, &'static str) {
    match arm {
        Arm::Javascript => ("segments/javascript.hbs", include_str!("segments/javascript.hbs")),
        Arm::Python => ("segments/python.hbs", include_str!("segments/python.hbs")),
        Arm::Typescript => ("segments/typescript.hbs", include_str!("segments/typescript.hbs")),
        Arm::Rust => ("segments/rust.hbs", include_str!("segments/rust.hbs")),
    }
}

/// How a program of this arm writes to standard output.
fn printer(arm: Arm) -> &'static str {
    match arm {
        Arm::Javascript | Arm::Typescript => "`console.log`",
        Arm::Python => "`print`",
        Arm::Rust => "`println!`",
    }
}

/// The tool that compiles a program before it runs, on arms that have one.
fn checker(arm: Arm) -> Option<&'static str> {
    match arm {
        Arm::Javascript | Arm::Python => None,
        Arm::Typescript => Some("tsc"),
        Arm::Rust => Some("rustc"),
    }
}

/// A template does not fit its context: a fault of this program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PromptError {
    /// A template does not parse.
    #[error("the prompt `{name}` does not parse: {source}; this is a fault of gg-farm, please report it")]
    Template {
        /// The template.
        name: &'static str,
        /// Why.
        #[source]
        source: Box<handlebars::TemplateError>,
    },
    /// A template names what its context lacks.
    #[error("the prompt `{name}` does not render: {source}; this is a fault of gg-farm, please report it")]
    Render {
        /// The template.
        name: &'static str,
        /// Why.
        #[source]
        source: Box<handlebars::RenderError>,
    },
}

/// The templates, parsed.
#[derive(Debug)]
pub struct Prompts {
    registry: Handlebars<'static>,
}

impl Prompts {
    /// The same for all agents of this process: parsed, they are ten times what an agent keeps otherwise.
    pub fn shared() -> Result<Arc<Prompts>, PromptError> {
        static SHARED: OnceLock<Arc<Prompts>> = OnceLock::new();
        match SHARED.get() {
            Some(prompts) => Ok(prompts.clone()),
            None => {
                let prompts = Arc::new(Prompts::new()?);
                Ok(SHARED.get_or_init(|| prompts).clone())
            }
        }
    }

    /// The templates that this program carries.
    pub fn new() -> Result<Prompts, PromptError> {
        let mut registry = strict::registry();
        let shared = [
            (SYSTEM, include_str!("system-code.hbs")),
            (TASK, include_str!("task.hbs")),
            (NOTHING_SHOWN, include_str!("code-nothing-shown.hbs")),
            (TURN, include_str!("turn.hbs")),
            (KEPT, include_str!("kept.hbs")),
        ];
        for (name, text) in shared.into_iter().chain(Arm::ALL.map(segment)) {
            registry
                .register_template_string(name, text)
                .map_err(|source| PromptError::Template { name, source: Box::new(source) })?;
        }
        Ok(Prompts { registry })
    }

    fn render(&self, name: &'static str, context: &impl Serialize) -> Result<String, PromptError> {
        let text = self
            .registry
            .render(name, context)
            .map_err(|source| PromptError::Render { name, source: Box::new(source) })?;
        Ok(text.trim_end().to_owned())
    }

    /// What the model is told of its place, before any task.
    pub fn system(&self, agent: &Agent) -> Result<String, PromptError> {
        let mut context = SystemContext::of(agent, checker(agent.arm));
        context.segment = self.render(segment(agent.arm).0, &context)?;
        self.render(SYSTEM, &context)
    }

    /// The first message: the task.
    pub fn task(&self, agent: &Agent, task: &str, has_files: bool) -> Result<String, PromptError> {
        self.render(TASK, &TaskContext { task: task.trim_end(), has_files, tree: &agent.tree })
    }

    /// What the model reads where a program completed and showed nothing.
    pub fn nothing_shown(&self, agent: &Agent) -> Result<String, PromptError> {
        let context = NothingShownContext { printer: printer(agent.arm), call: &agent.call, offers: &agent.offers };
        self.render(NOTHING_SHOWN, &context)
    }

    /// What the model reads of what its agent keeps; empty where it keeps nothing.
    pub fn kept(&self, agent: &Agent, kept: &Kept) -> Result<String, PromptError> {
        let Kept { tasks, memories, is_whole, archived } = kept;
        let (call, offers, is_whole) = (&agent.call, &agent.offers, *is_whole);
        self.render(KEPT, &KeptContext { tasks, memories, is_whole, archived, call, offers })
    }

    /// What the model reads after a turn.
    pub fn turn(&self, context: &TurnContext) -> Result<String, PromptError> {
        self.render(TURN, context)
    }
}

#[cfg(test)]
mod tests;
