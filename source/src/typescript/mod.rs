//! From a TypeScript program to the ECMAScript module that the guest runs. Where types can be blanked, they are, and every
//! line and column stays where it was. Where a construct is more than its types (`enum`, `namespace`, a parameter property,
//! a decorator, …), the module is written anew, and it is known where its parts stood.

mod command;
mod emit;
mod engine;
mod features;
mod imports;
mod layout;
mod nesting;
mod parse;

pub use command::strip;

use crate::places::Places;
use features::Features;
use serde::Serialize;
use swc_common::errors::Handler;
use swc_common::sync::Lrc;
use swc_common::{FileName, GLOBALS, Globals, SourceMap};
use swc_ts_fast_strip::{ErrorCode, Mode, Options};

/// What there is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lowered {
    /// The program without its types: everything else is where it was.
    Stripped(String),
    /// A module that was written anew, and where its parts stood.
    Moved(String, Places),
    /// Nothing.
    Refused(Refused),
}

/// Why there is nothing to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// What kind of reason it is.
    pub kind: Kind,
    /// What is wrong.
    pub message: String,
    /// Its 1-based line.
    pub line: u32,
    /// Its 1-based column, in UTF-16 units.
    pub column: u32,
}

/// What kind of reason there is to run nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It does not read, or not as a module of the guest's.
    Syntax,
    /// It would read as a program with JSX.
    Jsx,
    /// A bound was passed: nobody should read it.
    Bound,
}

/// Lowers a program. The call may need a stack of hundreds of MiB.
pub fn lower(source: &str) -> Lowered {
    if let Some(refused) = nesting::too_deep(source) {
        return Lowered::Refused(refused);
    }
    GLOBALS.set(&Globals::default(), || {
        let parsed = match parse::module(source) {
            Ok(parsed) => parsed,
            Err(refused) => return Lowered::Refused(refused),
        };
        let lowered = match features::of(&parsed) {
            Err(refused) => Lowered::Refused(refused),
            Ok(Features { syntax: true, .. }) => emit::module(&parsed),
            Ok(Features { syntax: false, imports }) => {
                let source = if imports { imports::without_types(&parsed) } else { source.to_owned() };
                blanked(source).map_or_else(|| emit::module(&parsed), Lowered::Stripped)
            }
        };
        let lowered = engine::refuses(&parsed, &lowered).map_or(lowered, Lowered::Refused);
        // Taking a deep tree down costs more than leaving it to the process's end.
        std::mem::forget(parsed);
        lowered
    })
}

/// Blanks the types; none where that cannot be done in place.
fn blanked(source: String) -> Option<String> {
    let files: Lrc<SourceMap> = Lrc::default();
    let handler = Handler::with_emitter_writer(Box::new(std::io::sink()), Some(files.clone()));
    let options = Options {
        module: Some(true),
        filename: None,
        parser: parse::syntax(parse::Jsx::Refused),
        mode: Mode::StripOnly,
        transform: None,
        deprecated_ts_module_as_error: None,
        source_map: false,
    };
    match swc_ts_fast_strip::operate(&files, &handler, source, options) {
        Ok(stripped) => Some(stripped.code),
        Err(error) => {
            debug_assert!(matches!(error.code, ErrorCode::UnsupportedSyntax), "the same source was parsed before: {error}");
            None
        }
    }
}

/// The file's name in a source map of one file.
fn file_name() -> Lrc<FileName> {
    Lrc::new(FileName::Custom("program.ts".to_owned()))
}

#[cfg(test)]
mod tests;
