//! Warm compilers, lent one preparation at a time.
//!
//! A pool has a number of **places**. A place is idle (an instance waits in it), or out (lent, being started, being ended).
//! Whoever comes takes a place: an idle instance where there is one, else an empty place in which one is started. Where all
//! places are out, those who wait stand in a line and are served in its order. A place comes back with its instance where
//! that is fit to serve again, else empty, after the instance and all that it started are gone; so there are never more
//! processes than places. It comes back however its holder ends: a panic unwinds through [`Lent`]'s drop, and a request
//! that did not come to its end has taken its instance with it.
//!
//! A preparation must hold one of a pool's instances at a time: two that each held one and waited for a second would wait
//! for ever.

use super::compile::TIME;
use super::context::{PrepareContext, State, not_started};
use super::daemon::{DaemonPlan, Instance};
use super::request::Request;
use super::site::Site;
use crate::language::prepared::PrepareError;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// After how many requests an instance is ended, unless its arm says otherwise.
const BUILDS: u64 = 64;
/// Past how much resident memory an instance is ended, in bytes, unless its arm says otherwise.
const MEMORY_BYTES: u64 = 1 << 30;

/// Warm compilers of one kind. Dropped, it ends them.
#[derive(Debug)]
pub struct CompilerPool {
    plan: DaemonPlan,
    size: usize,
    builds: u64,
    memory_bytes: u64,
    timeout: Duration,
    places: Mutex<Places>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Places {
    idle: Vec<Instance>,
    out: usize,
    /// Who waits, in order.
    line: VecDeque<u64>,
    next: u64,
    started: u64,
    retired: u64,
    lost: u64,
}

/// What a pool holds and did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Instances that wait to be lent.
    pub idle: usize,
    /// Places that are lent, or in which one is started or ended.
    pub out: usize,
    /// Preparations that wait for a place.
    pub waiting: usize,
    /// Instances started so far.
    pub started: u64,
    /// Those ended for their builds, for their memory or for what they left running.
    pub retired: u64,
    /// Those that died, or had to be ended.
    pub lost: u64,
}

impl CompilerPool {
    /// A pool of at most so many instances, none of which is started yet.
    pub fn new(size: usize, plan: DaemonPlan) -> CompilerPool {
        CompilerPool {
            plan,
            size: size.max(1),
            builds: BUILDS,
            memory_bytes: MEMORY_BYTES,
            timeout: TIME,
            places: Mutex::default(),
            freed: Condvar::new(),
        }
    }

    /// After how many requests an instance is ended. Default: 64.
    pub fn retire_after_builds(mut self, builds: u64) -> Self {
        self.builds = builds;
        self
    }

    /// Past how much resident memory, read between requests, an instance is ended. Default: 1 GiB.
    pub fn retire_past_memory_bytes(mut self, bytes: u64) -> Self {
        self.memory_bytes = bytes;
        self
    }

