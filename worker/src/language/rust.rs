//! Rust: a reply is a whole program, which one run of rustc makes a core module of.

mod diagnostics;
mod toolchain;

use super::interpreted::is_sdk_module;
use super::keys::snake_case;
use super::seam::{Compiled, Places, PrepareContext, not_started, tail};
use super::{
    Band, BareCommand, BuildModules, Guest, Module, OpenError, Prepare, PrepareError, Prepared, ProgramLanguage, Reach,
};
use crate::artifacts::ArtifactSet;
use crate::component::{self, Encoder};
use crate::language::{ToolchainEnd, ToolchainFailure};
use gg_common::arm::Arm;
use gg_source::exports::Export;
use std::path::{Path, PathBuf};
use toolchain::Toolchain;

/// The Rust arm.
#[derive(Debug)]
pub struct Rust;

/// The name that every program is compiled under.
const PROGRAM: &str = "program.rs";
/// What rustc makes of it.
const MODULE: &str = "program.wasm";
/// The largest module that is read back, in bytes; a smaller bound is the engine's.
const MODULE_BYTES: u64 = 256 << 20;

impl ProgramLanguage for Rust {
    fn arm(&self) -> Arm {
        Arm::Rust
    }

    fn checker(&self) -> Option<&'static str> {
        Some("rustc")
    }

    fn guest(&self) -> Guest {
        Guest::None
    }

    fn open(&self, artifacts: &ArtifactSet, places: &Places) -> Result<Box<dyn Prepare>, OpenError> {
        let toolchain = Toolchain::open(artifacts, places)?;
        let adapter = std::fs::read(artifacts.path(&toolchain.adapter)).map_err(|error| OpenError::Artifacts {
            arm: Arm::Rust,
            reason: format!("{}: {error}", toolchain.adapter),
        })?;
        Ok(Box::new(Rustc { toolchain, encoder: Encoder::new(adapter) }))
    }

    fn selfcheck_program(&self) -> &'static str {
        r#"use gg::core::ErrorCode;
use gg::views;

fn main() -> Result<(), gg::Failure> {
    let sum: i64 = serde_json::from_str::<Vec<i64>>("[1, 2, 3]")?.into_iter().sum();
    match views::open_text("", "a label must not be empty") {
        Err(error) if error.code == ErrorCode::InvalidArgument => {}
        _ => return Err(gg::program::message("an empty label was taken")),
    }
    views::open_text("selfcheck", if sum == 6 { "ok" } else { "wrong sum" })?;
    Ok(())
}
"#
    }

    fn hello_program(&self) -> &'static str {
        "fn main() {\n    println!(\"hello\");\n}\n"
    }
}

/// The preparations of the arm: its compiler, and what encodes what that makes.
#[derive(Debug)]
struct Rustc {
    toolchain: Toolchain,
    encoder: Encoder,
}

impl Prepare for Rustc {
    fn program(
        &self,
        context: &mut PrepareContext<'_>,
        source: &str,
        modules: &[Module],
    ) -> Result<Prepared, PrepareError> {
        context.write_source("rustc", PROGRAM, source)?;
        let workspace = context.workspace()?;
        let module = workspace.output().join(MODULE);
        let output = workspace.from_work(&module);
        let externs: Vec<String> = modules
            .iter()
            .map(|module| {
                let library = workspace.module(&module.key).join(library(&module.key));
                format!("--extern={}={}", module.key, workspace.from_work(&library).display())
            })
            .collect();
        let libraries = context.artifact(&self.toolchain.libraries);
        let compiled = self
            .toolchain
            .compiler(context)
            .args(self.toolchain.program_arguments(&libraries))
            .args(externs)
            .arg("-o")
            .arg(output)
            .arg(PROGRAM)
            .run()?;
        accepted(&compiled)?;
        let bytes = match context.workspace()?.read(&module, MODULE_BYTES) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err(not_started("rustc", "it ended well and made no module".to_owned())),
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                let text = format!(
                    "the compiled program's bytes are more than {MODULE_BYTES}, and far fewer are taken (bound moduleBytes). Write less, or keep less data in it."
                );
                return Err(PrepareError::Rejected { band: Band::Unsupported, text });
            }
            Err(error) => return Err(not_started("rustc", format!("its module cannot be read: {error}"))),
        };
        component_of(&self.encoder, &bytes)
    }

    fn bare(&self, artifacts: &ArtifactSet, source: &Path, output: &Path) -> Option<BareCommand> {
        Some(self.toolchain.bare(artifacts, source, output))
    }

    fn builds_modules(&self) -> Option<&dyn BuildModules> {
        Some(self)
    }

    fn exports(&self, context: &mut PrepareContext<'_>, module: &Module) -> Result<Vec<Export>, PrepareError> {
        // The build left the source where the compiler runs.
        context.exports("rust", Path::new(&source_file(&module.key)))
    }

    fn module_key(&self, name: &str) -> String {
        let is_reserved =
            |key: &str| self.toolchain.reserved.iter().any(|there| there == key) || KEYWORDS.contains(&key);
        snake_case(name, |key| is_reserved(key) || is_sdk_module(key))
    }

    fn reach(&self, key: &str) -> Reach {
        Reach { import: format!("use {key};"), prefix: format!("{key}::") }
    }
}

