//! The seam: what an arm supplies so that its programs can be prepared and run, and the ground that it is given for that.
//! One file an arm, and an exhaustive registry, so that a half-registered arm does not compile.

pub mod canary;
pub mod diagnostics;
mod interpreted;
mod javascript;
pub mod keys;
pub mod modules;
pub mod places;
mod prepared;
mod python;
mod rust;
pub mod seam;
mod typescript;

pub use modules::{BuildModules, Module};
pub use places::Places;
pub use prepared::{Band, CompileCost, PrepareError, Prepared, ToolchainEnd, ToolchainFailure};

use crate::artifacts::ArtifactSet;
use gg_common::arm::Arm;
use gg_source::exports::Export;
use seam::{PrepareContext, Site, ToolchainMissing};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// What runs an arm's programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guest {
    /// A prebuilt component, which is given a program's bytes.
    Prebuilt,
    /// Nothing prebuilt: each program is a component of its own.
    None,
}

/// One program language: what is known of it before a worker serves it.
pub trait ProgramLanguage: Sync {
    /// Which.
    fn arm(&self) -> Arm;

    /// The name that the language's own users give the thing that judges a program; none where nothing does before it
    /// runs.
    fn checker(&self) -> Option<&'static str>;

    /// What runs its programs.
    fn guest(&self) -> Guest {
        Guest::Prebuilt
    }

    /// Finds what its preparations need on this machine.
    fn open(&self, artifacts: &ArtifactSet, places: &seam::Places) -> Result<Box<dyn Prepare>, OpenError>;

    /// A program that exercises the arm, for the self-check: it must complete and show a text view labelled `selfcheck`
    /// that holds `ok`. It is the canary, too: what is prepared after a compiler died, to tell whose fault that was.
    fn selfcheck_program(&self) -> &'static str;

    /// The smallest program that prints a line, for benchmarks.
    fn hello_program(&self) -> &'static str;
}

/// The preparations of one arm, on one worker.
pub trait Prepare: fmt::Debug + Send + Sync {
    /// From a reply's bytes to what the sandbox runs, with these code modules in scope, whose builds are there. The bytes
    /// are the program: nothing is added to them. What it gives is a function of its input alone. Callers go by
    /// [`modules::program`], which makes what builds are missing.
    fn program(
        &self,
        context: &mut PrepareContext<'_>,
        source: &str,
        modules: &[Module],
    ) -> Result<Prepared, PrepareError>;

    /// How its modules are built; none where a guest is given their sources.
    fn builds_modules(&self) -> Option<&dyn BuildModules> {
        None
    }

    /// What a module offers, once it was built.
    fn exports(&self, context: &mut PrepareContext<'_>, module: &Module) -> Result<Vec<Export>, PrepareError>;

    /// The key of a skill's or memory's module: the name as the language's users spell a module, with an underscore before
    /// what is somebody else's.
    fn module_key(&self, name: &str) -> String;

    /// How a program reaches a module.
    fn reach(&self, key: &str) -> Reach;

    /// What is better done once a worker than in front of the first turn: runs off the path of turns when a worker starts,
    /// while turns may run. It may fail, and may have been done before.
    fn warm_prepare(&self, _site: &Site) -> Result<(), PrepareError> {
        Ok(())
    }

    /// How a person would run the compiler on a program, with the same flags and the same artifacts: the baseline of
    /// benchmarks. None where nothing compiles.
    fn bare(&self, _artifacts: &ArtifactSet, _source: &Path, _output: &Path) -> Option<BareCommand> {
        None
    }

    /// The entries of the working directory that outlive a preparation, for a toolchain that owns its own build tree.
    fn persistent_work(&self) -> &'static [&'static str] {
        &[]
    }
}

/// A compiler's command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BareCommand {
    /// The compiler.
    pub program: PathBuf,
    /// What it is told.
    pub args: Vec<OsString>,
    /// What its environment has beside the usual.
    pub env: Vec<(String, OsString)>,
    /// Where it runs.
    pub folder: PathBuf,
}

/// How a program reaches a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The line that brings it into scope.
    pub import: String,
    /// What stands before an export's name.
    pub prefix: String,
}

/// Why an arm's preparations cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no compiler.
    #[error(transparent)]
    Missing(#[from] ToolchainMissing),
    /// There is one, and it is not the one that the artifacts were built by, or a part of it is missing.
    #[error("the {toolchain} toolchain at {} cannot be used: {reason}; install it again: containers/gg-toolchains/{toolchain}.sh --force", program.display())]
    Unusable {
        /// The arm's toolchain.
        toolchain: &'static str,
        /// The compiler.
        program: PathBuf,
        /// Why.
        reason: String,
    },
    /// The artifacts do not read.
    #[error("the artifacts of {arm} cannot be used: {reason}; build them again: worker artifacts build --arm {arm}")]
    Artifacts {
        /// The arm.
        arm: Arm,
        /// Why.
        reason: String,
    },
}

/// The language of an arm.
pub fn language(arm: Arm) -> &'static dyn ProgramLanguage {
    match arm {
        Arm::Javascript => &javascript::Javascript,
        Arm::Python => &python::Python,
        Arm::Typescript => &typescript::Typescript,
        Arm::Rust => &rust::Rust,
    }
}
