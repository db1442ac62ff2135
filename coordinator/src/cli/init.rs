//! `coordinator init`: a run file with its task, files and replies, to be changed into one's own.

use super::exit::{self, Exit};
use super::progress::say;
use clap::Args;
use gg_common::arm::Arm;
use std::io;
use std::path::{Path, PathBuf};

/// What `coordinator init` is called with.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub struct InitArgs {
    /// The folder to make; one that is there must be empty
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// The language that the agent answers in
    #[arg(long, default_value = "python")]
    pub arm: Arm,
}

/// The replies of the example, in an arm's own language.
fn replies(arm: Arm) -> [(&'static str, &'static str); 2] {
    match arm {
        Arm::Python => [("1.py", include_str!("init/1.py")), ("2.py", include_str!("init/2.py"))],
        Arm::Javascript => [("1.js", include_str!("init/1.js")), ("2.js", include_str!("init/2.js"))],
    }
}

/// Runs the command.
pub(super) fn main(args: &InitArgs) -> Exit {
    let folder = &args.folder;
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(false) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Ok(true) => {
            say(&format!("{} is not empty: name a folder that is new", folder.display()));
            return Exit::Usage;
        }
        Err(error) => {
            say(&format!("{} cannot be used: {error}", folder.display()));
            return Exit::Usage;
        }
    }
    match write(folder, args.arm) {
        Ok(()) => {
            say(&format!("made {0}; try it: coordinator run {0}/run.toml", folder.display()));
            Exit::Finished
        }
        Err(error) => {
            say(&format!("{} cannot be written: {error}", folder.display()));
            Exit::Failed
        }
    }
}

fn write(folder: &Path, arm: Arm) -> io::Result<()> {
    for inner in ["files", "replies"] {
        std::fs::create_dir_all(folder.join(inner))?;
    }
    let name = folder.display().to_string();
    let run_file = include_str!("init/run.toml").replace("{arm}", arm.id()).replace("{folder}", &name);
    std::fs::write(folder.join("run.toml"), run_file)?;
    std::fs::write(folder.join("task.md"), include_str!("init/task.md"))?;
    std::fs::write(folder.join("files/notes.txt"), include_str!("init/notes.txt"))?;
    for (name, text) in replies(arm) {
        std::fs::write(folder.join("replies").join(name), text)?;
    }
    Ok(())
}