/// Words that name no crate.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// What a module's crate is compiled to.
fn library(key: &str) -> String {
    format!("lib{key}.rlib")
}

/// What a module's errors call its file.
fn source_file(key: &str) -> String {
    format!("{key}.rs")
}

impl BuildModules for Rustc {
    fn build(
        &self,
        context: &mut PrepareContext<'_>,
        module: &Module,
        folder: &Path,
    ) -> Result<Vec<PathBuf>, PrepareError> {
        let file = source_file(&module.key);
        context.write_source("rustc", &file, &module.source)?;
        let workspace = context.workspace()?;
        let output = workspace.from_work(&folder.join(library(&module.key)));
        let libraries = context.artifact(&self.toolchain.libraries);
        let compiled = self
            .toolchain
            .compiler(context)
            .args(self.toolchain.module_arguments(&libraries, &module.key))
            .arg("-o")
            .arg(output)
            .arg(&file)
            .run()?;
        accepted(&compiled)?;
        Ok(vec![library(&module.key).into()])
    }
}

/// Tells what a compiler that ended said: nothing against the source, the source's errors, or nothing at all about why it
/// failed.
fn accepted(compiled: &Compiled) -> Result<(), PrepareError> {
    let errors = diagnostics::errors(&compiled.stderr);
    if !errors.is_empty() {
        return Err(PrepareError::Rejected { band: Band::Compile, text: diagnostics::text(&errors) });
    }
    if compiled.status == 0 {
        return Ok(());
    }
    Err(PrepareError::Toolchain(ToolchainFailure {
        compiler: "rustc".to_owned(),
        end: ToolchainEnd::Exited(compiled.status),
        tail: tail(&compiled.stderr),
        suspect: None,
    }))
}

/// The component of a core module. What the program itself brings about is its own.
fn component_of(encoder: &Encoder, module: &[u8]) -> Result<Prepared, PrepareError> {
    let rejected = |band, text: String| PrepareError::Rejected { band, text };
    match component::check(module) {
        Ok(None) => {}
        Ok(Some(reached)) => return Err(rejected(Band::Unsupported, reached.to_string())),
        Err(error) => {
            return Err(rejected(
                Band::Compile,
                format!("error: the compiled program is no WebAssembly module: {error}"),
            ));
        }
    }
    encoder.encode(module).map(Prepared::Component).map_err(|error| {
        rejected(Band::Compile, format!("error: the program asks for something that its host does not have: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(status: i32, stderr: String) -> Compiled {
        Compiled { status, stdout: Vec::new(), stderr: stderr.into_bytes(), truncated: false }
    }

    fn diagnostic(level: &str, message: &str) -> String {
        serde_json::json!({ "level": level, "message": message, "rendered": format!("error: {message}\n") }).to_string()
    }

    #[test]
    fn what_says_nothing_against_the_program_is_the_compilers_own_failure() {
        assert_eq!(accepted(&compiled(0, diagnostic("warning", "unused"))), Ok(()));
        for stderr in [
            String::new(),
            "thread 'rustc' panicked at compiler/rustc_middle/src/ty/mod.rs".to_owned(),
            diagnostic("error: internal compiler error", "unexpected panic"),
            diagnostic("warning", "unused"),
            diagnostic("error", "aborting due to 1 previous error"),
        ] {
            let Err(PrepareError::Toolchain(failure)) = accepted(&compiled(101, stderr.clone())) else {
                panic!("{stderr}")
            };
            assert_eq!((failure.end, failure.tail.as_str()), (ToolchainEnd::Exited(101), stderr.as_str()));
        }
    }

    #[test]
    fn the_band_is_decided_before_anything_is_cut() {
        let many: Vec<String> = (0..10_000).map(|number| diagnostic("error", &format!("number {number}"))).collect();
        // What follows the errors that are shown changes nothing.
        let stderr = [many.join("\n"), diagnostic("error: internal compiler error", "delayed bug")].join("\n");
        let Err(PrepareError::Rejected { band, text }) = accepted(&compiled(1, stderr)) else { panic!("no rejection") };
        assert_eq!(band, Band::Compile);
        assert!(text.starts_with("error: number 0\n") && text.ends_with("(9992 more diagnostics not shown)"), "{text}");
    }
}
