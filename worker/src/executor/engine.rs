//! The engine that serves prebuilt guests: its settings, which the precompiled form depends on.

use crate::contract::Guest;
use crate::executor::protocol::TurnEngine;
use crate::executor::run::Program;
use gg_common::content::{ContentKey, KeyBuilder};
use gg_common::limits::Limits;
use std::num::NonZeroUsize;
use wasmtime::component::{HasSelf, Linker};
use wasmtime::{Config, Engine, Strategy};

/// Room beyond the wasm stack for the host functions that run on the same fiber, in bytes.
const HOST_STACK_BYTES: u64 = 1 << 20;

/// The wasm stack of a program where its profile says nothing, in bytes. CPython recurses on it in C: with 1 MiB endless
/// recursion under `functools.cache` traps instead of raising RecursionError, with 4 MiB recursive
/// `json.dumps(default=…)` does, with 8 everything that CPython bounds by itself does not. It is address space, touched as
/// it is used.
pub fn default_wasm_stack() -> u64 {
    Limits::default().wasm_stack_bytes
}

/// The engine's version, for records.
pub const VERSION: &str = "48";

/// Whether the engine may use threads: it compiles with them, and an executor has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// One thread: executors.
    One,
    /// As many as there are cores: precompiling.
    Many,
}

/// The settings. Everything here is part of the precompiled form's key, except the use of threads and the stack.
fn config(_: Threads, wasm_stack: u64) -> Config {
    let size = |bytes| usize::try_from(bytes).unwrap_or(usize::MAX);
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        .max_wasm_stack(size(wasm_stack))
        .async_stack_size(size(wasm_stack.saturating_add(HOST_STACK_BYTES)))
        .memory_init_cow(true)
        // Frames of the guest's own interpreter tell a model nothing, and collecting them costs on each trap.
        .wasm_backtrace_max_frames(None);
    config
}

/// How many frames of a trap's backtrace are told.
const FRAMES: NonZeroUsize = NonZeroUsize::new(12).expect("more than none");

/// An engine for components that are compiled as they come and run once.
pub fn turn_engine(compiler: TurnEngine, wasm_stack: u64) -> wasmtime::Result<Engine> {
    let mut config = config(Threads::One, wasm_stack);
    config
        .strategy(match compiler {
            TurnEngine::Winch => Strategy::Winch,
            TurnEngine::Cranelift => Strategy::Cranelift,
        })
        // It takes a file in memory, which no executor may make; an image that is used once is as well copied.
        .memory_init_cow(false)
        // The frames are the program's own.
        .wasm_backtrace_max_frames(Some(FRAMES));
    if compiler == TurnEngine::Cranelift {
        config.cranelift_opt_level(wasmtime::OptLevel::None);
    }
    Engine::new(&config)
}

/// An engine for prebuilt guests, whose programs have `wasm_stack` bytes of stack.
pub fn engine(threads: Threads, wasm_stack: u64) -> wasmtime::Result<Engine> {
    Engine::new(&config(threads, wasm_stack))
}

/// The linker of guests: WASI preview 2 whole, and the gg interfaces.
pub fn linker(engine: &Engine) -> wasmtime::Result<Linker<Program>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    super::file_streams::add_to_linker(&mut linker)?;
    Guest::add_to_linker::<_, HasSelf<Program>>(&mut linker, |program| program)?;
    Ok(linker)
}

/// The key of a component's precompiled form: the component, the engine's version, settings and target features.
pub fn precompiled_key(engine: &Engine, component: &ContentKey) -> ContentKey {
    use std::hash::{DefaultHasher, Hash, Hasher};
    // The engine's own digest of settings, version and target features is offered as a `Hash` only.
    let mut settings = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut settings);
    KeyBuilder::new("precompiled-component")
        .part("component", component.as_bytes())
        .part("engine", env!("CARGO_PKG_VERSION").as_bytes())
        .part("compatibility", &settings.finish().to_le_bytes())
        .finish()
}
