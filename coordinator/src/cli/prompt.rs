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

    /// A profile, or a run file, that says what the agent may use [default: everything that this version serves]
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,

    /// The task that the opening states
    #[arg(long, value_name = "TEXT", default_value = "(the task)")]
    pub task: String,

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
    use crate::plan::{PlanError, read_profile};
    use crate::prompts::{Agent, Prompts};
    use crate::window::{Speaker, Window};
    use gg_common::ceilings::Ceilings;
    use gg_common::folders::CacheRoot;
    use gg_common::profile::Profile;
    use std::io::Write;
    use std::sync::Arc;

    /// What the prompt is rendered for.
    fn wanted(args: &PromptArgs) -> Result<(Profile, Ceilings), PlanError> {
        match (&args.profile, args.arm) {
            (Some(file), arm) => {
                let (mut profile, ceilings) = read_profile(file)?;
                profile.arm = arm.unwrap_or(profile.arm);
                Ok((profile, ceilings))
            }
            // clap requires one of the two.
            (None, arm) => Ok((Profile::with_everything(arm.unwrap_or(Arm::Python)), Ceilings::default())),
        }
    }

    pub(in crate::cli) fn main(args: &PromptArgs) -> Exit {
        let (profile, ceilings) = match wanted(args) {
            Ok(wanted) => wanted,
            Err(error) => {
                say(&error.to_string());
                return Exit::Usage;
            }
        };
        match render(args, &profile, &ceilings) {
            Ok(()) => Exit::Finished,
            Err(message) => {
                say(&message);
                Exit::Failed
            }
        }
    }

    fn render(args: &PromptArgs, profile: &Profile, ceilings: &Ceilings) -> Result<(), String> {
        let root = CacheRoot::from_environment().map_err(|error| error.to_string())?;
        let catalogue = crate::embedded::catalogue(&root, profile.arm).map_err(|error| error.to_string())?;
        let prompts = Arc::new(Prompts::new().map_err(|error| error.to_string())?);
        let agent = Arc::new(Agent::new(profile, ceilings, &catalogue));
        let window = Window::open(prompts, agent, &args.task, args.files).map_err(|error| error.to_string())?;
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
