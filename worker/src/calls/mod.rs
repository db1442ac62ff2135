//! What a program asked for, served against its agent's home: one file a module of operations.
//!
//! A call reaches a module's file only if the profile grants it, and only while the run's wall clock allows; both are
//! decided here, once. A call applies its effect at once, so that the program sees it, and records it in order for the
//! turn's result.

pub mod context;
pub mod docs;
pub mod files;
pub mod following;
pub mod memories;
pub mod modules;
pub mod near;
pub mod programs;
pub mod session;
pub mod shell;
pub mod skills;
pub mod surface;
pub mod tasks;
pub mod views;

use crate::confine::Settings;
use crate::contract::{ApiError, ErrorCode};
use crate::home::Home;
use crate::home::tree::TreeLimits;
use following::Following;
use gg_common::content::ContentKey;
use gg_common::job::{CallRecord, Effect};
use gg_common::objects::Objects;
use gg_common::operation::{Binding, Operation, Served};
use gg_common::outcome::Suspect;
use gg_common::profile::{Capability, Profile};
use gg_common::state::{State, ViewKey};
use modules::LoadModule;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::fmt;
use std::time::{Duration, Instant};
use surface::Surface;

/// How many records of calls a turn's result may hold; later calls are counted in the first record of their operation.
const MOST_RECORDS: usize = 1_000;

/// What a turn may store of memories and modules, in bytes: what is stored stays for as long as its run does.
const STORED_TURN_BYTES: u64 = 16 << 20;

/// How often a turn may change tasks, memories and the thread: each change is in its result and in the log.
const MOST_CHANGES: u32 = 1_000;

/// A fault of the farm's met while a call was served. It ends the turn as the farm's failure, whatever the program does
/// with the error that it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FarmFault {
    /// What failed.
    pub text: String,
    /// Set where the program may have brought it about.
    pub suspect: Option<Suspect>,
}

impl From<String> for FarmFault {
    fn from(text: String) -> FarmFault {
        FarmFault { text, suspect: None }
    }
}

impl fmt::Display for FarmFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What the calls of one turn are served against.
pub struct Turn<'a> {
    /// The agent's home.
    pub home: &'a Home,
    /// What the agent was started from.
    pub profile: &'a Profile,
    /// What it can look up of its SDK.
    pub surface: Surface,
    /// The same with the code modules in scope, once it was asked for.
    pub with_modules: Option<Surface>,
    /// What prepares the code modules that its reads bring into scope.
    pub loader: &'a dyn LoadModule,
    /// The turn's number, from 1.
    pub number: u32,
    /// What the agent keeps between its turns, as the calls so far have left it.
    pub state: State,
    /// The views that stood when the turn began.
    pub stood: HashSet<ViewKey>,
    /// Where bodies are.
    pub objects: &'a Objects,
    /// When the run's wall clock is spent.
    pub run_deadline: Option<Instant>,
    /// When the program's wall bound is.
    pub program_deadline: Instant,
    /// What the tree may hold, and what must stay free on its disk.
    pub tree_limits: TreeLimits,
    /// How shell commands are started.
    pub children: &'a Settings,
    /// What the calls did so far, in order. Endings are apart.
    pub effects: Vec<Effect>,
    /// How the program that runs now would end the session.
    pub ending: Option<Effect>,
    /// What runs after it.
    pub following: Following,
    /// How often the turn changed tasks, memories and the thread.
    pub changes: u32,
    /// Operations that were called and not granted, each once.
    pub refusals: Vec<Operation>,
    /// The calls so far, run-length folded.
    pub records: Vec<CallRecord>,
    /// What this turn's views hold, in bytes.
    pub view_bytes: u64,
    /// What this turn's calls stored of memories and modules, in bytes.
    pub stored_bytes: u64,
    /// What this turn's calls wrote into the tree, in bytes.
    pub written_bytes: u64,
    /// How often this turn's calls wrote into the tree.
    pub writes: u64,
    /// Whether a shell command ran unconfined, because the operator allowed it.
    pub unconfined: bool,
    /// A fault of the farm's, if one was met.
    pub fault: Option<FarmFault>,
}

/// An error of a call.
pub(crate) fn error(operation: Operation, code: ErrorCode, message: impl Into<String>) -> ApiError {
    ApiError { operation: operation.id().to_owned(), code, message: message.into() }
}

