//! Executors started ahead of need. Exec, engine and guests take a millisecond and a half and know no agent yet, so a
//! turn of a new agent need not wait for them.

use crate::executor::handle::{Executor, ExecutorError, Guests};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Starts executors, ahead of need and on demand, on a thread of its own: an executor ends with the thread that started
/// it, so that none outlives a worker that was killed. The thread ends with the nursery.
#[derive(Debug)]
pub struct Nursery {
    guests: Guests,
    spare: Arc<Mutex<Vec<Executor>>>,
    wishes: Option<Sender<Wish>>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread is asked for.
enum Wish {
    /// As many spare executors as there should be.
    Refill,
    /// One executor at once, which need not be ready.
    Now(SyncSender<Result<Executor, ExecutorError>>),
}

impl Nursery {
    /// Keeps `spare` executors ready.
    pub fn start(program: PathBuf, guests: Guests, spare: usize) -> std::io::Result<Nursery> {
        let held = Arc::new(Mutex::new(Vec::new()));
        let (wishes, wished) = channel();
        let thread = std::thread::Builder::new().name("gg-nursery".into()).spawn({
            let (guests, held) = (guests.clone(), held.clone());
            move || serve(&program, &guests, &held, spare, &wished)
        })?;
        let nursery = Nursery { guests, spare: held, wishes: Some(wishes), thread: Some(thread) };
        nursery.wish(Wish::Refill);
        Ok(nursery)
    }

    fn wish(&self, wish: Wish) {
        if let Some(wishes) = &self.wishes {
            // The thread ends with the nursery only.
            drop(wishes.send(wish));
        }
    }

    /// An executor that is ready for an agent: one of the spare, else a new one.
    pub fn take(&self) -> Result<Executor, ExecutorError> {
        let spare = {
            let mut held = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            // One may have been killed while it waited.
            held.retain(Executor::is_alive);
            held.pop()
        };
        if let Some(executor) = spare {
            self.wish(Wish::Refill);
            return Ok(executor);
        }
        self.take_new()
    }

    /// An executor that was started for this.
    pub fn take_new(&self) -> Result<Executor, ExecutorError> {
        let (reply, started) = sync_channel(1);
        self.wish(Wish::Now(reply));
        self.wish(Wish::Refill);
        let gone = || ExecutorError::Refused("the nursery's thread is gone".to_owned());
        let mut executor = started.recv().map_err(|_| gone())??;
        executor.wait_ready()?;
        Ok(executor)
    }

    /// The guests that the executors map.
    pub fn guests(&self) -> &Guests {
        &self.guests
    }
}

fn serve(program: &Path, guests: &Guests, held: &Mutex<Vec<Executor>>, spare: usize, wished: &Receiver<Wish>) {
    while let Ok(wish) = wished.recv() {
        match wish {
            // Whoever wished may be gone: then the executor ends.
            Wish::Now(reply) => drop(reply.send(Executor::spawn(program, guests))),
            Wish::Refill => refill(program, guests, held, spare),
        }
    }
}

fn refill(program: &Path, guests: &Guests, held: &Mutex<Vec<Executor>>, spare: usize) {
    while held.lock().unwrap_or_else(PoisonError::into_inner).len() < spare {
        match Executor::start(program, guests) {
            Ok(executor) => held.lock().unwrap_or_else(PoisonError::into_inner).push(executor),
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
