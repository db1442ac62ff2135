//! `gg-source`: one subcommand a subject. A worker starts it, confined, in an agent's compile workspace.

use gg_source::{exports, typescript};
use std::process::ExitCode;

const USAGE: &str = "usage: gg-source exports LANGUAGE FILE, or gg-source strip FILE FOLDER [--then COMPILER ARGUMENT…]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &arguments[..] {
        ["exports", language, file] => exports::print(language, file.as_ref()),
        ["strip", file, folder, then @ ..] => typescript::strip(file.as_ref(), folder.as_ref(), then),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gg-source: {error}");
            ExitCode::FAILURE
        }
    }
}