impl Turn<'_> {
    /// Serves one call: encoded arguments in, the encoded result out.
    pub fn serve(&mut self, operation: Operation, args: &[u8]) -> Vec<u8> {
        let started = Instant::now();
        let (reply, code) = match self.admit(operation) {
            Ok(()) => self.dispatch(operation, args),
            Err(refusal) => refused(refusal),
        };
        self.record(operation, code, started.elapsed());
        reply
    }

    /// The one place that says no before a module is asked.
    fn admit(&mut self, operation: Operation) -> Result<(), ApiError> {
        if !self.profile.grants_call(operation) {
            if !self.refusals.contains(&operation) {
                self.refusals.push(operation);
            }
            return Err(error(operation, ErrorCode::Unavailable, why_unavailable(operation, self.profile)));
        }
        if self.run_deadline.is_some_and(|deadline| Instant::now() >= deadline) && !operation.served_after_wall_clock()
        {
            return Err(error(
                operation,
                ErrorCode::LimitExceeded,
                "the run's wall clock is spent: only views, documentation, programs and the session's ending are served now; finish the session",
            ));
        }
        Ok(())
    }

    fn dispatch(&mut self, operation: Operation, args: &[u8]) -> (Vec<u8>, Option<ErrorCode>) {
        use Operation as O;
        match operation {
            O::FilesReadFile => {
                self.answer(operation, args, |t, (path, offset, limit)| files::read_file(t, path, offset, limit))
            }
            O::FilesReadTextFile => {
                self.answer(operation, args, |t, (path, offset, limit)| files::read_text_file(t, path, offset, limit))
            }
            O::FilesWriteFile => {
                self.answer(operation, args, |t, (path, contents)| files::write_file(t, path, contents))
            }
            O::FilesEditFile => self.answer(operation, args, |t, (path, old, new)| files::edit_file(t, path, old, new)),
            O::FilesListDir => self.answer(operation, args, |t, (path,)| files::list_dir(t, path)),
            O::FilesSearch => {
                self.answer(operation, args, |t, (query, path, limit)| files::search(t, query, path, limit))
            }
            O::ShellShell => self.answer(operation, args, |t, (command, timeout)| shell::shell(t, command, timeout)),
            O::TasksAddTask => self.answer(operation, args, |t, (task,)| tasks::add_task(t, task)),
            O::TasksUpdateTask => self.answer(operation, args, |t, (id, patch)| tasks::update_task(t, id, patch)),
            O::TasksSetBlockedBy => self.answer(operation, args, |t, (id, by)| tasks::set_blocked_by(t, id, by)),
            O::TasksCompleteTask => self.answer(operation, args, |t, (id,)| tasks::complete_task(t, id)),
            O::TasksRemoveTask => self.answer(operation, args, |t, (id,)| tasks::remove_task(t, id)),
            O::MemoriesWriteMemory => self.answer(operation, args, |t, (memory,)| memories::write_memory(t, memory)),
            O::MemoriesUpdateMemory => self.answer(operation, args, |t, (memory,)| memories::update_memory(t, memory)),
            O::MemoriesCreateMemory => self.answer(operation, args, |t, (memory,)| memories::create_memory(t, memory)),
            O::MemoriesReadMemory => self.answer(operation, args, |t, (name,)| memories::read_memory(t, name)),
            O::MemoriesEditMemory => {
                self.answer(operation, args, |t, (name, old, new)| memories::edit_memory(t, name, old, new))
            }
            O::MemoriesSearchMemories => {
                self.answer(operation, args, |t, (words,)| memories::search_memories(t, words))
            }
            O::MemoriesDeleteMemory => self.answer(operation, args, |t, (name,)| memories::delete_memory(t, name)),
            O::DocsClose => self.answer(operation, args, |t, (key,)| docs::close(t, key)),
            O::DocsCloseAll => self.answer(operation, args, |t, ()| docs::close_all(t)),
            O::ViewsClose => self.answer(operation, args, |t, (selector,)| views::close(t, selector)),
            O::ViewsCurrent => self.answer(operation, args, |t, ()| views::current(t)),
            O::ContextEvictFileView => self.answer(operation, args, |t, (path,)| context::evict_file_view(t, path)),
            O::ContextArchiveThread => self.answer(operation, args, |t, (ranges,)| context::archive_thread(t, ranges)),
            O::ContextSearchArchive => self.answer(operation, args, |t, (query,)| context::search_archive(t, query)),
            O::ProgramsRerun => self.answer(operation, args, |t, (source,)| programs::rerun(t, source)),
            O::DocsSearch => self.answer(operation, args, |t, (query,)| docs::search(t, query)),
            O::ViewsOpenFile => {
                self.answer(operation, args, |t, (path, offset, limit)| views::open_file(t, path, offset, limit))
            }
            O::ViewsOpenText => self.answer(operation, args, |t, (label, body)| views::open_text(t, label, body)),
            O::ViewsOpenDocsView => self.answer(operation, args, |t, (name,)| views::open_docs_view(t, name)),
            O::SkillsReadSkill => self.answer(operation, args, |t, (name,)| skills::read_skill(t, name)),
            O::ProgramsHistory => self.answer(operation, args, |t, ()| programs::history(t)),
            O::ProgramsGet => self.answer(operation, args, |t, (turn,)| programs::get(t, turn)),
            O::SessionFinish => self.answer(operation, args, |t, (summary,)| session::finish(t, summary)),
            O::SessionApprove => self.answer(operation, args, |t, (summary,)| session::approve(t, summary)),
            O::SessionRequestChanges => self.answer(operation, args, |t, (items,)| session::request_changes(t, items)),
            _ => refused(error(operation, ErrorCode::Unavailable, why_unavailable(operation, self.profile))),
        }
    }

    fn answer<A: DeserializeOwned, T: Serialize>(
        &mut self,
        operation: Operation,
        args: &[u8],
        serve: impl FnOnce(&mut Self, A) -> Result<T, ApiError>,
    ) -> (Vec<u8>, Option<ErrorCode>) {
        let result = match postcard::from_bytes(args) {
            Ok(args) => serve(self, args),
            // Both ends are one build: only an executor that was taken over sends what does not read.
            Err(_) => Err(error(operation, ErrorCode::InvalidArgument, "the call's arguments do not read")),
        };
        let code = result.as_ref().err().map(|e| e.code);
        (encode(&result), code)
    }

    fn record(&mut self, operation: Operation, code: Option<ErrorCode>, took: Duration) {
        let same = |record: &CallRecord| record.operation == operation.id();
        let at = match self.records.last() {
            Some(last) if same(last) => Some(self.records.len() - 1),
            // Two calls in turns, a million times, would fill the worker's memory: past the bound the order is lost.
            _ if self.records.len() >= MOST_RECORDS => self.records.iter().position(same),
            _ => None,
        };
        let at = at.unwrap_or_else(|| {
            self.records.push(CallRecord::of(operation));
            self.records.len() - 1
        });
        if let Some(record) = self.records.get_mut(at) {
            record.count += 1;
            record.micros += took.as_micros() as u64;
            if let Some(code) = code {
                *record.errors.entry(code.id().to_owned()).or_default() += 1;
            }
        }
    }

    /// Changes the agent's state, and records it.
    pub(crate) fn change(&mut self, operation: Operation, effect: Effect) -> Result<(), ApiError> {
        if self.changes >= MOST_CHANGES {
            let message = format!(
                "this turn has changed tasks, memories and the thread {MOST_CHANGES} times, as often as it may: go on in the next turn"
            );
            return Err(error(operation, ErrorCode::LimitExceeded, message));
        }
        self.changes += 1;
        self.state.apply(self.number, &effect);
        self.effects.push(effect);
        Ok(())
    }

    /// Stores a text of the agent's. A turn stores so much, and nothing where the disk's reserve would go.
    pub(crate) fn store(&mut self, operation: Operation, bytes: Vec<u8>, what: &str) -> Result<ContentKey, ApiError> {
        let total = self.stored_bytes + bytes.len() as u64;
        if total > STORED_TURN_BYTES {
            let message = format!(
                "this turn has stored {} bytes of memories and modules, and {STORED_TURN_BYTES} are as many as it may: go on in the next turn",
                self.stored_bytes
            );
            return Err(error(operation, ErrorCode::LimitExceeded, message));
        }
        if self.objects.check_room(self.tree_limits.disk_reserve + bytes.len() as u64).is_err() {
            let message = format!("{what} does not fit on the worker's disk beside its reserve: keep less");
            return Err(error(operation, ErrorCode::LimitExceeded, message));
        }
        let stored = self.objects.put_blocking(bytes);
        let key =
            stored.map_err(|problem| self.farm_fault(operation, &problem, &format!("{what} could not be stored")))?;
        self.stored_bytes = total;
        Ok(key)
    }

    /// The error of a call that the farm's own fault met; the fault ends the turn.
    pub(crate) fn farm_fault(&mut self, operation: Operation, problem: &dyn fmt::Display, message: &str) -> ApiError {
        self.fault = Some(problem.to_string().into());
        error(operation, ErrorCode::IoError, message)
    }

    /// What is left of the program's and the run's wall clock.
    pub(crate) fn time_left(&self) -> Duration {
        let deadline = self.run_deadline.map_or(self.program_deadline, |run| run.min(self.program_deadline));
        deadline.saturating_duration_since(Instant::now())
    }
}

