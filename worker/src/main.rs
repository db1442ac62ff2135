//! The worker's command line.

mod cli;

fn main() -> std::process::ExitCode {
    gg_worker::executor::run_if_asked();
    cli::main()
}
