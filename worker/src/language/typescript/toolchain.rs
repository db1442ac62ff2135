//! The compiler of the arm, and what it is told: `toolchain.json` of the artifacts.

use crate::artifacts::ArtifactSet;
use crate::language::seam::{Compiler, Places, PrepareContext, WORK, ask, find_program};
use crate::language::{BareCommand, OpenError, PrepareError};
use gg_common::arm::Arm;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variable that names the compiler.
const VARIABLE: &str = "TCAB_GG_TSC";

/// What the artifacts' `toolchain.json` says.
#[derive(Debug, Clone, Deserialize)]
struct Manifest {
    /// The release whose library the declarations were composed of.
    release: String,
    declarations: Declarations,
    arguments: Arguments,
    environment: BTreeMap<String, String>,
}

/// What a source is checked against: files of a folder of the artifacts.
#[derive(Debug, Clone, Deserialize)]
struct Declarations {
    folder: String,
    files: Vec<String>,
}

/// What the compiler is told; `{output}` stands for the folder of what it makes.
#[derive(Debug, Clone, Deserialize)]
struct Arguments {
    common: Vec<String>,
    program: Vec<String>,
    module: Vec<String>,
    syntax: Vec<String>,
}

/// The compiler and what it is told.
#[derive(Debug, Clone)]
pub(super) struct Toolchain {
    tsc: PathBuf,
    manifest: Manifest,
}

/// A check of a source in the workspace.
#[derive(Debug, Clone)]
pub(super) struct Check<'a> {
    /// The source's file.
    pub(super) file: &'a str,
    kind: Kind<'a>,
}

#[derive(Debug, Clone)]
enum Kind<'a> {
    /// A program, with the modules of these keys in scope.
    Program(&'a [&'a str]),
    /// A module, which is declared for programs.
    Module,
}

impl<'a> Check<'a> {
    /// A program's, with the modules of these keys in scope.
    pub(super) fn program(file: &'a str, keys: &'a [&'a str]) -> Check<'a> {
        Check { file, kind: Kind::Program(keys) }
    }

    /// A module's.
    pub(super) fn module(file: &'a str) -> Check<'a> {
        Check { file, kind: Kind::Module }
    }
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
        Ok(Toolchain { tsc, manifest })
    }

    /// A check of a source; before it, what the guest runs of the source is written to where compilers put what they make.
    pub(super) fn check<'c, 'a>(
        &self,
        context: &'c mut PrepareContext<'a>,
        check: &Check<'_>,
    ) -> Result<Compiler<'c, 'a>, PrepareError> {
        let Arguments { program, module, .. } = &self.manifest.arguments;
        let workspace = context.workspace()?;
        let output = workspace.from_work(&workspace.output());
        let (own, modules): (_, Vec<PathBuf>) = match check.kind {
            Kind::Program(keys) => {
                let declared = |key: &&str| {
                    workspace.from_work(&workspace.module(key).join(super::declarations_file(key)))
                };
                (program, keys.iter().map(declared).collect())
            }
            Kind::Module => (module, Vec::new()),
        };
        let own = own.iter().map(|argument| argument.replace("{output}", &output.display().to_string()));
        let own: Vec<String> = own.collect();
        let source_tool = context.source_tool()?;
        let declarations = self.declarations(context);
        let first = context.compiler(&source_tool).reads(&source_tool);
        let first = first.arg("strip").arg(check.file).arg(output).arg("--then").arg(&self.tsc);
        Ok(self.told(first, &own, declarations).args(modules).arg(check.file))
    }

    /// A check of a program as a person would run it: nothing is confined, and nothing of the environment set.
    pub(super) fn bare(&self, artifacts: &ArtifactSet, source: &Path) -> BareCommand {
        let Manifest { declarations: Declarations { folder, files }, arguments, .. } = &self.manifest;
        let told = arguments.common.iter().chain(&arguments.program).map(OsString::from);
        let files = files.iter().map(|file| artifacts.path(folder).join(file).into_os_string());
        BareCommand {
            program: self.tsc.clone(),
            args: told.chain(files).chain([source.as_os_str().to_owned()]).collect(),
            env: Vec::new(),
            folder: source.parent().unwrap_or(Path::new("/")).to_owned(),
        }
    }

    /// A run of its parser alone.
    pub(super) fn parse<'c, 'a>(
        &self,
        context: &'c mut PrepareContext<'a>,
        file: &str,
    ) -> Result<Compiler<'c, 'a>, PrepareError> {
        let declarations = self.declarations(context);
        let compiler = context.compiler(&self.tsc);
        Ok(self.told(compiler, &self.manifest.arguments.syntax, declarations).arg(file))
    }

    fn told<'c, 'a>(&self, compiler: Compiler<'c, 'a>, own: &[String], declarations: PathBuf) -> Compiler<'c, 'a> {
        let Manifest { declarations: Declarations { files, .. }, arguments, environment, .. } = &self.manifest;
        let compiler = environment.iter().fold(compiler, |compiler, (name, value)| compiler.env(name, value));
        compiler
            // It does not start where it cannot ask which file it is, nor without this file beside it, which it never reads.
            .finds_itself(&self.tsc)
            .reads(&self.tsc)
            .reads(&self.tsc.with_file_name("lib.d.ts"))
            .reads(&declarations)
            .args(&arguments.common)
            .args(own)
            .args(files.iter().map(|file| declarations.join(file)))
    }

    fn declarations(&self, context: &PrepareContext<'_>) -> PathBuf {
        context.artifact(&self.manifest.declarations.folder)
    }

    /// The folders by which the compiler may call what it read: not for a model to see.
    pub(super) fn hidden(&self, context: &mut PrepareContext<'_>) -> Result<Vec<PathBuf>, PrepareError> {
        let work = context.workspace()?.work();
        Ok(vec![self.declarations(context), WORK.into(), work])
    }
}
