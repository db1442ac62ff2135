//! Writing a module anew, and where its parts stood.

use super::parse::Parsed;
use super::layout::laid_out;
use super::{Kind, Lowered, Refused};
use swc_common::Mark;
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
        // No member is written in another's place: a use stays where it stood.
        ts_enum_is_mutable: true,
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
        (Ok(()), Ok(text)) => {
            let (text, places) = laid_out(parsed, &text, &map);
            Lowered::Moved(text, places)
        }
        (Err(error), _) => refused(error.to_string()),
        (_, Err(error)) => refused(error.to_string()),
    }
}

fn refused(message: String) -> Lowered {
    Lowered::Refused(Refused { kind: Kind::Syntax, message, line: 1, column: 1 })
}
