//! One program, from its bytes to its end.

use std::cell::RefCell;
use std::ffi::CString;
use std::time::Duration;

use rquickjs::promise::PromiseState;
use rquickjs::{Ctx, Persistent, Promise, Value, qjs};

use crate::bindings::gg::sandbox::feedback::{self, FailureKind};
use crate::failure::{self, Report};
use crate::{engine, natives};

const DEADLOCK: &str = "Deadlock: the program awaits a promise that nothing is left to settle: no timer is set and \
                        nothing else is waiting to run.";

/// Why a program did not complete.
enum Ending<'js> {
    /// A value was thrown and nothing caught it.
    Thrown(Value<'js>),
    /// A promise was rejected and nothing handled it.
    Rejected(Value<'js>),
    /// Its top level waits, and nothing is left that could wake it.
    Deadlock,
}

struct Rejection {
    promise: Persistent<Value<'static>>,
    reason: Persistent<Value<'static>>,
}

thread_local! {
    static REJECTIONS: RefCell<Vec<Rejection>> = const { RefCell::new(Vec::new()) };
}

/// Called by the engine when a promise without a handler is rejected, and again when
/// a handler comes after all.
pub fn track_rejection<'js>(ctx: Ctx<'js>, promise: Value<'js>, reason: Value<'js>, handled: bool) {
    REJECTIONS.with_borrow_mut(|open| {
        if handled {
            open.retain(|one| one.promise.clone().restore(&ctx).map_or(true, |known| known != promise));
        } else {
            open.push(Rejection { promise: Persistent::save(&ctx, promise), reason: Persistent::save(&ctx, reason) });
        }
    });
}

/// Runs a program and reports its failure, if it fails.
pub fn program(name: &str, source: Vec<u8>) -> Result<(), ()> {
    natives::start_clock();
    let report = match std::str::from_utf8(&source) {
        Err(error) => Some(Report::plain(
            FailureKind::Error,
            format!("SyntaxError: the program is not UTF-8: its byte {} begins no character", error.valid_up_to() + 1),
        )),
        Ok(text) => engine::enter(|ctx| match execute(ctx, name, text) {
            Ok(()) => None,
            Err(Ending::Deadlock) => Some(Report::plain(FailureKind::Deadlock, DEADLOCK.to_owned())),
            Err(Ending::Thrown(value)) => Some(failure::describe(ctx, value, false, name, text)),
            Err(Ending::Rejected(value)) => Some(failure::describe(ctx, value, true, name, text)),
        }),
    };
    match report {
        None => Ok(()),
        Some(report) => {
            feedback::error(&report.into_failure());
            Err(())
        }
    }
}

fn execute<'js>(ctx: &Ctx<'js>, name: &str, text: &str) -> Result<(), Ending<'js>> {
    let top_level = start(ctx, name, text)?;
    loop {
        settle(ctx, &top_level)?;
        // Negative where no timer is set.
        let wait_ms: f64 = call_hook(ctx, "nextTimer")?;
        if wait_ms < 0.0 {
            return if top_level.state() == PromiseState::Pending { Err(Ending::Deadlock) } else { Ok(()) };
        }
        if wait_ms > 0.0 {
            std::thread::sleep(Duration::from_secs_f64(wait_ms / 1e3));
        }
        call_hook::<()>(ctx, "runTimer")?;
    }
}

/// Compiles the program and runs it up to its first wait. rquickjs's own way refuses a
/// source with a NUL in it, which JavaScript allows in a string.
fn start<'js>(ctx: &Ctx<'js>, name: &str, text: &str) -> Result<Promise<'js>, Ending<'js>> {
    let flags = qjs::JS_EVAL_TYPE_MODULE | qjs::JS_EVAL_FLAG_STRICT | qjs::JS_EVAL_FLAG_COMPILE_ONLY;
    let mut source = Vec::with_capacity(text.len() + 1);
    source.extend_from_slice(text.as_bytes());
    // The engine reads one byte beyond the length that it is given.
    source.push(0);
    let name = CString::new(name).unwrap_or_default();
    // SAFETY: the source and the name are live and end in NUL, and the length leaves the
    // NUL out. `JS_EvalFunction` takes the module over; what it gives is ours to own.
    let value = unsafe {
        let raw = ctx.as_raw().as_ptr();
        let module = qjs::JS_Eval(raw, source.as_ptr().cast(), text.len() as _, name.as_ptr(), flags as i32);
        let result = if qjs::JS_IsException(module) { module } else { qjs::JS_EvalFunction(raw, module) };
        if qjs::JS_IsException(result) {
            return Err(Ending::Thrown(ctx.catch()));
        }
        Value::from_raw(ctx.clone(), result)
    };
    value.into_promise().ok_or_else(|| Ending::Thrown(Value::new_undefined(ctx.clone())))
}

/// Runs every job that is ready, then looks for what was rejected and not handled.
fn settle<'js>(ctx: &Ctx<'js>, top_level: &Promise<'js>) -> Result<(), Ending<'js>> {
    // SAFETY: the runtime is the one of this live context, and the engine writes the
    // context that a job belongs to, of which there is only this one.
    let run_job = || unsafe {
        let mut of = std::mem::MaybeUninit::uninit();
        qjs::JS_ExecutePendingJob(qjs::JS_GetRuntime(ctx.as_raw().as_ptr()), of.as_mut_ptr())
    };
    loop {
        match run_job() {
            0 => break,
            1.. => {}
            _ => return Err(Ending::Thrown(ctx.catch())),
        }
    }
    if top_level.state() == PromiseState::Rejected {
        let _ = top_level.result::<Value>();
        return Err(Ending::Thrown(ctx.catch()));
    }
    let first = REJECTIONS.with_borrow_mut(|open| if open.is_empty() { None } else { Some(open.remove(0)) });
    match first.map(|rejection| rejection.reason.restore(ctx)) {
        Some(Ok(reason)) => Err(Ending::Rejected(reason)),
        Some(Err(_)) | None => Ok(()),
    }
}

fn call_hook<'js, T: rquickjs::FromJs<'js>>(ctx: &Ctx<'js>, name: &str) -> Result<T, Ending<'js>> {
    engine::hook(ctx, name).and_then(|hook| hook.call(())).map_err(|_| Ending::Thrown(ctx.catch()))
}
