//! Writing a module anew, and where its parts stood.

use super::parse::Parsed;
use super::{Lowered, Refused};
use crate::places::{Lines, Places};
use swc_common::{BytePos, LineCol, Mark};
use swc_ecma_ast::{Pass, Program};
use swc_ecma_codegen::text_writer::JsWriter;
use swc_ecma_codegen::{Config, Emitter};
use swc_ecma_transforms_base::fixer::fixer;
use swc_ecma_transforms_base::helpers::{HELPERS, Helpers, inject_helpers};
use swc_ecma_transforms_base::hygiene::hygiene;
use swc_ecma_transforms_base::resolver;
use swc_ecma_transforms_proposal::decorator_2023_11::decorator_2023_11;
use swc_ecma_transforms_typescript::typescript;

fn settings() -> typescript::Config {
    typescript::Config {
        native_class_properties: true,
        import_export_assign_config: typescript::TsImportExportAssignConfig::EsNext,
        ..typescript::Config::default()
    }
}

/// Takes the types out of a tree, and with them the imports that are only types.
pub(super) fn strip_types(program: &mut Program) {
    let (unresolved, top_level) = (Mark::new(), Mark::new());
    HELPERS.set(&Helpers::new(false), || {
        program.mutate(resolver(unresolved, top_level, true));
        program.mutate(typescript::typescript(settings(), unresolved, top_level));
    });
}

/// The module that a program is, with what its constructs mean written out.
pub(super) fn module(parsed: &Parsed) -> Lowered {
    let mut program = Program::Module(parsed.module.clone());
    let (unresolved, top_level) = (Mark::new(), Mark::new());
    HELPERS.set(&Helpers::new(false), || {
        let mut passes = (
            resolver(unresolved, top_level, true),
            decorator_2023_11(),
            typescript::typescript(settings(), unresolved, top_level),
            inject_helpers(unresolved),
            hygiene(),
            fixer(Some(&parsed.comments)),
        );
        passes.process(&mut program);
    });
    let (mut text, mut map) = (Vec::with_capacity(parsed.text().len() * 2), Vec::new());
    let writer = JsWriter::new(parsed.files.clone(), "\n", &mut text, Some(&mut map));
    let mut emitter = Emitter { cfg: Config::default(), cm: parsed.files.clone(), comments: None, wr: Box::new(writer) };
    let emitted = emitter.emit_program(&program);
    drop(emitter);
    std::mem::forget(program);
    match (emitted, String::from_utf8(text)) {
        (Ok(()), Ok(text)) => Lowered::Moved(text, places(parsed, &map)),
        (Err(error), _) => refused(error.to_string()),
        (_, Err(error)) => refused(error.to_string()),
    }
}

fn refused(message: String) -> Lowered {
    Lowered::Refused(Refused { jsx: false, message, line: 1, column: 1 })
}

fn places(parsed: &Parsed, map: &[(BytePos, LineCol)]) -> Places {
    let lines = Lines::of(parsed.text());
    let end = parsed.file.end_pos;
    let mut places: Vec<[u32; 4]> = map
        .iter()
        .filter(|(position, _)| *position >= parsed.file.start_pos && *position <= end)
        .map(|(position, written)| {
            let (line, column) = lines.place(parsed.at(*position));
            [written.line + 1, written.col + 1, line, column]
        })
        .collect();
    // Of two places that were written at one, the last is what begins there.
    places.sort_by_key(|[line, column, ..]| (*line, *column));
    places.reverse();
    places.dedup_by_key(|[line, column, ..]| (*line, *column));
    places.reverse();
    Places(places)
}
