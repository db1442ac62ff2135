//! The ledger on disk: a folder a run, with its log as `events.jsonl`. One process holds a run at a time (`flock`).

use super::{Ledger, LedgerError};
use crate::event::{Event, EventBody};
use crate::job::RunId;
use crate::objects::Durability;
use async_trait::async_trait;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The log's file name within a run's folder.
pub const LOG_FILE: &str = "events.jsonl";

#[derive(Debug)]
struct Run {
    log: File,
    next: u64,
    /// Length of the log up to its last whole line, in bytes.
    length: u64,
    attempts: HashMap<u32, u32>,
    /// What was read when the log was opened, for who asks first.
    fresh: Option<Vec<Event>>,
}

/// A log, as far as it is read.
enum Logged {
    Events(Vec<Event>),
    Bytes(Vec<u8>),
}

/// Event logs in a folder of runs.
#[derive(Debug)]
pub struct LocalLedger {
    folder: PathBuf,
    durability: Durability,
    runs: Mutex<HashMap<RunId, Run>>,
}

impl LocalLedger {
    /// A ledger over `folder`, which holds a folder a run.
    pub fn new(folder: &Path, durability: Durability) -> LocalLedger {
        LocalLedger { folder: folder.to_owned(), durability, runs: Mutex::default() }
    }

    /// Where a run's records lie.
    pub fn run_folder(&self, run: &RunId) -> PathBuf {
        self.folder.join(&run.0)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RunId, Run>> {
        // A panic elsewhere cannot leave a run half changed: its fields change only after the write succeeded.
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, run: &RunId) -> Result<Run, LedgerError> {
        let folder = self.run_folder(run);
        let path = folder.join(LOG_FILE);
        let io = |action, path: &Path| {
            let path = path.to_owned();
            move |source| LedgerError::Io { action, path, source }
        };
        std::fs::create_dir_all(&folder).map_err(io("making the run folder", &folder))?;
        let mut log = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .map_err(io("opening the event log", &path))?;
        if log.try_lock().is_err() {
            return Err(LedgerError::Held { folder });
        }
        let mut bytes = Vec::new();
        log.read_to_end(&mut bytes).map_err(io("reading the event log", &path))?;
        let events = parse(&path, &bytes)?;
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        if whole < bytes.len() {
            // The process was killed within a write: nothing was told of that event, so it did not happen.
            let torn = folder.join("events.torn");
            std::fs::write(&torn, &bytes[whole..]).map_err(io("setting aside the torn last line as", &torn))?;
            log.set_len(whole as u64).map_err(io("cutting the torn last line off", &path))?;
            tracing::warn!(log = %path.display(), aside = %torn.display(), "the torn last line of the log was set aside");
        }
        let mut attempts = HashMap::new();
        for event in &events {
            if let EventBody::TurnStarted { turn, attempt, .. } = event.event {
                attempts.insert(turn, attempt);
            }
        }
        Ok(Run { log, next: events.len() as u64, length: whole as u64, attempts, fresh: Some(events) })
    }

    fn with<T>(&self, run: &RunId, f: impl FnOnce(&mut Run) -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        let mut runs = self.lock();
        if !runs.contains_key(run) {
            let opened = self.open(run)?;
            runs.insert(run.clone(), opened);
        }
        match runs.get_mut(run) {
            Some(open) => f(open),
            None => unreachable!("inserted above"),
        }
    }
}

/// The events of the run in a folder, as far as they are written, whoever drives the run.
pub fn read_log(folder: &Path) -> Result<Vec<Event>, LedgerError> {
    let path = folder.join(LOG_FILE);
    let mut bytes = Vec::new();
    crate::regular::open(&path).and_then(|mut log| log.read_to_end(&mut bytes)).map_err(|source| LedgerError::Io {
        action: "reading the event log",
        path: path.clone(),
        source,
    })?;
    parse(&path, &bytes)
}

/// The events of a log's whole lines.
fn parse(path: &Path, bytes: &[u8]) -> Result<Vec<Event>, LedgerError> {
    let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let mut events = Vec::new();
    for (index, line) in bytes[..whole].split(|b| *b == b'\n').filter(|l| !l.is_empty()).enumerate() {
        let unreadable = |message: String| LedgerError::Unreadable { path: path.to_owned(), line: index + 1, message };
        let event: Event = serde_json::from_slice(line).map_err(|e| unreadable(e.to_string()))?;
        if event.version != crate::FORMAT_VERSION {
            return Err(unreadable(format!(
                "it has version {}, this program reads version {}",
                event.version,
                crate::FORMAT_VERSION
            )));
        }
        if event.seq != index as u64 {
            return Err(unreadable(format!("it is numbered {}, and {index} comes next", event.seq)));
        }
        events.push(event);
    }
    Ok(events)
}

#[async_trait]
impl Ledger for LocalLedger {
    async fn append(&self, run: &RunId, seq: u64, at_ms: u64, body: EventBody) -> Result<Event, LedgerError> {
        let event = Event { version: crate::FORMAT_VERSION, run: run.clone(), seq, at_ms, event: body };
        let mut line = serde_json::to_vec(&event).map_err(|e| LedgerError::Io {
            action: "writing an event to",
            path: self.run_folder(run).join(LOG_FILE),
            source: std::io::Error::other(e),
        })?;
        line.push(b'\n');
        let path = self.run_folder(run).join(LOG_FILE);
        let durability = self.durability;
        self.with(run, |open| {
            if open.next != seq {
                return Err(LedgerError::Sequence { run: run.clone(), expected: seq, found: open.next });
            }
            let written = open.log.write_all(&line).and_then(|()| match durability {
                Durability::Synced => open.log.sync_data(),
                Durability::Cached => Ok(()),
            });
            if let Err(source) = written {
                // A full disk may have taken part of the line: cut it off, so that the log stays whole.
                let cut = open.log.set_len(open.length);
                if let Err(error) = cut {
                    tracing::warn!(log = %path.display(), %error, "half a line may stand at the log's end");
                }
                return Err(LedgerError::Io { action: "appending to the event log", path: path.clone(), source });
            }
            open.next += 1;
            open.length += line.len() as u64;
            open.fresh = None;
            Ok(())
        })?;
        Ok(event)
    }

