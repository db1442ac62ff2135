//! `coordinator completions` and `coordinator man`: what shells and manuals know of the command line, from its own
//! definition.

use super::{Cli, Exit};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What `coordinator completions` is called with.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// What `coordinator man` is called with.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Where the pages go, one a command
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// Prints completions for a shell.
pub(super) fn completions(args: &CompletionsArgs) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "coordinator", &mut script);
    match std::io::stdout().write_all(&script) {
        Ok(()) => Exit::Finished,
        Err(_) => Exit::Failed,
    }
}

/// Writes the manual's pages.
pub(super) fn man(args: &ManArgs) -> Exit {
    match write_pages(&args.folder) {
        Ok(count) => {
            super::progress::say(&format!("{count} pages are in {}", args.folder.display()));
            Exit::Finished
        }
        Err(error) => {
            super::progress::say(&format!("the pages cannot be written to {}: {error}", args.folder.display()));
            Exit::Failed
        }
    }
}

fn write_pages(folder: &Path) -> std::io::Result<usize> {
    std::fs::create_dir_all(folder)?;
    let mut root = Cli::command();
    root.build();
    let mut count = 0;
    let commands = std::iter::once(root.clone()).chain(root.get_subcommands().cloned());
    for command in commands.filter(|command| command.get_name() != "help") {
        let name = match command.get_name() {
            "coordinator" => "coordinator".to_owned(),
            sub => format!("coordinator-{sub}"),
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(command.display_name(name.clone())).render(&mut page)?;
        std::fs::write(folder.join(format!("{name}.1")), page)?;
        count += 1;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_and_every_shell_its_completions() {
        let folder = tempfile::tempdir().expect("tempdir");
        let count = write_pages(folder.path()).expect("pages");
        assert_eq!(count, Cli::command().get_subcommands().filter(|c| c.get_name() != "help").count() + 1);
        let run = std::fs::read_to_string(folder.path().join("coordinator-run.1")).expect("page");
        assert!(run.contains("resume"), "{run}");
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "coordinator", &mut script);
            assert!(String::from_utf8_lossy(&script).contains("resume"), "{shell}");
        }
    }
}
