//! What the prelude needs of the system: output, clocks, randomness, text encoding.

use std::cell::Cell;
use std::io::Write;
use std::time::Instant;

use rquickjs::function::Func;
use rquickjs::module::{Declarations, Exports, ModuleDef};
use rquickjs::promise::PromiseState;
use rquickjs::{Array, ArrayBuffer, Ctx, Exception, Module, Object, Promise, TypedArray, Value};

unsafe extern "C" {
    fn getentropy(buffer: *mut u8, length: usize) -> i32;
}

/// What one call of getentropy gives at most.
const ENTROPY_CHUNK_BYTES: usize = 256;

thread_local! {
    // The state of Math.random; zeros mean that this run has not seeded it yet.
    static RANDOM: Cell<[u64; 2]> = const { Cell::new([0; 2]) };
    static STARTED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// The module `gg/internal/natives`, for the prelude.
struct Natives;

impl ModuleDef for Natives {
    fn declare(declarations: &Declarations) -> rquickjs::Result<()> {
        declarations.declare("default")?;
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> rquickjs::Result<()> {
        let natives = Object::new(ctx.clone())?;
        natives.set("out", Func::from(|line: String| write_line(&mut std::io::stdout(), &line)))?;
        natives.set("err", Func::from(|line: String| write_line(&mut std::io::stderr(), &line)))?;
        natives.set("now", Func::from(now_ms))?;
        natives.set("random", Func::from(random))?;
        natives.set("fill", Func::from(fill))?;
        natives.set("encode", Func::from(encode))?;
        natives.set("decode", Func::from(decode))?;
        natives.set("settled", Func::from(settled))?;
        exports.export("default", natives)?;
        Ok(())
    }
}

pub fn expose(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
    Module::declare_def::<Natives, _>(ctx.clone(), "gg/internal/natives")?;
    Ok(())
}

/// Marks the beginning of the run, for `performance.now`.
pub fn start_clock() {
    STARTED.set(Some(Instant::now()));
}

/// Milliseconds since the run began, with a fraction.
pub fn now_ms() -> f64 {
    STARTED.get().map_or(0.0, |start| start.elapsed().as_secs_f64() * 1e3)
}

/// A line to a standard stream. A stream that takes no more is no failure of the program.
fn write_line(stream: &mut impl Write, line: &str) {
    let _ = stream.write_all(format!("{line}\n").as_bytes()).and_then(|()| stream.flush());
}

fn entropy(bytes: &mut [u8]) -> bool {
    bytes.chunks_mut(ENTROPY_CHUNK_BYTES).all(|chunk| {
        // SAFETY: the pointer and the length are those of a live slice.
        unsafe { getentropy(chunk.as_mut_ptr(), chunk.len()) == 0 }
    })
}

/// The next number of Math.random: xoroshiro128+, seeded once a run. The engine's own
/// generator is seeded when its context is made, so it would repeat in every run.
fn random(ctx: Ctx<'_>) -> rquickjs::Result<f64> {
    let [mut a, mut b] = RANDOM.get();
    while a == 0 && b == 0 {
        let mut seed = [0; 16];
        if !entropy(&mut seed) {
            return Err(Exception::throw_message(&ctx, "the system gives no randomness"));
        }
        let (low, high) = seed.split_at(8);
        a = u64::from_le_bytes(low.try_into().expect("eight bytes"));
        b = u64::from_le_bytes(high.try_into().expect("eight bytes"));
    }
    let sum = a.wrapping_add(b);
    b ^= a;
    RANDOM.set([a.rotate_left(24) ^ b ^ (b << 16), b.rotate_left(37)]);
    // The upper 53 bits, as a fraction.
    Ok((sum >> 11) as f64 / (1_u64 << 53) as f64)
}

/// Random bytes, `length` of them.
fn fill(ctx: Ctx<'_>, length: usize) -> rquickjs::Result<ArrayBuffer<'_>> {
    let mut bytes = vec![0; length];
    if !entropy(&mut bytes) {
        return Err(Exception::throw_message(&ctx, "the system gives no randomness"));
    }
    ArrayBuffer::new(ctx, bytes)
}

fn encode<'js>(ctx: Ctx<'js>, text: String) -> rquickjs::Result<TypedArray<'js, u8>> {
    TypedArray::new(ctx, text.into_bytes())
}

/// UTF-8 to text. `fatal` refuses what is not UTF-8 (by `undefined`) instead of replacing it.
fn decode(bytes: TypedArray<'_, u8>, fatal: bool) -> Option<String> {
    // SAFETY: no JavaScript runs while the bytes are borrowed, so nothing moves or changes them.
    let bytes = unsafe { bytes.as_bytes() }.unwrap_or_default();
    if fatal {
        std::str::from_utf8(bytes).ok().map(str::to_owned)
    } else {
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// A promise's state, and what it was settled with.
fn settled<'js>(ctx: Ctx<'js>, promise: Promise<'js>) -> rquickjs::Result<Array<'js>> {
    let (state, result) = match promise.state() {
        PromiseState::Pending => ("pending", Value::new_undefined(ctx.clone())),
        PromiseState::Resolved => ("resolved", promise.result().expect("it is settled")?),
        PromiseState::Rejected => {
            let _ = promise.result::<Value>();
            ("rejected", ctx.catch())
        }
    };
    let pair = Array::new(ctx)?;
    pair.set(0, state)?;
    pair.set(1, result)?;
    Ok(pair)
}
