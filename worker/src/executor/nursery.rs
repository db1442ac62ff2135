//! Executors started ahead of need. Exec, engine and guests take a millisecond and a half and know no agent yet, so a
//! turn of a new agent need not wait for them.

use crate::executor::handle::{Executor, ExecutorError, Guests};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Starts executors ahead of need, on a thread of its own that ends with it.
#[derive(Debug)]
pub struct Nursery {
    program: PathBuf,
    guests: Guests,
    spare: Arc<Mutex<Vec<Executor>>>,
    bell: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Nursery {
    /// Keeps `spare` executors ready.
    pub fn start(program: PathBuf, guests: Guests, spare: usize) -> std::io::Result<Nursery> {
        let held = Arc::new(Mutex::new(Vec::new()));
        let (bell, rung) = sync_channel(1);
        let thread = std::thread::Builder::new().name("gg-nursery".into()).spawn({
            let (program, guests, held) = (program.clone(), guests.clone(), held.clone());
            move || refill(&program, &guests, &held, spare, &rung)
        })?;
        let nursery = Nursery { program, guests, spare: held, bell: Some(bell), thread: Some(thread) };
        nursery.ring();
        Ok(nursery)
    }

    fn ring(&self) {
        if let Some(bell) = &self.bell {
            // A full bell is a bell that will be heard.
            let _ = bell.try_send(());
        }
    }

    /// An executor that is ready for an agent: one of the spare, else a new one.
    pub fn take(&self) -> Result<Executor, ExecutorError> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        self.ring();
        match spare {
            Some(executor) => Ok(executor),
            None => Executor::start(&self.program, &self.guests),
        }
    }

    /// The guests that the executors map.
    pub fn guests(&self) -> &Guests {
        &self.guests
    }
}

fn refill(program: &std::path::Path, guests: &Guests, held: &Mutex<Vec<Executor>>, spare: usize, rung: &Receiver<()>) {
    while rung.recv().is_ok() {
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
}

impl Drop for Nursery {
    fn drop(&mut self) {
        self.bell = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
