//! TypeScript: tsc checks the reply as it is, and the guest of the JavaScript arm runs it without its types. What takes
//! them off is a binary of ours, which becomes the compiler when it is done: one confined process does both.

mod diagnostics;
mod toolchain;

use super::seam::{PrepareContext, not_started, tail};
use super::{Band, OpenError, Places, Prepare, PrepareError, Prepared, ProgramLanguage, ToolchainEnd, ToolchainFailure, seam};
use crate::artifacts::ArtifactSet;
use diagnostics::Said;
use gg_common::arm::Arm;
use serde::Deserialize;
use std::path::Path;
use toolchain::Toolchain;

/// The TypeScript arm.
#[derive(Debug)]
pub struct Typescript;

/// The name that every program is checked under.
const PROGRAM: &str = "program.ts";
/// What the guest runs of it.
const LOWERED: &str = "program.js";
/// Where the parts of that stood in the program, if they stood elsewhere.
const PLACES: &str = "places.json";
/// Why there is nothing to run.
const REFUSED: &str = "refused.json";
/// The largest of these that is read back, in bytes. A program is far smaller.
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

/// Why a program cannot be lowered, as `gg-source` says it.
#[derive(Debug, Deserialize)]
struct Refused {
    jsx: bool,
    message: String,
    line: u32,
    column: u32,
}

impl Refused {
    fn rejection(&self, message: &str) -> PrepareError {
        let Refused { line, column, .. } = self;
        PrepareError::Rejected { band: Band::Unsupported, text: format!("{PROGRAM}({line},{column}): error: {message}\n") }
    }
}

impl Prepare for Tsc {
    fn program(&self, context: &mut PrepareContext<'_>, source: &str) -> Result<Prepared, PrepareError> {
        let workspace = context.workspace()?;
        workspace
            .write(PROGRAM, source.as_bytes())
            .map_err(|error| not_started("tsc", format!("{PROGRAM} cannot be written: {error}")))?;
        let output = workspace.from_work(&workspace.output());
        let checked = self.toolchain.check(context, PROGRAM, Some(&output)).run();
        let checked = checked.map_err(|error| named(error, context))?;
        let said = Said::read(&checked.stdout, &self.toolchain.places(context)?);
        if checked.status == 0 && said.is_empty() {
            return lowered(context);
        }
        if said.is_empty() {
            let both = [checked.stdout, checked.stderr].concat();
            let failure = ToolchainFailure {
                compiler: "tsc".to_owned(),
                end: ToolchainEnd::Exited(checked.status),
                tail: tail(&both),
                suspect: None,
            };
            return Err(named(PrepareError::Toolchain(failure), context));
        }
        // What the parser alone complains of is a matter of syntax.
        let parsed = self.toolchain.parse(context, PROGRAM).run()?;
        if Said::read(&parsed.stdout, &self.toolchain.places(context)?).is_empty() {
            return Err(PrepareError::Rejected { band: Band::Compile, text: said.text() });
        }
        match refused(context)? {
            Some(refused) if refused.jsx => Err(refused.rejection(
                "A program is TypeScript without JSX: there is no page to put elements on. Write text, by console.log or views.openText.",
            )),
            _ => Err(PrepareError::Rejected { band: Band::Syntax, text: said.text() }),
        }
    }
}

/// What the guest runs of a program that was accepted.
fn lowered(context: &mut PrepareContext<'_>) -> Result<Prepared, PrepareError> {
    if let Some(refused) = refused(context)? {
        return Err(refused.rejection(&refused.message));
    }
    let Some(source) = read(context, LOWERED)? else {
        return Err(not_started("gg-source", "it ended well and wrote nothing to run".to_owned()));
    };
    Ok(match read_json::<Places>(context, PLACES)? {
        Some(places) => Prepared::Rewritten(source, places),
        None => Prepared::Source(source),
    })
}

fn refused(context: &mut PrepareContext<'_>) -> Result<Option<Refused>, PrepareError> {
    read_json(context, REFUSED)
}

fn read_json<T: serde::de::DeserializeOwned>(
    context: &mut PrepareContext<'_>,
    name: &str,
) -> Result<Option<T>, PrepareError> {
    let Some(json) = read(context, name)? else { return Ok(None) };
    serde_json::from_slice(&json).map(Some).map_err(|error| not_started("gg-source", format!("{name}: {error}")))
}

fn read(context: &mut PrepareContext<'_>, name: &str) -> Result<Option<Vec<u8>>, PrepareError> {
    let workspace = context.workspace()?;
    let path = workspace.output().join(name);
    workspace.read(&path, OUTPUT_BYTES).map_err(|error| not_started("gg-source", format!("{name} cannot be read: {error}")))
}

/// Says whose end it was: the process was the compiler's from when the program was lowered.
fn named(error: PrepareError, context: &mut PrepareContext<'_>) -> PrepareError {
    let PrepareError::Toolchain(mut failure) = error else { return error };
    let lowered = |context: &mut PrepareContext<'_>| {
        let output = context.workspace().ok()?.output();
        [LOWERED, REFUSED].iter().any(|name| output.join(Path::new(name)).exists()).then_some(())
    };
    failure.compiler = if lowered(context).is_some() { "tsc" } else { "gg-source" }.to_owned();
    PrepareError::Toolchain(failure)
}
