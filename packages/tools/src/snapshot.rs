//! Pre-initialising a core module.
//!
//! The module is run by an interpreter whose system gives the same answers each time:
//! a clock that stands still, an empty environment, no files, and "random" bytes that
//! are all the same. So a snapshot is reproducible, and whatever a guest takes of them
//! here is frozen: it must take its clock and its randomness anew in each run.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow, bail};
use wasmi::{Caller, Engine, Extern, Linker, Module, Store, Val};
use wasmparser::ValType;
use wasmtime_wizer::{InstanceState, SnapshotVal, Wizer};

/// The calls that `define_wasi` answers; any other import fails when it is called.
const ANSWERED: &[&str] = &[
    "clock_time_get",
    "random_get",
    "environ_sizes_get",
    "args_sizes_get",
    "environ_get",
    "args_get",
    "fd_prestat_get",
    "fd_write",
];
const WASI: &str = "wasi_snapshot_preview1";
/// What a file call answers: there is no such descriptor.
const BAD_DESCRIPTOR: i32 = 8;
/// 2020-01-01, in nanoseconds: a plain, valid time.
const FROZEN_CLOCK_NS: u64 = 1_577_836_800_000_000_000;
const FROZEN_RANDOM: u8 = 0x5a;

pub fn snapshot(module: &[u8]) -> Result<Vec<u8>> {
    let wizer = Wizer::new();
    let (context, instrumented) = wizer.instrument(module).map_err(|error| anyhow!("{error:#}"))?;

    let engine = Engine::default();
    let compiled = Module::new(&engine, &instrumented).context("the module is not valid")?;
    let mut store = Store::new(&engine, ());
    let mut linker = Linker::new(&engine);
    define_wasi(&mut linker)?;
    // A module may import one function more than once, from several of its libraries.
    let mut defined: BTreeSet<(&str, &str)> = ANSWERED.iter().map(|name| (WASI, *name)).collect();
    for import in compiled.imports() {
        let Some(ty) = import.ty().func() else {
            bail!("the module imports {}.{}, which is no function", import.module(), import.name())
        };
        if !defined.insert((import.module(), import.name())) {
            continue;
        }
        let name = format!("{}.{}", import.module(), import.name());
        linker
            .func_new(import.module(), import.name(), ty.clone(), move |_, _, _| {
                Err(wasmi::Error::new(format!("{name} was called while the module initialised")))
            })
            .context("defining an import")?;
    }
    let instance = linker.instantiate_and_start(&mut store, &compiled).context("the module does not instantiate")?;
    // What a reactor runs first: its constructors. The snapshot has run them.
    if let Some(constructors) = instance.get_func(&store, "_initialize") {
        constructors.call(&mut store, &[], &mut []).context("its _initialize failed")?;
    }
    let initialize = instance
        .get_func(&store, wizer.get_init_func())
        .with_context(|| format!("the module exports no function {}", wizer.get_init_func()))?;
    initialize.call(&mut store, &[], &mut []).with_context(|| format!("its {} failed", wizer.get_init_func()))?;

    let mut state = Initialised { store, instance };
    futures_executor::block_on(wizer.snapshot(&context, &mut state)).map_err(|error| anyhow!("{error:#}"))
}

/// The few calls that a C or Rust runtime makes before its first instruction of ours.
fn define_wasi(linker: &mut Linker<()>) -> Result<()> {
    linker.func_wrap(WASI, "clock_time_get", |mut caller: Caller<'_, ()>, _: i32, _: i64, at: i32| {
        write(&mut caller, at, &FROZEN_CLOCK_NS.to_le_bytes())
    })?;
    linker.func_wrap(WASI, "random_get", |mut caller: Caller<'_, ()>, at: i32, length: i32| {
        write(&mut caller, at, &vec![FROZEN_RANDOM; length as usize])
    })?;
    for name in ["environ_sizes_get", "args_sizes_get"] {
        linker.func_wrap(WASI, name, |mut caller: Caller<'_, ()>, count: i32, size: i32| {
            write(&mut caller, count, &[0; 4])?;
            write(&mut caller, size, &[0; 4])
        })?;
    }
    for name in ["environ_get", "args_get"] {
        linker.func_wrap(WASI, name, |_: i32, _: i32| 0)?;
    }
    linker.func_wrap(WASI, "fd_prestat_get", |_: i32, _: i32| BAD_DESCRIPTOR)?;
    // A panic's message is worth seeing.
    linker.func_wrap(
        WASI,
        "fd_write",
        |mut caller: Caller<'_, ()>, _: i32, vectors: i32, count: i32, written: i32| {
            let mut total = 0_u32;
            for index in 0..count {
                let [at, length] = read_pair(&mut caller, vectors + 8 * index)?;
                let mut text = vec![0; length as usize];
                memory(&mut caller)?.read(&caller, at as usize, &mut text).map_err(wasmi::Error::new_from)?;
                eprint!("{}", String::from_utf8_lossy(&text));
                total += length;
            }
            write(&mut caller, written, &total.to_le_bytes())
        },
    )?;
    Ok(())
}

trait NewFrom {
    fn new_from(error: impl std::fmt::Display) -> Self;
}

impl NewFrom for wasmi::Error {
    fn new_from(error: impl std::fmt::Display) -> Self {
        Self::new(error.to_string())
    }
}

fn memory(caller: &mut Caller<'_, ()>) -> Result<wasmi::Memory, wasmi::Error> {
    caller
        .get_export("memory")
        .and_then(Extern::into_memory)
        .ok_or_else(|| wasmi::Error::new("the module exports no memory"))
}

fn write(caller: &mut Caller<'_, ()>, at: i32, bytes: &[u8]) -> Result<i32, wasmi::Error> {
    memory(caller)?.write(caller, at as u32 as usize, bytes).map_err(wasmi::Error::new_from)?;
    Ok(0)
}

fn read_pair(caller: &mut Caller<'_, ()>, at: i32) -> Result<[u32; 2], wasmi::Error> {
    let mut bytes = [0; 8];
    memory(caller)?.read(caller, at as u32 as usize, &mut bytes).map_err(wasmi::Error::new_from)?;
    let word = |from: usize| u32::from_le_bytes([bytes[from], bytes[from + 1], bytes[from + 2], bytes[from + 3]]);
    Ok([word(0), word(4)])
}

/// The instance after its initialisation, as the snapshot reads it.
struct Initialised {
    store: Store<()>,
    instance: wasmi::Instance,
}

impl InstanceState for Initialised {
    async fn global_get(&mut self, name: &str, _: ValType) -> SnapshotVal {
        let global = self.instance.get_global(&self.store, name).expect("the instrumented module exports it");
        match global.get(&self.store) {
            Val::I32(value) => SnapshotVal::I32(value),
            Val::I64(value) => SnapshotVal::I64(value),
            Val::F32(value) => SnapshotVal::F32(value.to_bits()),
            Val::F64(value) => SnapshotVal::F64(value.to_bits()),
            other => panic!("the global {name} holds {other:?}, which no snapshot can keep"),
        }
    }

    async fn memory_contents(&mut self, name: &str, contents: impl FnOnce(&[u8]) + Send) {
        let memory = self.instance.get_memory(&self.store, name).expect("the instrumented module exports it");
        contents(memory.data(&self.store));
    }
}
