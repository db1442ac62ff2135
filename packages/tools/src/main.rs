//! From a core module to a component, for the builds of the packages.
//!
//! `gg-tools snapshot` runs a module's initialisation and keeps the memory that it
//! leaves; `gg-tools encode` makes a component. A guest that boots is snapshotted
//! first: the adapter that `encode` adds holds stream handles, and those do not
//! survive a snapshot.

mod encode;
mod snapshot;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "From a core WebAssembly module to a component")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a core module's `wizer-initialize` and write the module with the memory it left.
    Snapshot {
        /// The core module.
        input: PathBuf,
        /// Where to write the initialised core module.
        output: PathBuf,
    },
    /// Make a component of a core module that imports WASI preview 1 and carries its world.
    Encode {
        /// The core module.
        input: PathBuf,
        /// Where to write the component.
        output: PathBuf,
    },
}

fn main() -> Result<()> {
    let (input, output, make): (_, _, fn(&[u8]) -> Result<Vec<u8>>) = match Arguments::parse().command {
        Command::Snapshot { input, output } => (input, output, snapshot::snapshot),
        Command::Encode { input, output } => (input, output, encode::encode),
    };
    let module = std::fs::read(&input).with_context(|| format!("failed to read {}", input.display()))?;
    let made = make(&module).with_context(|| format!("failed on {}", input.display()))?;
    std::fs::write(&output, &made).with_context(|| format!("failed to write {}", output.display()))?;
    println!("{}: {} bytes", output.display(), made.len());
    Ok(())
}