fn encode<T: Serialize>(result: &Result<T, ApiError>) -> Vec<u8> {
    postcard::to_stdvec(result).unwrap_or_default()
}

fn refused(refusal: ApiError) -> (Vec<u8>, Option<ErrorCode>) {
    let code = refusal.code;
    (encode::<()>(&Err(refusal)), Some(code))
}

fn why_unavailable(operation: Operation, profile: &Profile) -> String {
    let row = operation.row();
    if row.served == Served::NotYet {
        return "this version of gg-farm does not serve the call".to_owned();
    }
    match row.binding {
        Binding::Capability(Capability::Memories)
            if profile.capabilities.contains(&Capability::Memories) && !profile.memories.strategy.has(operation) =>
        {
            format!(
                "it is not offered to this agent: its memories have the strategy `{}`, which has other calls",
                profile.memories.strategy.id()
            )
        }
        Binding::Capability(capability) if profile.capabilities.contains(&capability) => {
            format!("it is not offered to this agent: its profile grants other calls of `{capability}`")
        }
        Binding::Capability(capability) => {
            format!("it is not offered to this agent: its profile does not enable `{capability}`")
        }
        Binding::Ending(_) => "it is not offered to this agent: it ends sessions of another role".to_owned(),
        Binding::Machine => "it is not offered to this agent: it lives in no state machine".to_owned(),
        Binding::Always => "it is not offered to this agent".to_owned(),
    }
}
