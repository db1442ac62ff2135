//! The engine as every program finds it: made once, when the guest is built.

use std::cell::RefCell;

use rquickjs::function::Constructor;
use rquickjs::{CatchResultExt, Context, Ctx, Function, Module, Object, Persistent, Runtime, qjs};

use crate::{allocator, host, modules, natives, run};

/// How much of C's stack a program may use. That stack lies in linear memory, 4 MiB of it
/// by build.sh's linker option. A program takes up to four times as much of the engine's
/// own stack, which nothing in here can measure, so the engine has to give a guest 8 MiB:
/// README.md, "Stack".
const STACK_BYTES: usize = 1792 * 1024;

/// Collections of garbage begin at this much: most programs end before the first.
const GC_THRESHOLD_BYTES: usize = 4 * 1024 * 1024;

pub struct Engine {
    context: Context,
    hooks: Persistent<Object<'static>>,
    api_error: Persistent<Constructor<'static>>,
    // Held so that it is never dropped: the process ends with the program.
    _runtime: Runtime,
}

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

/// Makes the engine, if it is not there yet.
pub fn prepare() {
    ENGINE.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = Some(make());
        }
    });
}

/// Runs `body` in the engine's context.
pub fn enter<R>(body: impl FnOnce(&Ctx<'_>) -> R) -> R {
    prepare();
    let context = ENGINE.with_borrow(|slot| slot.as_ref().expect("prepared above").context.clone());
    context.with(|ctx| {
        // The stack's top was taken when the engine was made, at another depth.
        // SAFETY: the runtime is the one of this live context.
        unsafe { qjs::JS_UpdateStackTop(qjs::JS_GetRuntime(ctx.as_raw().as_ptr())) };
        body(&ctx)
    })
}

/// A function that the prelude gives to the guest (`prelude/hooks.js`).
pub fn hook<'js>(ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Function<'js>> {
    let hooks = ENGINE.with_borrow(|slot| slot.as_ref().expect("a context exists").hooks.clone());
    hooks.restore(ctx)?.get(name)
}

/// The SDK's class `ApiError`.
pub fn api_error<'js>(ctx: &Ctx<'js>) -> rquickjs::Result<Constructor<'js>> {
    let class = ENGINE.with_borrow(|slot| slot.as_ref().expect("a context exists").api_error.clone());
    class.restore(ctx)
}

/// A failure here is a mistake in this package: it shows when the guest is built.
fn make() -> Engine {
    allocator::reserve();
    let runtime = Runtime::new_with_alloc(allocator::Libc).expect("memory for a runtime");
    runtime.set_max_stack_size(STACK_BYTES);
    runtime.set_gc_threshold(GC_THRESHOLD_BYTES);
    runtime.set_loader(modules::Inside, modules::Inside);
    runtime.set_host_promise_rejection_tracker(Some(Box::new(run::track_rejection)));
    let context = Context::full(&runtime).expect("memory for a context");
    let (hooks, api_error) = context.with(|ctx| {
        let result = (|| {
            natives::expose(&ctx)?;
            host::expose(&ctx)?;
            let mut last = None;
            for (name, _) in modules::SOURCES {
                last = Some(Module::import(&ctx, *name)?.finish::<Object>()?);
            }
            let hooks = last.expect("the hooks come last");
            let core: Object = Module::import(&ctx, "gg/core")?.finish()?;
            let class: Constructor = core.get("ApiError")?;
            while ctx.execute_pending_job() {}
            rquickjs::Result::Ok((Persistent::save(&ctx, hooks), Persistent::save(&ctx, class)))
        })();
        match result.catch(&ctx) {
            Ok(made) => made,
            Err(error) => panic!("the prelude or the SDK does not load: {error}"),
        }
    });
    // From here on only a program imports.
    runtime.set_loader(modules::Program, modules::Program);
    Engine { context, hooks, api_error, _runtime: runtime }
}
