//! What builds the Rust arm beside its compiler: the SDK's bindings from `packages/wit`,
//! its catalogue from rustdoc's JSON, and the library set with what a turn's rustc is told.

mod bindings;
mod catalogue;
mod libraries;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Builds the Rust arm: bindings, catalogue, library set")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the SDK's bindings of the world `program`.
    Bindings {
        /// The folder of gg.wit.
        wit: PathBuf,
        /// Where to write the module.
        output: PathBuf,
    },
    /// Write the catalogue of the SDK.
    Catalogue {
        /// What `rustdoc --output-format json` wrote of the SDK.
        rustdoc: PathBuf,
        /// Where to write the catalogue.
        output: PathBuf,
    },
    /// Refuse a library set with a procedural macro in it.
    Check {
        /// What `cargo metadata --filter-platform` of the SDK printed.
        metadata: PathBuf,
    },
    /// Print what rustc is told of a program, an argument a line.
    Arguments {
        /// The artifacts of the arm.
        artifacts: PathBuf,
        /// Of the code module of this key instead.
        #[arg(long)]
        module: Option<String>,
    },
    /// Collect the built libraries, and write what a turn's rustc is told.
    Libraries {
        /// What `cargo metadata --filter-platform` of the SDK printed.
        #[arg(long)]
        metadata: PathBuf,
        /// What `cargo build --message-format json` of the SDK printed.
        #[arg(long)]
        messages: PathBuf,
        /// What `rustc -vV` of the compiler that built them printed.
        #[arg(long)]
        compiler: PathBuf,
        /// The folder of the sysroot's libraries for the target.
        #[arg(long)]
        sysroot: PathBuf,
        /// The folder that gets `libraries/` and `toolchain.json`.
        #[arg(long)]
        output: PathBuf,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Bindings { wit, output } => write(&output, &bindings::generate(&wit)?),
        Command::Catalogue { rustdoc, output } => {
            let (catalogue, problems) = catalogue::reflect(&read(&rustdoc)?)?;
            for problem in &problems {
                eprintln!("catalogue: {problem}");
            }
            if !problems.is_empty() {
                bail!("the SDK's documentation has {} problems", problems.len());
            }
            eprintln!("catalogue: {}", catalogue.contents());
            write(&output, &pretty(&catalogue)?)
        }
        Command::Arguments { artifacts, module } => {
            let toolchain: libraries::Toolchain = serde_json::from_str(&read(&artifacts.join("toolchain.json"))?)?;
            for argument in toolchain.arguments(&artifacts, module.as_deref()) {
                println!("{argument}");
            }
            Ok(())
        }
        Command::Check { metadata } => libraries::Resolved::read(&read(&metadata)?)?.check(),
        Command::Libraries { metadata, messages, compiler, sysroot, output } => {
            let resolved = libraries::Resolved::read(&read(&metadata)?)?;
            resolved.check()?;
            let built = libraries::built(&read(&messages)?)?;
            let toolchain = libraries::collect(&resolved, &built, &read(&compiler)?, &sysroot, &output)?;
            write(&output.join("toolchain.json"), &pretty(&toolchain)?)
        }
    }
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("failed to write {}", path.display()))
}

fn pretty(value: &impl serde::Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
