//! `coordinator init`: a run file and a task folder, with a check and with replies, to be changed into one's own.

use super::exit::{self, Exit};
use super::progress::say;
use clap::Args;
use gg_common::arm::Arm;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
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

    /// Print where things are as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The replies of the example, in an arm's own language.
fn replies(arm: Arm) -> [(&'static str, &'static str); 2] {
    match arm {
        Arm::Python => [("1.py", include_str!("init/1.py")), ("2.py", include_str!("init/2.py"))],
        Arm::Typescript => [("1.ts", include_str!("init/1.ts")), ("2.ts", include_str!("init/2.ts"))],
        Arm::Rust => [("1.rs", include_str!("init/1.rs")), ("2.rs", include_str!("init/2.rs"))],
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
        Ok(()) if args.json => {
            let path = |name: &str| folder.join(name).display().to_string();
            let made = serde_json::json!({
                "folder": folder.display().to_string(),
                "runFile": path("run.toml"),
                "taskFolder": path("task"),
                "replies": path("replies"),
            });
            if writeln!(io::stdout().lock(), "{made}").is_ok() { Exit::Finished } else { Exit::Failed }
        }
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
    for inner in ["task/files", "task/check", "replies"] {
        std::fs::create_dir_all(folder.join(inner))?;
    }
    let name = folder.display().to_string();
    let fill = |text: &str| text.replace("{arm}", arm.id()).replace("{folder}", &name);
    std::fs::write(folder.join("run.toml"), fill(include_str!("init/run.toml")))?;
    std::fs::write(folder.join("task/task.md"), fill(include_str!("init/task.md")))?;
    std::fs::write(folder.join("task/files/notes.txt"), include_str!("init/notes.txt"))?;
    let check = folder.join("task/check/run");
    std::fs::write(&check, include_str!("init/check.sh"))?;
    std::fs::set_permissions(&check, std::fs::Permissions::from_mode(0o755))?;
    std::fs::write(folder.join("task/check/open.txt"), include_str!("init/open.txt"))?;
    for (name, text) in replies(arm) {
        std::fs::write(folder.join("replies").join(name), text)?;
    }
    Ok(())
}
