//! The compiler of the arm, and what it is told: `toolchain.json` of the artifacts.

use crate::artifacts::ArtifactSet;
use crate::confine::locate;
use crate::language::seam::{Compiler, Places, PrepareContext, WORK, ask, find_program};
use crate::language::{OpenError, PrepareError};
use gg_common::arm::Arm;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The variable that names the compiler.
const VARIABLE: &str = "TCAB_GG_TSC";

/// What the artifacts' `toolchain.json` says.
#[derive(Debug, Clone, Deserialize)]
struct Manifest {
    /// The release whose library the declarations were composed of.
    release: String,
    /// The files that a program is checked against, in `folder` of the artifacts.
    declarations: Declarations,
    /// What a check is told.
    arguments: Vec<String>,
    /// What it is told beside, to parse and no more.
    syntax: Vec<String>,
    environment: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
struct Declarations {
    folder: String,
    files: Vec<String>,
}

/// The compiler and what it is told.
#[derive(Debug, Clone)]
pub(super) struct Toolchain {
    tsc: PathBuf,
    /// What lowers a program and then becomes the compiler.
    source: PathBuf,
    manifest: Manifest,
}

impl Toolchain {
    pub(super) fn open(artifacts: &ArtifactSet, places: &Places) -> Result<Toolchain, OpenError> {
        let path = artifacts.path("toolchain.json");
        let unread = |reason: String| OpenError::Artifacts { arm: Arm::Typescript, reason };
        let manifest = std::fs::read(&path).map_err(|error| unread(format!("{}: {error}", path.display())))?;
        let manifest: Manifest =
            serde_json::from_slice(&manifest).map_err(|error| unread(format!("{}: {error}", path.display())))?;
        let found = find_program("typescript", VARIABLE, "tsc", places)?;
        let unusable = |program: &Path, reason| OpenError::Unusable {
            toolchain: "typescript",
            program: program.to_owned(),
            reason,
        };
        // What is shown to a check is where the compiler really lies.
        let tsc = found.program.canonicalize().map_err(|error| unusable(&found.program, error.to_string()))?;
        let says = ask(&tsc, &["--version"], &[]).map_err(|reason| unusable(&tsc, reason))?;
        if says.split_whitespace().last() != Some(manifest.release.as_str()) {
            let reason = format!("it says {:?}, and programs are checked by tsc {}", says.trim(), manifest.release);
            return Err(unusable(&tsc, reason));
        }
        Ok(Toolchain { tsc, source: locate::find(locate::SOURCE)?, manifest })
    }

    /// A check of a program; before it, what the guest runs of the program is written into the folder `lowered`, if one is
    /// given.
    pub(super) fn check<'c, 'a>(
        &self,
        context: &'c mut PrepareContext<'a>,
        program: &str,
        lowered: Option<&Path>,
    ) -> Compiler<'c, 'a> {
        let declarations = context.artifact(&self.manifest.declarations.folder);
        let files = self.manifest.declarations.files.iter().map(|file| declarations.join(file));
        let files: Vec<PathBuf> = files.collect();
        let first = if lowered.is_some() { &self.source } else { &self.tsc };
        let mut compiler = context.compiler(first).reads(&self.tsc).reads(&declarations);
        if let Some(folder) = lowered {
            compiler =
                compiler.reads(&self.source).arg("strip").arg(program).arg(folder).arg("--then").arg(&self.tsc);
        }
        for (name, value) in &self.manifest.environment {
            compiler = compiler.env(name, value);
        }
        compiler.args(&self.manifest.arguments).args(files).arg(program)
    }

    /// A run of its parser alone.
    pub(super) fn parse<'c, 'a>(&self, context: &'c mut PrepareContext<'a>, program: &str) -> Compiler<'c, 'a> {
        self.check(context, program, None).args(&self.manifest.syntax)
    }

    /// The folders by which the compiler may call what it read: not for a model to see.
    pub(super) fn places(&self, context: &mut PrepareContext<'_>) -> Result<Vec<PathBuf>, PrepareError> {
        let work = context.workspace()?.work();
        Ok(vec![context.artifact(&self.manifest.declarations.folder), WORK.into(), work])
    }
}
