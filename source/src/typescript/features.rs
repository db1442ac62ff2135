//! What a program has that decides how it is lowered.

use super::Refused;
use super::parse::Parsed;
use swc_ecma_ast::{AutoAccessor, Decorator, ImportDecl, TsExportAssignment, TsExternalModuleRef};
use swc_ecma_visit::{Visit, VisitWith};

/// What decides how a program is lowered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Features {
    /// Whether it has syntax of a later ECMAScript than the guest's.
    pub(super) syntax: bool,
    /// Whether it imports names, of which some may be types.
    pub(super) imports: bool,
}

/// What a program has, or what it has that there is no way to run.
pub(super) fn of(parsed: &Parsed) -> Result<Features, Refused> {
    let mut finder = Finder { parsed, features: Features::default(), refused: None };
    parsed.module.visit_with(&mut finder);
    match finder.refused {
        Some(refused) => Err(refused),
        None => Ok(finder.features),
    }
}

struct Finder<'a> {
    parsed: &'a Parsed,
    features: Features,
    refused: Option<Refused>,
}

impl Finder<'_> {
    fn refuse(&mut self, span: swc_common::Span, message: &str) {
        self.refused.get_or_insert_with(|| self.parsed.refuse(span, message));
    }
}

impl Visit for Finder<'_> {
    fn visit_decorator(&mut self, decorator: &Decorator) {
        self.features.syntax = true;
        decorator.visit_children_with(self);
    }

    fn visit_auto_accessor(&mut self, accessor: &AutoAccessor) {
        self.features.syntax = true;
        accessor.visit_children_with(self);
    }

    fn visit_import_decl(&mut self, import: &ImportDecl) {
        self.features.imports |= !import.type_only && !import.specifiers.is_empty();
    }

    fn visit_ts_external_module_ref(&mut self, reference: &TsExternalModuleRef) {
        self.refuse(
            reference.span,
            "A program is an ES module: `import … = require(…)` has nothing to require. Write, for example: import * as files from \"gg/files\"",
        );
    }

    fn visit_ts_export_assignment(&mut self, assignment: &TsExportAssignment) {
        self.refuse(assignment.span, "A program is an ES module, and nothing imports it: leave `export =` out.");
    }
}
