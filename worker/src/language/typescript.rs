//! TypeScript: tsc checks the reply as it is, and the guest of the JavaScript arm runs it without its types. What takes
//! them off is a binary of ours, which becomes the compiler when it is done: one confined process does both.

mod diagnostics;
mod toolchain;

use super::javascript::{module_key, reach};
use super::seam::{Compiled, PrepareContext, not_started, tail};
use super::{
    Band, BareCommand, BuildModules, Module, OpenError, Places, Prepare, PrepareError, Prepared, ProgramLanguage, Reach,
};
use super::{ToolchainEnd, ToolchainFailure, seam};
use crate::artifacts::ArtifactSet;
use diagnostics::Said;
use gg_common::arm::Arm;
use gg_source::exports::Export;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toolchain::{Check, Toolchain};

/// The TypeScript arm.
#[derive(Debug)]
pub struct Typescript;

/// The name that every program is checked under.
const PROGRAM: &str = "program.ts";
/// The largest file that is read back, in bytes. A program is far smaller.
const OUTPUT_BYTES: u64 = 64 << 20;

impl ProgramLanguage for Typescript {
    fn arm(&self) -> Arm {
        Arm::Typescript
    }

    fn checker(&self) -> Option<&'static str> {
        Some("tsc")
    }

    fn open(&self, artifacts: &ArtifactSet, places: &seam::Places) -> Result<Box<dyn Prepare>, OpenError> {
        Ok(Box::new(Tsc { toolchain: Toolchain::open(artifacts, places)? }))
    }

    fn selfcheck_program(&self) -> &'static str {
        r#"import { openText } from "gg/views";
import { ApiError, type ErrorCode } from "gg/core";

enum Verdict {
  Good = "ok",
  Bad = "wrong sum",
}
const sum: number = await Promise.resolve([1, 2, 3].reduce((a, b) => a + b, 0));
const expected: ErrorCode = "invalid-argument";
try {
  openText("", "a label must not be empty");
  throw new Error("an empty label was taken");
} catch (error) {
  if (!(error instanceof ApiError) || error.code !== expected) throw error;
}
openText("selfcheck", sum === 6 ? Verdict.Good : Verdict.Bad);
"#
    }

    fn hello_program(&self) -> &'static str {
        "const word: string = \"hello\";\nconsole.log(word);\n"
    }
}

/// The preparations of the arm.
#[derive(Debug)]
struct Tsc {
    toolchain: Toolchain,
}

/// What the guest runs of a source.
struct Lowered {
    source: Vec<u8>,
    places: Option<Places>,
}

/// Why a source cannot be lowered, as `gg-source` says it.
#[derive(Debug, Deserialize)]
struct Refused {
    kind: Kind,
    message: String,
    line: u32,
    column: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Syntax,
    Jsx,
    Bound,
}

impl Refused {
    fn rejection(&self, file: &str, message: &str) -> PrepareError {
        let text = format!("{file}({},{}): error: {message}\n", self.line, self.column);
        PrepareError::Rejected { band: Band::Unsupported, text }
    }
}

impl Tsc {
    /// Has a source of the workspace checked and lowered.
    fn check(&self, context: &mut PrepareContext<'_>, check: &Check<'_>) -> Result<Lowered, PrepareError> {
        let (file, stem) = (check.file, check.file.trim_end_matches(".ts"));
        let checked = self.toolchain.check(context, check)?.run().map_err(|error| named(error, context, stem))?;
        let said = self.said(context, &checked, file)?;
        if checked.status == 0 && said.is_empty() {
            return lowered(context, file, stem);
        }
        if said.is_empty() {
            let failure = ToolchainFailure {
                compiler: "tsc".to_owned(),
                end: ToolchainEnd::Exited(checked.status),
                tail: tail(&[checked.stdout, checked.stderr].concat()),
                suspect: None,
            };
            return Err(named(PrepareError::Toolchain(failure), context, stem));
        }
        // What its parser alone complains of is a matter of syntax.
        let parsed = self.toolchain.parse(context, file)?.run()?;
        if self.said(context, &parsed, file)?.is_empty() {
            return Err(PrepareError::Rejected { band: Band::Compile, text: said.text() });
        }
        match refused(context, stem)? {
            Some(refused) if refused.kind == Kind::Jsx => Err(refused.rejection(file, JSX)),
            _ => Err(PrepareError::Rejected { band: Band::Syntax, text: said.text() }),
        }
    }

