//! Whether the guest's engine reads what it is to be given: asked of that engine, of the same version. What a checker was
//! told to look away from (`// @ts-nocheck`) may not read, and so may a regular expression.

use super::Refused;
use rquickjs::context::intrinsic::{Eval, RegExp, RegExpCompiler};
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Context, Ctx, Exception, Module, Runtime};

/// The stack that the engine may take of this thread's, in bytes. Whether the guest's own is enough shows when it runs.
const STACK_BYTES: usize = 128 << 20;
/// How the engine says that it was not.
const TOO_DEEP: &str = "Maximum call stack size exceeded";

/// Why the engine does not read a module, at the place that the engine gives.
pub(super) fn refuses(source: &str) -> Option<Refused> {
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

fn said(ctx: &Ctx<'_>) -> Option<Refused> {
    let thrown = ctx.catch();
    let exception = Exception::from_object(thrown.into_object()?)?;
    let message = exception.message().unwrap_or_default();
    if message.contains(TOO_DEEP) {
        return None;
    }
    let (line, column) = exception.stack().as_deref().and_then(place).unwrap_or((1, 1));
    Some(Refused { kind: super::Kind::Syntax, message: format!("The engine does not read this: {message}."), line, column })
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
    fn what_the_engine_does_not_read_is_told_where_it_stands() {
        for source in ["import { a } from \"gg/files\"; await a;", "const s = \"\0\";", "using x = null; /[\\p{L}--a]/v;"] {
            assert_eq!(refuses(source), None, "{source}");
        }
        for (source, line) in [("\nconst r = /(?<a>x)(?<a>y)/;", 2), ("with (x) {}", 1), ("\n\nbreak;", 3), ("@d class A {}", 1)] {
            let refused = refuses(source).expect("it does not read");
            assert_eq!(refused.line, line, "{refused:?}");
            assert!(refused.message.ends_with('.'), "{refused:?}");
        }
    }
}