    /// Gives a request, and an instance's start, less than the 60 s that each has.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.min(TIME);
        self
    }

    /// Starts instances until there are so many, and has each answer the requests, whose files are bytes: what they make is
    /// not kept. Nothing is done where there are so many already.
    pub fn warm(&self, site: &Site, instances: usize, requests: &[Request]) -> Result<(), PrepareError> {
        let wanted = instances.min(self.size);
        // One that is retired at once is not started again.
        for _ in 0..wanted {
            if !self.reserve(wanted) {
                break;
            }
            let mut lent = self.lend(None, site);
            lent.start()?;
            for request in requests {
                lent.serve(request, None, |_| Ok(())).0?;
            }
        }
        Ok(())
    }

    /// What it holds and did.
    pub fn counts(&self) -> Counts {
        let Places { idle, out, line, started, retired, lost, .. } = &*self.places();
        let (idle, waiting) = (idle.len(), line.len());
        Counts { idle, out: *out, waiting, started: *started, retired: *retired, lost: *lost }
    }

    /// Lends an instance, and says how long it was waited for.
    pub(super) fn checkout<'p>(&'p self, site: &'p Site) -> (Result<Lent<'p>, PrepareError>, Duration) {
        let (mut idle, waited) = self.take_place();
        if idle.as_mut().is_some_and(|instance| !instance.is_quiet()) {
            // It died while nobody looked, or said what nobody asked.
            drop(idle.take());
            self.places().lost += 1;
        }
        let mut lent = self.lend(idle, site);
        let started = if lent.instance.is_none() { lent.start() } else { Ok(()) };
        (started.map(|()| lent), waited)
    }

    /// Waits for a place, in line, and takes it with the instance that is in it.
    fn take_place(&self) -> (Option<Instance>, Duration) {
        let mut began = None;
        let mut places = self.places();
        let ticket = places.next;
        places.next += 1;
        places.line.push_back(ticket);
        while places.line.front() != Some(&ticket) || (places.idle.is_empty() && places.out >= self.size) {
            began.get_or_insert_with(Instant::now);
            places = self.freed.wait(places).unwrap_or_else(PoisonError::into_inner);
        }
        places.line.pop_front();
        places.out += 1;
        let instance = places.idle.pop();
        drop(places);
        // There may be a place for the next in line as well.
        self.freed.notify_all();
        (instance, began.map_or(Duration::ZERO, |began| began.elapsed()))
    }

    /// Takes an empty place where fewer than so many are taken.
    fn reserve(&self, fewer_than: usize) -> bool {
        let mut places = self.places();
        let free = places.idle.len() + places.out < fewer_than && places.line.is_empty();
        if free {
            places.out += 1;
        }
        free
    }

    fn lend<'p>(&'p self, instance: Option<Instance>, site: &'p Site) -> Lent<'p> {
        Lent { pool: self, site, instance, first: First::No }
    }

    /// Takes a place back. What is not fit for another is ended before the place is free.
    fn give_back(&self, mut instance: Option<Instance>, site: &Site) {
        let retired = instance.as_mut().is_some_and(|instance| {
            instance.builds >= self.builds || instance.has_strays() || instance.memory_bytes() > self.memory_bytes
        });
        let lost = !retired && instance.as_mut().is_some_and(|instance| !instance.is_ready(site));
        if retired || lost {
            drop(instance.take());
        }
        let mut places = self.places();
        places.retired += u64::from(retired);
        places.lost += u64::from(lost);
        places.out -= 1;
        places.idle.extend(instance);
        drop(places);
        self.freed.notify_all();
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        // Nothing that may panic happens while it is held.
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether what an instance is asked next is charged with its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    Yes,
    No,
}

/// An instance that is lent. Dropped, it goes back.
#[derive(Debug)]
pub struct Lent<'p> {
    pool: &'p CompilerPool,
    site: &'p Site,
    instance: Option<Instance>,
    first: First,
}

impl Lent<'_> {
    fn start(&mut self) -> Result<(), PrepareError> {
        self.instance = Some(Instance::start(&self.pool.plan, self.site, self.pool.timeout)?);
        self.first = First::Yes;
        self.pool.places().started += 1;
        Ok(())
    }

    /// Asks the compiler, which sees the request's files and nothing else of the agent's; what it made lies in the
    /// workspace afterwards. `read` makes something of its answer: what it cannot read is the toolchain's failure, as is a
    /// compiler that died or took too long. After one, this instance is gone: check out another.
    pub fn ask<T>(
        &mut self,
        context: &mut PrepareContext<'_>,
        request: &Request,
        read: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<T, PrepareError> {
        let root = context.workspace()?.root().to_owned();
        let (answer, cpu, state) = self.serve(request, Some(&root), read);
        context.charge(cpu, state);
        answer
    }

    fn serve<T>(
        &mut self,
        request: &Request,
        workspace: Option<&std::path::Path>,
        read: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> (Result<T, PrepareError>, Duration, State) {
        let pool = self.pool;
        // Out of its place while it is busy: whatever happens here, panics among it, takes it along.
        let Some(mut instance) = self.instance.take() else {
            let gone =
                "the instance that was lent ended with the request before this one: check out another".to_owned();
            return (Err(not_started(&pool.plan.name(), gone)), Duration::ZERO, State::Cold);
        };
        let state = if instance.builds == 0 { State::Cold } else { State::Warm };
        let before = match std::mem::replace(&mut self.first, First::No) {
            First::Yes => Duration::ZERO,
            First::No => instance.cpu(),
        };
        let answer = instance.serve(request, workspace, self.site, pool.timeout, read);
        let cpu = instance.cpu().saturating_sub(before);
        match answer {
            Ok(_) => self.instance = Some(instance),
            Err(_) => {
                drop(instance);
                pool.places().lost += 1;
            }
        }
        (answer, cpu, state)
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.pool.give_back(self.instance.take(), self.site);
    }
}
