//! The coordinator's command.

use std::process::ExitCode;

fn main() -> ExitCode {
    // The embedded worker starts its executors by executing this file again: that comes before anything else.
    #[cfg(feature = "embedded")]
    gg_coordinator::embedded::run_executor_if_asked();
    gg_coordinator::cli::main()
}
