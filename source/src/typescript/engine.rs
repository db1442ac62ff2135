//! Whether the guest's engine reads what it is to be given: asked of that engine, of the same version. What a checker was
//! told to look away from (`// @ts-nocheck`) may not read, and so may a regular expression.

use super::parse::Parsed;
use super::{Kind, Lowered, Refused};
use rquickjs::context::intrinsic::{Eval, RegExp, RegExpCompiler};
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Context, Ctx, Exception, Module, Runtime};
use swc_common::Span;
use swc_ecma_ast::Regex;
use swc_ecma_visit::{Visit, VisitWith};

/// The stack that the engine may take of this thread's, in bytes. Whether the guest's own is enough shows when it runs.
const STACK_BYTES: usize = 128 << 20;
/// How the engine says that it was not.
const TOO_DEEP: &str = "Maximum call stack size exceeded";

/// What the engine says of a module that it does not read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unread {
    message: String,
    /// Line and column; none for a regular expression.
    place: Option<(u32, u32)>,
}

/// Why the engine does not read what a program was lowered to.
pub(super) fn refuses(parsed: &Parsed, lowered: &Lowered) -> Option<Refused> {
    let (text, places) = match lowered {
        Lowered::Stripped(text) => (text, None),
        Lowered::Moved(text, places) => (text, Some(places)),
        Lowered::Refused(_) => return None,
    };
    let Unread { message, place } = unread(text)?;
    let message = format!("The engine does not read this: {message}.");
    Some(match place {
        Some((line, column)) => {
            let (line, column) = places.map_or((line, column), |places| places.original(line, column));
            Refused { kind: Kind::Syntax, message, line, column }
        }
        None => parsed.refuse(unread_expression(parsed).unwrap_or_default(), message),
    })
}

/// The first regular expression that the engine does not read.
fn unread_expression(parsed: &Parsed) -> Option<Span> {
    struct Finder(Option<Span>);
    impl Visit for Finder {
        fn visit_regex(&mut self, expression: &Regex) {
            if self.0.is_none() && unread(&format!("/{}/{};", expression.exp, expression.flags)).is_some() {
                self.0 = Some(expression.span);
            }
        }
    }
    let mut finder = Finder(None);
    parsed.module.visit_with(&mut finder);
    finder.0
}

fn unread(source: &str) -> Option<Unread> {
    // The binding takes no NUL, which may stand in a string; the engine does.
    if source.contains('\0') {
        return None;
    }
    let runtime = Runtime::new().ok()?;
    runtime.set_max_stack_size(STACK_BYTES);
    runtime.set_loader(Anything, Anything);
    let context = Context::custom::<(Eval, RegExpCompiler, RegExp)>(&runtime).ok()?;
    let refused = context.with(|ctx| match Module::declare(ctx.clone(), "program.ts", source) {
        Ok(_) => None,
        Err(_) => said(&ctx),
    });
    // The process ends soon.
    std::mem::forget((context, runtime));
    refused
}

/// What an import leads to while a module is read: an empty module. What there is to import shows when it runs.
struct Anything;

impl Resolver for Anything {
    fn resolve<'js>(
        &mut self,
        _: &Ctx<'js>,
        _: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        Ok(name.to_owned())
    }
}

impl Loader for Anything {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        Module::declare(ctx.clone(), name, "")
    }
}

fn said(ctx: &Ctx<'_>) -> Option<Unread> {
    let thrown = ctx.catch();
    let exception = Exception::from_object(thrown.into_object()?)?;
    let message = exception.message().unwrap_or_default();
    if message.contains(TOO_DEEP) {
        return None;
    }
    Some(Unread { message, place: exception.stack().as_deref().and_then(place) })
}

/// `    at program.ts:3:5`
fn place(stack: &str) -> Option<(u32, u32)> {
    let (_, place) = stack.lines().next()?.rsplit_once("program.ts:")?;
    let (line, column) = place.trim_end_matches(')').split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_engine_does_not_read_is_told_where_the_engine_says() {
        for source in ["import { a } from \"gg/files\"; await a;", "const s = \"\0\";", "using x = null; /[\\p{L}--a]/v;"] {
            assert_eq!(unread(source), None, "{source}");
        }
        for (source, place) in [("with (x) {}", (1, 1)), ("\n\nbreak;", (3, 6)), ("@d class A {}", (1, 1))] {
            assert_eq!(unread(source).and_then(|unread| unread.place), Some(place), "{source}");
        }
        assert_eq!(unread("/(?<a>x)(?<a>y)/").map(|unread| unread.place), Some(None));
    }
}
