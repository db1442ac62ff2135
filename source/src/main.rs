//! `gg-source SUBCOMMAND …`: see [`gg_source::commands`].

use std::process::ExitCode;

fn main() -> ExitCode {
    gg_source::commands::run(std::env::args_os().skip(1))
}
