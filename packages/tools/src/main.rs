//! From a core module to a component, for the builds of the packages.
//!
//! `gg-tools snapshot` runs a module's initialisation and keeps the memory that it
//! leaves; `gg-tools encode` makes a component. A guest that boots is snapshotted
//! first: the adapter that `encode` adds holds stream handles, and those do not
//! survive a snapshot.

mod encode;
mod interface;
mod snapshot;

use std::path::{Path, PathBuf};

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
    /// Write the adapter that `encode` uses.
    Adapter {
        /// Where to write it.
        output: PathBuf,
    },
    /// Print what a component imports and exports, a name a line.
    Interface {
        /// The component.
        component: PathBuf,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Snapshot { input, output } => make(&input, &output, snapshot::snapshot),
        Command::Encode { input, output } => make(&input, &output, encode::encode),
        Command::Adapter { output } => write(&output, encode::adapter()),
        Command::Interface { component } => {
            for line in
                interface::of(&read(&component)?).with_context(|| format!("failed on {}", component.display()))?
            {
                println!("{line}");
            }
            Ok(())
        }
    }
}

fn make(input: &Path, output: &Path, make: fn(&[u8]) -> Result<Vec<u8>>) -> Result<()> {
    write(output, &make(&read(input)?).with_context(|| format!("failed on {}", input.display()))?)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("failed to read {}", path.display()))
}

fn write(path: &Path, made: &[u8]) -> Result<()> {
    std::fs::write(path, made).with_context(|| format!("failed to write {}", path.display()))?;
    println!("{}: {} bytes", path.display(), made.len());
    Ok(())
}
