//! Executors started ahead of need, of each arm. Exec, engine and guest take milliseconds and know no agent yet, so a turn
//! of a new agent need not wait for them.

use crate::executor::handle::{Executor, ExecutorError, Guest};
use gg_common::arm::Arm;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Starts executors, ahead of need and on demand, on a thread of its own: an executor ends with the thread that started
/// it, so that none outlives a worker that was killed. The thread ends with the nursery.
#[derive(Debug)]
pub struct Nursery {
    guests: BTreeMap<Arm, Guest>,
    spare: Spare,
    wishes: Option<Sender<Wish>>,
    thread: Option<JoinHandle<()>>,
}

/// What is ready and has no agent.
type Spare = Arc<Mutex<BTreeMap<Arm, Vec<Executor>>>>;

/// What the thread is asked for.
enum Wish {
    /// As many spare executors of a guest as there should be.
    Refill(Guest),
    /// One executor of a guest at once, which need not be ready.
    Now(Guest, SyncSender<Result<Executor, ExecutorError>>),
}

impl Nursery {
    /// Keeps `spare` executors of each guest ready.
    pub fn start(program: PathBuf, guests: Vec<Guest>, spare: usize) -> std::io::Result<Nursery> {
        let held = Spare::default();
        let (wishes, wished) = channel();
        let thread = std::thread::Builder::new().name("gg-nursery".into()).spawn({
            let held = held.clone();
            move || serve(&program, &held, spare, &wished)
        })?;
        let guests = guests.into_iter().map(|guest| (guest.arm(), guest)).collect();
        let nursery = Nursery { guests, spare: held, wishes: Some(wishes), thread: Some(thread) };
        for guest in nursery.guests.values() {
            nursery.wish(Wish::Refill(guest.clone()));
        }
        Ok(nursery)
    }

    fn guest(&self, arm: Arm) -> Result<&Guest, ExecutorError> {
        self.guests.get(&arm).ok_or_else(|| ExecutorError::Refused(format!("no guest of {arm} was given")))
    }

    fn wish(&self, wish: Wish) {
        if let Some(wishes) = &self.wishes {
            // The thread ends with the nursery only.
            drop(wishes.send(wish));
        }
    }

    /// An executor of an arm that is ready for an agent: one of the spare, else a new one. Those have the default stack,
    /// so for another one is started.
    pub fn take(&self, arm: Arm, wasm_stack_bytes: u64) -> Result<Executor, ExecutorError> {
        let guest = self.guest(arm)?;
        if guest.wasm_stack_bytes() != wasm_stack_bytes {
            return self.take_new(arm, wasm_stack_bytes);
        }
        let spare = {
            let mut held = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let held = held.entry(arm).or_default();
            // One may have been killed while it waited.
            held.retain(Executor::is_alive);
            held.pop()
        };
        if let Some(executor) = spare {
            self.wish(Wish::Refill(guest.clone()));
            return Ok(executor);
        }
        self.take_new(arm, wasm_stack_bytes)
    }

    /// An executor that was started for this.
    pub fn take_new(&self, arm: Arm, wasm_stack_bytes: u64) -> Result<Executor, ExecutorError> {
        let guest = self.guest(arm)?;
        let (reply, started) = sync_channel(1);
        self.wish(Wish::Now(guest.with_stack(wasm_stack_bytes), reply));
        self.wish(Wish::Refill(guest.clone()));
        let gone = || ExecutorError::Refused("the nursery's thread is gone".to_owned());
        let mut executor = started.recv().map_err(|_| gone())??;
        executor.wait_ready()?;
        Ok(executor)
    }
}

fn serve(program: &Path, held: &Spare, spare: usize, wished: &Receiver<Wish>) {
    while let Ok(wish) = wished.recv() {
        match wish {
            // Whoever wished may be gone: then the executor ends.
            Wish::Now(guest, reply) => drop(reply.send(Executor::spawn(program, &guest))),
            Wish::Refill(guest) => refill(program, &guest, held, spare),
        }
    }
}

fn refill(program: &Path, guest: &Guest, held: &Spare, spare: usize) {
    let lock = || held.lock().unwrap_or_else(PoisonError::into_inner);
    while lock().get(&guest.arm()).map_or(0, Vec::len) < spare {
        match Executor::start(program, guest) {
            Ok(executor) => lock().entry(guest.arm()).or_default().push(executor),
            Err(error) => {
                // Whoever needs one next starts it in front of the turn and gets the error there.
                tracing::warn!(%error, "no executor could be started ahead of need");
                break;
            }
        }
    }
}

impl Drop for Nursery {
    fn drop(&mut self) {
        self.wishes = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
