//! The page of commands, from the command line's own definition.

use super::Page;
use super::markdown::{code, table};
use crate::cli::Cli;
use clap::{Arg, Command, CommandFactory};

pub(super) fn page() -> Page {
    let mut root = Cli::command();
    root.build();
    let mut body = String::new();
    for command in root.get_subcommands_mut().filter(|command| command.get_name() != "help") {
        section(command, "coordinator", &mut body);
    }
    let about = "What `coordinator` can do; `coordinator COMMAND --help` says the same. What the statuses mean that they exit \
                 with: [exit-codes.md](exit-codes.md).";
    super::page("commands.md", "Commands", about, &body)
}

fn section(command: &mut Command, parent: &str, out: &mut String) {
    let name = format!("{parent} {}", command.get_name());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.render_usage().to_string();
    let usage = usage.trim().trim_start_matches("Usage:").lines().map(str::trim).collect::<Vec<_>>().join("\n");
    out.push_str(&format!("## {}\n\n{about}.\n\n```\n{usage}\n```\n\n", code(&name)));
    let shown = |argument: &&Arg| !argument.is_hide_set() && !matches!(argument.get_id().as_str(), "help" | "version");
    let rows: Vec<Vec<String>> = command.get_arguments().filter(shown).map(row).collect();
    if !rows.is_empty() {
        out.push_str(&table(&["argument", "meaning", "default"], &rows));
        out.push('\n');
    }
    for inner in command.get_subcommands_mut().filter(|inner| inner.get_name() != "help") {
        section(inner, &name, out);
    }
}

fn row(argument: &Arg) -> Vec<String> {
    let values = argument.get_value_names().unwrap_or_default().join(" ");
    let takes = argument.get_action().takes_values();
    let name = match argument.get_long() {
        Some(long) if takes => format!("--{long} {values}"),
        Some(long) => format!("--{long}"),
        None => values,
    };
    // A default that the command line does not hold is said in words, in brackets.
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let (meaning, default) = match help.split_once(" [default: ") {
        Some((meaning, default)) => (meaning.to_owned(), default.trim_end_matches(']').to_owned()),
        None => {
            let default = argument.get_default_values().iter().map(|value| code(&value.to_string_lossy()));
            (help, if takes { default.collect::<Vec<_>>().join(" ") } else { String::new() })
        }
    };
    let choices: Vec<String> = argument.get_possible_values().iter().map(|value| code(value.get_name())).collect();
    let choices = if choices.is_empty() || !takes { String::new() } else { format!(": {}", choices.join(", ")) };
    vec![code(&name), format!("{meaning}{choices}"), default]
}