    fn said(&self, context: &mut PrepareContext<'_>, compiled: &Compiled, file: &str) -> Result<Said, PrepareError> {
        Ok(Said::read(&compiled.stdout, file, &self.toolchain.hidden(context)?))
    }
}

/// What is said of a program with JSX.
const JSX: &str =
    "JSX is not available: there is no page to put elements on. Write text, by console.log or openText of gg/views.";

impl Prepare for Tsc {
    fn program(
        &self,
        context: &mut PrepareContext<'_>,
        source: &str,
        modules: &[Module],
    ) -> Result<Prepared, PrepareError> {
        context.write_source("tsc", PROGRAM, source)?;
        let keys: Vec<&str> = modules.iter().map(|module| module.key.as_str()).collect();
        let program = self.check(context, &Check::program(PROGRAM, &keys))?;
        let mut places: Vec<_> = program.places.map(|places| (PROGRAM.to_owned(), places)).into_iter().collect();
        let mut sources = Vec::new();
        for key in keys {
            let folder = context.workspace()?.module(key);
            let Some(source) = read(context, &folder.join(lowered_file(key)))? else {
                return Err(not_started("tsc", format!("the build of the module {key} is not there")));
            };
            sources.push((key.to_owned(), source));
            if let Some(moved) = read_json(context, &folder.join(places_file(key)))? {
                places.push((format!("lib/{key}"), moved));
            }
        }
        Ok(Prepared::Source { program: program.source, places, modules: sources })
    }

    fn bare(&self, artifacts: &ArtifactSet, source: &Path, _: &Path) -> Option<BareCommand> {
        Some(self.toolchain.bare(artifacts, source))
    }

    fn builds_modules(&self) -> Option<&dyn BuildModules> {
        Some(self)
    }

    fn exports(&self, context: &mut PrepareContext<'_>, module: &Module) -> Result<Vec<Export>, PrepareError> {
        let workspace = context.workspace()?;
        let declarations = workspace.from_work(&workspace.output().join(declarations_file(&module.key)));
        context.exports("typescript", &declarations)
    }

    fn module_key(&self, name: &str) -> String {
        module_key(name)
    }

    fn reach(&self, key: &str) -> Reach {
        reach(key)
    }
}

impl BuildModules for Tsc {
    fn build(
        &self,
        context: &mut PrepareContext<'_>,
        module: &Module,
        folder: &Path,
    ) -> Result<Vec<PathBuf>, PrepareError> {
        let key = &module.key;
        let file = format!("{key}.ts");
        context.write_source("tsc", &file, &module.source)?;
        let built = self.check(context, &Check::module(&file))?;
        let workspace = context.workspace()?;
        let declarations = workspace.output().join(declarations_file(key));
        let Some(declarations) = read(context, &declarations)? else {
            return Err(not_started("tsc", format!("it ended well and declared nothing of {file}")));
        };
        let mut files = vec![
            (lowered_file(key), built.source),
            (declarations_file(key), ambient(key, &String::from_utf8_lossy(&declarations)).into_bytes()),
        ];
        if built.places.is_some() {
            let places = output(context, &places_file(key))?;
            files.extend(read(context, &places)?.map(|places| (places_file(key), places)));
        }
        for (name, bytes) in &files {
            let placed = context.workspace()?.place(folder, Path::new(name), bytes);
            placed.map_err(|error| not_started("tsc", format!("{name} cannot be written: {error}")))?;
        }
        Ok(files.into_iter().map(|(name, _)| name.into()).collect())
    }
}

