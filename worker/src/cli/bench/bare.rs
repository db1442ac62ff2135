//! The baseline: the engine alone. The same settings and pre-linked instance, a fresh store with the same WASI, in this
//! process; no worker, no socket, no records.

use super::{Problem, setup};
use gg_common::arm::Arm;
use gg_common::limits::Limits;
use gg_common::profile::TreeAccess;
use gg_worker::artifacts::Artifacts;
use gg_worker::contract::GuestPre;
use gg_worker::executor::clock::start_epoch_timer;
use gg_worker::executor::engine::{Threads, default_wasm_stack, engine, linker};
use gg_worker::executor::folders::Folders;
use gg_worker::executor::precompiled::Precompiled;
use gg_worker::executor::protocol::{End, RunRequest};
use gg_worker::executor::run::{Program, Runnable, run};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::time::{Duration, Instant};
use wasmtime::Engine;
use wasmtime::component::Component;

/// An arm's guest in this process, for one thread.
pub struct Bare {
    arm: Arm,
    engine: Engine,
    guest: GuestPre<Program>,
    runtime: tokio::runtime::Runtime,
    folders: Folders,
}

impl Bare {
    /// Maps the guest as an executor does. `folder` gets an empty tree and an empty temporary folder.
    pub fn new(arm: Arm, folder: &Path) -> Result<Bare, Problem> {
        let engine = engine(Threads::One, default_wasm_stack()).map_err(|e| Problem::farm(format!("{e:#}")))?;
        start_epoch_timer(&engine).map_err(Problem::farm)?;
        Bare::on(&engine, arm, folder)
    }

    /// The same on an engine that is there already.
    pub fn on(engine: &Engine, arm: Arm, folder: &Path) -> Result<Bare, Problem> {
        let farm = |e: wasmtime::Error| Problem::farm(format!("{e:#}"));
        let root = setup::root()?;
        let set = Artifacts::new(&root.artifacts(), None).find(arm).map_err(Problem::farm)?;
        let precompiled = Precompiled::open(&root.precompiled()).map_err(Problem::farm)?;
        let file = precompiled.get(&set.path("guest.wasm")).map_err(Problem::farm)?;
        // SAFETY: this engine's own form, verified through this descriptor.
        let component = unsafe { Component::deserialize_file(engine, format!("/proc/self/fd/{}", file.as_raw_fd())) }
            .map_err(farm)?;
        let linked = linker(engine).map_err(farm)?.instantiate_pre(&component).map_err(farm)?;
        let guest = GuestPre::new(linked).map_err(farm)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(Problem::farm)?;
        let (work, temp) = (folder.join("work"), folder.join("temp"));
        for made in [&work, &temp] {
            std::fs::create_dir_all(made).map_err(Problem::farm)?;
        }
        let folders = Folders { work, access: TreeAccess::ReadWrite, temp, temp_is_bounded: true };
        Ok(Bare { arm, engine: engine.clone(), guest, runtime, folders })
    }

    /// Runs a program and gives what it took.
    pub fn run(&self, program: &str) -> Result<Duration, Problem> {
        let request = RunRequest::new(self.arm, program.as_bytes(), &Limits::default());
        let started = Instant::now();
        let (done, _) = self.runtime.block_on(run(
            &self.engine,
            &Runnable::Guest(&self.guest),
            &request,
            Some(&self.folders),
            None,
        ));
        let took = started.elapsed();
        if done.end == End::Completed {
            Ok(took)
        } else {
            Err(Problem::farm(format!("the bare {} program ended as {:?}: {:?}", self.arm, done.end, done.failure)))
        }
    }
}
