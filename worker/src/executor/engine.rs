//! The engine that serves prebuilt guests: its settings, which the precompiled form depends on.

use crate::contract::Guest;
use crate::executor::run::Program;
use gg_common::content::{ContentKey, KeyBuilder};
use wasmtime::component::{HasSelf, Linker};
use wasmtime::{Config, Engine};

/// The wasm stack of a program, in bytes. CPython recurses on it in C: with 1 MiB endless recursion under
/// `functools.cache` traps instead of raising RecursionError, with 4 MiB recursive `json.dumps(default=…)` does, with 8
/// everything that CPython bounds by itself does not. It is address space, touched as it is used.
pub const WASM_STACK_BYTES: usize = 8 << 20;

/// Room beyond the wasm stack for the host functions that run on the same fiber, in bytes.
const HOST_STACK_BYTES: usize = 1 << 20;

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

/// The settings. Everything here is part of the precompiled form's key, except the use of threads.
fn config(_: Threads) -> Config {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        .max_wasm_stack(WASM_STACK_BYTES)
        .async_stack_size(WASM_STACK_BYTES + HOST_STACK_BYTES)
        .memory_init_cow(true)
        // Frames of the guest's own interpreter tell a model nothing, and collecting them costs on each trap.
        .wasm_backtrace_max_frames(None);
    config
}

/// An engine for prebuilt guests.
pub fn engine(threads: Threads) -> wasmtime::Result<Engine> {
    Engine::new(&config(threads))
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
