//! `gg-source`: one subcommand a subject. A worker starts it, confined, in an agent's compile workspace.

use gg_source::exports;
use std::process::ExitCode;

const USAGE: &str = "usage: gg-source exports LANGUAGE FILE";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["exports", language, file] => exports::print(language, file.as_ref()),
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
