//! `coordinator prompt`.

use super::exit::{self, Exit};
use clap::Args;
use gg_common::arm::Arm;
use std::path::PathBuf;

/// What `coordinator prompt` is called with.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub struct PromptArgs {
    /// The language that the agent answers in
    #[arg(long, required_unless_present = "profile")]
    pub arm: Option<Arm>,

    /// A profile, a run file or a task folder, which says what the agent may use [default: everything that this version serves]
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,

    /// The task that the opening states [default: that of the task folder, else "(the task)"]
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,

    /// As where the task comes with files
    #[arg(long)]
    pub files: bool,

    /// Print the messages as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[cfg(not(feature = "embedded"))]
pub(super) fn main(_args: &PromptArgs) -> Exit {
    super::progress::say("this build has no worker inside, so it has no catalogue to render a prompt from");
    Exit::Usage
}

#[cfg(feature = "embedded")]
pub(super) use inside::main;

#[cfg(feature = "embedded")]
mod inside {
    use super::*;
    use crate::cli::progress::say;
    use crate::plan::{PlanError, Shown, read_profile};
    use crate::prompts::{Agent, Prompts};
    use crate::window::{Speaker, Window};
    use gg_common::ceilings::Ceilings;
    use gg_common::folders::CacheRoot;
    use gg_common::profile::Profile;
    use std::io::Write;
    use std::sync::Arc;

    /// What the prompt is rendered for.
    fn wanted(args: &PromptArgs) -> Result<Shown, PlanError> {
        match (&args.profile, args.arm) {
            (Some(file), arm) => {
                let mut shown = read_profile(file)?;
                shown.profile.arm = arm.unwrap_or(shown.profile.arm);
                Ok(shown)
            }
            // clap requires one of the two.
            (None, arm) => Ok(Shown {
                profile: Profile::with_everything(arm.unwrap_or(Arm::Python)),
                ceilings: Ceilings::default(),
                task: None,
                files: false,
            }),
        }
    }

    pub(in crate::cli) fn main(args: &PromptArgs) -> Exit {
        let shown = match wanted(args) {
            Ok(shown) => shown,
            Err(error) => {
                say(&error.to_string());
                return Exit::Usage;
            }
        };
        match render(args, &shown) {
            Ok(()) => Exit::Finished,
            Err(message) => {
                say(&message);
                Exit::Failed
            }
        }
    }

    fn render(args: &PromptArgs, shown: &Shown) -> Result<(), String> {
        let Shown { profile, ceilings, .. } = shown;
        let root = CacheRoot::from_environment().map_err(|error| error.to_string())?;
        let catalogue = crate::embedded::catalogue(&root, profile.arm).map_err(|error| error.to_string())?;
        let prompts = Arc::new(Prompts::new().map_err(|error| error.to_string())?);
        let agent = Arc::new(Agent::new(profile, ceilings, &catalogue));
        let task = args.task.as_deref().or(shown.task.as_deref()).unwrap_or("(the task)");
        let window =
            Window::open(prompts, agent, task, args.files || shown.files).map_err(|error| error.to_string())?;
        let mut out = std::io::stdout().lock();
        let role = |speaker: Speaker| match speaker {
            Speaker::System => "system",
            Speaker::User => "user",
            Speaker::Model => "assistant",
        };
        let written = if args.json {
            let messages: Vec<_> = window
                .messages()
                .iter()
                .map(|message| {
                    serde_json::json!({"role": role(message.speaker), "text": &*message.text, "tokens": message.tokens})
                })
                .collect();
            writeln!(out, "{}", serde_json::json!({"messages": messages, "tokens": window.tokens()}))
        } else {
            window.messages().iter().try_for_each(|message| {
                writeln!(out, "── {} ({} tokens)\n{}", role(message.speaker), message.tokens, message.text)
            })
        };
        written.map_err(|error| error.to_string())
    }
}