    async fn read(&self, run: &RunId, from: u64) -> Result<Vec<Event>, LedgerError> {
        let path = self.run_folder(run).join(LOG_FILE);
        let read = self.with(run, |open| {
            if let Some(events) = open.fresh.take() {
                return Ok(Logged::Events(events));
            }
            let mut bytes = Vec::new();
            open.log
                .seek(SeekFrom::Start(0))
                .and_then(|_| open.log.read_to_end(&mut bytes))
                .map_err(|source| LedgerError::Io { action: "reading the event log", path: path.clone(), source })?;
            Ok(Logged::Bytes(bytes))
        })?;
        let mut events = match read {
            Logged::Events(events) => events,
            // Others need not wait while it is parsed.
            Logged::Bytes(bytes) => parse(&path, &bytes)?,
        };
        events.drain(..(from as usize).min(events.len()));
        Ok(events)
    }

    async fn count_attempt(&self, run: &RunId, turn: u32) -> Result<u32, LedgerError> {
        self.with(run, |open| {
            let attempts = open.attempts.entry(turn).or_default();
            *attempts = attempts.saturating_add(1);
            Ok(*attempts)
        })
    }

    async fn release(&self, run: &RunId) {
        self.lock().remove(run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Ending;

    fn ended() -> EventBody {
        EventBody::RunEnded { ending: Ending::ScriptEnded }
    }

    #[tokio::test]
    async fn events_are_appended_in_order_and_read_back_by_another_process() {
        let folder = tempfile::tempdir().expect("tempdir");
        let run = RunId("r1".into());
        {
            let ledger = LocalLedger::new(folder.path(), Durability::Synced);
            for seq in 0..3 {
                ledger.append(&run, seq, 1, ended()).await.expect("append");
            }
            let error = ledger.append(&run, 7, 1, ended()).await.expect_err("out of sequence");
            assert!(matches!(error, LedgerError::Sequence { expected: 7, found: 3, .. }), "{error}");
        }
        let ledger = LocalLedger::new(folder.path(), Durability::Cached);
        for _ in 0..2 {
            let events = ledger.read(&run, 1).await.expect("read");
            assert_eq!(events.iter().map(|e| e.seq).collect::<Vec<_>>(), [1, 2]);
        }
        ledger.append(&run, 3, 1, ended()).await.expect("goes on");
        assert_eq!(ledger.read(&run, 3).await.expect("read").len(), 1);
    }

    #[tokio::test]
    async fn a_torn_last_line_is_set_aside_and_the_log_goes_on() {
        let folder = tempfile::tempdir().expect("tempdir");
        let run = RunId("r1".into());
        LocalLedger::new(folder.path(), Durability::Cached).append(&run, 0, 1, ended()).await.expect("append");
        let path = folder.path().join("r1").join(LOG_FILE);
        let mut bytes = std::fs::read(&path).expect("read");
        bytes.extend_from_slice(b"{\"version\":1,\"ru");
        std::fs::write(&path, &bytes).expect("tear");
        let ledger = LocalLedger::new(folder.path(), Durability::Cached);
        ledger.append(&run, 1, 1, ended()).await.expect("append");
        assert_eq!(ledger.read(&run, 0).await.expect("read").len(), 2);
        assert_eq!(std::fs::read(folder.path().join("r1/events.torn")).expect("aside"), b"{\"version\":1,\"ru");
    }

    #[tokio::test]
    async fn a_second_process_is_refused_and_a_broken_line_is_named() {
        let folder = tempfile::tempdir().expect("tempdir");
        let run = RunId("r1".into());
        let first = LocalLedger::new(folder.path(), Durability::Cached);
        first.append(&run, 0, 1, ended()).await.expect("append");
        let second = LocalLedger::new(folder.path(), Durability::Cached);
        assert!(matches!(second.append(&run, 1, 1, ended()).await, Err(LedgerError::Held { .. })));
        first.release(&run).await;
        assert_eq!(second.read(&run, 0).await.expect("held by nobody").len(), 1);
        second.release(&run).await;
        std::fs::write(folder.path().join("r1").join(LOG_FILE), b"{}\n").expect("break");
        let error = second.read(&run, 0).await.expect_err("unreadable").to_string();
        assert!(error.starts_with("line 1 of "), "{error}");
    }

    #[tokio::test]
    async fn attempts_are_counted_and_survive_in_the_log() {
        let folder = tempfile::tempdir().expect("tempdir");
        let run = RunId("r1".into());
        {
            let ledger = LocalLedger::new(folder.path(), Durability::Cached);
            let attempt = ledger.count_attempt(&run, 1).await.expect("count");
            ledger.append(&run, 0, 1, EventBody::TurnStarted { turn: 1, epoch: 1, attempt }).await.expect("append");
        }
        let ledger = LocalLedger::new(folder.path(), Durability::Cached);
        assert_eq!(ledger.count_attempt(&run, 1).await.expect("count"), 2);
    }
}