/// What the guest is given of a source.
fn lowered_file(stem: &str) -> String {
    format!("{stem}.js")
}

/// Where the parts of that stood, if they stood elsewhere.
fn places_file(stem: &str) -> String {
    format!("{stem}.places.json")
}

/// Why there is nothing to run.
fn refused_file(stem: &str) -> String {
    format!("{stem}.refused.json")
}

/// What a module offers, for whoever is checked against it.
fn declarations_file(stem: &str) -> String {
    format!("{stem}.d.ts")
}

/// A module's declarations, by the name that it is imported by. They are ambient there already. A module that does not say
/// that it is none of CommonJS is taken to have a default.
fn ambient(key: &str, declarations: &str) -> String {
    let lines = declarations.lines().map(|line| {
        let line = line.strip_prefix("export declare ").map_or(line.to_owned(), |rest| format!("export {rest}"));
        line.strip_prefix("declare ").map_or(line.clone(), str::to_owned)
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    format!("declare module \"lib/{key}\" {{\n{lines}\nexport const __esModule: never;\n}}\n")
}

/// What the guest runs of a source that was accepted.
fn lowered(context: &mut PrepareContext<'_>, file: &str, stem: &str) -> Result<Lowered, PrepareError> {
    if let Some(refused) = refused(context, stem)? {
        return Err(refused.rejection(file, &refused.message));
    }
    let source = output(context, &lowered_file(stem))?;
    let Some(source) = read(context, &source)? else {
        return Err(not_started("gg-source", "it ended well and wrote nothing to run".to_owned()));
    };
    let places = output(context, &places_file(stem))?;
    Ok(Lowered { source, places: read_json(context, &places)? })
}

fn refused(context: &mut PrepareContext<'_>, stem: &str) -> Result<Option<Refused>, PrepareError> {
    let path = output(context, &refused_file(stem))?;
    read_json(context, &path)
}

fn output(context: &mut PrepareContext<'_>, name: &str) -> Result<PathBuf, PrepareError> {
    Ok(context.workspace()?.output().join(name))
}

fn read_json<T: serde::de::DeserializeOwned>(
    context: &mut PrepareContext<'_>,
    path: &Path,
) -> Result<Option<T>, PrepareError> {
    let Some(json) = read(context, path)? else { return Ok(None) };
    let read = serde_json::from_slice(&json).map(Some);
    read.map_err(|error| not_started("gg-source", format!("{}: {error}", path.display())))
}

fn read(context: &mut PrepareContext<'_>, path: &Path) -> Result<Option<Vec<u8>>, PrepareError> {
    let read = context.workspace()?.read(path, OUTPUT_BYTES);
    read.map_err(|error| not_started("gg-source", format!("{} cannot be read: {error}", path.display())))
}

/// Says whose end it was: the process was the compiler's from when the source was lowered.
fn named(error: PrepareError, context: &mut PrepareContext<'_>, stem: &str) -> PrepareError {
    let PrepareError::Toolchain(mut failure) = error else { return error };
    let Ok(folder) = context.workspace().map(|workspace| workspace.output()) else {
        return PrepareError::Toolchain(failure);
    };
    let is_lowered = [lowered_file(stem), refused_file(stem)].iter().any(|name| folder.join(name).exists());
    failure.compiler = if is_lowered { "tsc" } else { "gg-source" }.to_owned();
    PrepareError::Toolchain(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_modules_declarations_are_ambient_by_its_name() {
        let declared = "import { A } from \"gg/core\";\nexport declare function f(): A;\ndeclare const x = 1;\nexport interface I {\n    declare: x;\n}\nexport {};\n";
        let expected = "declare module \"lib/tools\" {\nimport { A } from \"gg/core\";\nexport function f(): A;\nconst x = 1;\nexport interface I {\n    declare: x;\n}\nexport {};\nexport const __esModule: never;\n}\n";
        assert_eq!(ambient("tools", declared), expected);
    }
}
