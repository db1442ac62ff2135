//! Reading a program.

use super::{Kind, Refused, file_name};
use crate::places::Lines;
use swc_common::comments::SingleThreadedComments;
use swc_common::sync::Lrc;
use swc_common::{BytePos, SourceFile, SourceMap, Span, Spanned};
use swc_ecma_ast::{EsVersion, JSXElement, JSXFragment, Module};
use swc_ecma_parser::error::Error;
use swc_ecma_parser::unstable::{Capturing, TokenAndSpan};
use swc_ecma_parser::{EsSyntax, Parser, StringInput, Syntax, TsSyntax, lexer::Lexer};
use swc_ecma_visit::{Visit, VisitWith};

/// Whether JSX is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jsx {
    Read,
    Refused,
}

/// A program, read.
pub(super) struct Parsed {
    pub(super) files: Lrc<SourceMap>,
    pub(super) file: Lrc<SourceFile>,
    pub(super) module: Module,
    pub(super) comments: SingleThreadedComments,
}

impl Parsed {
    /// The program's text.
    pub(super) fn text(&self) -> &str {
        &self.file.src
    }

    /// A place in the text, in bytes.
    pub(super) fn at(&self, position: BytePos) -> usize {
        (position.0.saturating_sub(self.file.start_pos.0) as usize).min(self.text().len())
    }

    /// A refusal of what stands at a place.
    pub(super) fn refuse(&self, span: Span, message: impl Into<String>) -> Refused {
        refuse(&self.file, span, message.into())
    }
}

fn refuse(file: &SourceFile, span: Span, message: String) -> Refused {
    let at = span.lo.0.saturating_sub(file.start_pos.0) as usize;
    let (line, column) = Lines::of(&file.src).place(at.min(file.src.len()));
    Refused { kind: Kind::Syntax, message, line, column }
}

pub(super) fn syntax(jsx: Jsx) -> TsSyntax {
    TsSyntax { tsx: jsx == Jsx::Read, decorators: true, ..TsSyntax::default() }
}

/// Reads a module, or says what is wrong with the first part that does not read.
pub(super) fn module(source: &str) -> Result<Parsed, Refused> {
    let files: Lrc<SourceMap> = Lrc::default();
    let file = files.new_source_file(file_name(), source.to_owned());
    let comments = SingleThreadedComments::default();
    match read(&file, Jsx::Refused, Some(&comments)) {
        Ok(module) => Ok(Parsed { files, file, module, comments }),
        Err(error) => {
            let refused = refuse(&file, error.span(), error.kind().msg().into_owned());
            let kind = if has_jsx(&file) { Kind::Jsx } else { Kind::Syntax };
            Err(Refused { kind, ..refused })
        }
    }
}

fn read(file: &SourceFile, jsx: Jsx, comments: Option<&SingleThreadedComments>) -> Result<Module, Error> {
    let comments = comments.map(|comments| comments as &dyn swc_common::comments::Comments);
    let lexer = Lexer::new(Syntax::Typescript(syntax(jsx)), EsVersion::latest(), StringInput::from(file), comments);
    let mut parser = Parser::new_from(lexer);
    let module = parser.parse_module();
    let mut errors = parser.take_errors();
    match module {
        Ok(module) if errors.is_empty() => Ok(module),
        Ok(module) => {
            std::mem::forget(module);
            Err(errors.swap_remove(0))
        }
        Err(error) => Err(error),
    }
}

/// A module of ECMAScript and its tokens; none where it does not read.
pub(super) fn tokens(source: &str) -> Option<(Module, Vec<TokenAndSpan>)> {
    let files = SourceMap::default();
    let file = files.new_source_file(file_name(), source.to_owned());
    let syntax = EsSyntax { explicit_resource_management: true, import_attributes: true, ..EsSyntax::default() };
    let lexer = Lexer::new(Syntax::Es(syntax), EsVersion::latest(), StringInput::from(&*file), None);
    let mut parser = Parser::new_from(Capturing::new(lexer));
    let module = parser.parse_module().ok()?;
    let tokens = parser.input_mut().iter_mut().take();
    parser.take_errors().is_empty().then_some((module, tokens))
}

/// Whether the program reads where JSX is, and has some.
fn has_jsx(file: &SourceFile) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_jsx_element(&mut self, _: &JSXElement) {
            self.0 = true;
        }
        fn visit_jsx_fragment(&mut self, _: &JSXFragment) {
            self.0 = true;
        }
    }
    let Ok(module) = read(file, Jsx::Read, None) else { return false };
    let mut finder = Finder(false);
    module.visit_with(&mut finder);
    std::mem::forget(module);
    finder.0
}
