//! The subcommands of `gg-source`: one file each.

mod strip;

use std::ffi::OsString;
use std::process::ExitCode;

/// The stack of what parses a program, in bytes. Memory is taken as it is used, and few programs use any of it.
const STACK_BYTES: usize = 512 << 20;

/// Runs the subcommand that the arguments name.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let name = arguments.next().unwrap_or_default();
    let rest: Vec<OsString> = arguments.collect();
    let done = match name.to_str() {
        Some("strip") => strip::run(&rest),
        _ => Err("usage: gg-source strip PROGRAM OUTPUT [--then COMPILER ARGUMENT…]".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gg-source: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Does something on a stack that a deeply nested program does not exhaust.
fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("source".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| format!("a thread with {} MiB of stack was not started: {error}", STACK_BYTES >> 20))?;
        thread.join().map_err(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
            format!("it panicked: {}", said.unwrap_or("it said nothing"))
        })
    })
}
