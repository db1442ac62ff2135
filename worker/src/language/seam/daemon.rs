//! A long-lived compiler process: started as a compiler is, and held as one, but in a tree of its own. It has no rights in
//! any agent's workspace and never gets any; [`super::request`] says how files reach it and come back.
//!
//! It speaks by [`crate::confine::living`]'s messages. What it says first, as soon as it can serve, is JSON:
//! `{"protocol": 1, "release": "2.4.21"}`; a release that it cannot tell is left out. Bodies of requests and answers are the
//! arm's own affair, but for one: a request of no bytes asks whether it is ready for the next, and is answered with none.
//! Its current folder is `work` of its tree, beside `out`.
//!
//! What a request left in the tree is gone before the next, and what it left running ends the daemon. What it left in the
//! daemon's memory nothing here can see: an arm's daemon must be held to that by tests, and is retired after some builds.

use super::compile::{self, TIME, Told, end_of, failure, watch};
use super::context::not_started;
use super::request::Request;
use super::site::Site;
use super::workspace::Workspace;
use crate::confine::Watch;
use crate::confine::credentials::SlotIds;
use crate::confine::living::{Broken, Exchange, Living};
use crate::home::slot::Slot;
use crate::language::prepared::{PrepareError, ToolchainEnd, ToolchainFailure};
use serde::Deserialize;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest first words.
const HELLO_BYTES: usize = 4 << 10;
/// The longest answer: a thousand diagnostics fit, and what is made does not travel in it.
const ANSWER_BYTES: usize = 8 << 20;
/// What is kept of its standard error.
const STDERR_BYTES: usize = 64 << 10;
/// How long it may take to say that it is ready for the next.
const READY_WITHIN: Duration = Duration::from_secs(5);
/// Memory of its processes together, in bytes, unless its plan says otherwise.
const MEMORY_BYTES: u64 = 2 << 30;

/// How a long-lived compiler is started.
#[derive(Debug, Clone)]
pub struct DaemonPlan {
    program: PathBuf,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    reads: Vec<PathBuf>,
    protocol: u32,
    release: Option<String>,
    memory_bytes: u64,
}

/// A long-lived compiler, to be pooled.
pub fn daemon(program: &Path) -> DaemonPlan {
    DaemonPlan {
        program: program.to_owned(),
        args: Vec::new(),
        env: Vec::new(),
        reads: Vec::new(),
        protocol: 1,
        release: None,
        memory_bytes: MEMORY_BYTES,
    }
}

impl DaemonPlan {
    /// Adds arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Adds a variable to the fixed environment.
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Shows it a folder or a file in its own place and to be read only: its toolchain.
    pub fn reads(mut self, path: &Path) -> Self {
        self.reads.push(path.to_owned());
        self
    }

    /// What it must speak; else it is refused. Default: 1.
    pub fn protocol(mut self, protocol: u32) -> Self {
        self.protocol = protocol;
        self
    }

    /// The release that it must be of, where it can tell. Default: any.
    pub fn release(mut self, release: impl Into<String>) -> Self {
        self.release = Some(release.into());
        self
    }

    /// What its processes may use together; past it they are ended. Default: 2 GiB.
    pub fn memory_bytes(mut self, bytes: u64) -> Self {
        self.memory_bytes = bytes;
        self
    }

    pub(super) fn name(&self) -> String {
        self.program.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// What a daemon says first.
#[derive(Debug, Deserialize)]
struct Hello {
    protocol: u32,
    #[serde(default)]
    release: Option<String>,
}

/// Whether it is the one that is wanted.
fn checked(hello: &[u8], plan: &DaemonPlan) -> Result<(), String> {
    let hello: Hello =
        serde_json::from_slice(hello).map_err(|error| format!("its first words do not read: {error}"))?;
    if hello.protocol != plan.protocol {
        let (theirs, ours) = (hello.protocol, plan.protocol);
        return Err(format!("it speaks protocol {theirs}, and this worker speaks {ours}: install its toolchain again"));
    }
    match (&hello.release, &plan.release) {
        (Some(theirs), Some(ours)) if theirs != ours => {
            Err(format!("it is of release {theirs}, and {ours} is needed: install its toolchain again"))
        }
        _ => Ok(()),
    }
}

/// A daemon that runs.
#[derive(Debug)]
pub(super) struct Instance {
    // First, so that it is gone before its tree is.
    living: Living,
    tree: Workspace,
    name: String,
    memory_bytes: u64,
    /// Its processes when it had said what it is: more than those are somebody's leftovers.
    lasting: Vec<libc::pid_t>,
    /// How many requests it answered.
    pub(super) builds: u64,
    _slot: Slot,
}

impl Instance {
    /// Starts one and hears what it is.
    pub(super) fn start(plan: &DaemonPlan, site: &Site, timeout: Duration) -> Result<Instance, PrepareError> {
        let name = plan.name();
        let failed = |error: io::Error| not_started(&name, format!("its tree cannot be made: {error}"));
        let slot = Slot::take(&site.daemons, site.daemon_uid).map_err(failed)?;
        let tree = Workspace::create(slot.folder(), slot.owner()).map_err(failed)?;
        let ids = slot.owner().map_or_else(SlotIds::current, |(uid, gid)| SlotIds { uid, gid });
        let told = Told {
            program: plan.program.clone(),
            args: plan.args.clone(),
            env: plan.env.clone(),
            reads: plan.reads.clone(),
        };
        let mut job = compile::job(told, ids, tree.root());
        job.bounds.memory_bytes = plan.memory_bytes;
        // Nobody empties it between requests.
        job.bounds.temp_bytes = 0;
        job.output_bytes = STDERR_BYTES;
        let living = Living::start(&site.children, &job).map_err(|error| not_started(&name, error.to_string()))?;
        let memory_bytes = plan.memory_bytes;
        let mut instance = Instance { living, tree, name, memory_bytes, lasting: Vec::new(), builds: 0, _slot: slot };
        let mut watch = watch(instance.tree.root(), &site.daemons, site.disk_reserve_bytes);
        let hello = instance.living.greeting(exchange(timeout, HELLO_BYTES, &mut watch, site));
        let hello = hello.map_err(|broken| {
            let ToolchainFailure { compiler, end, tail, suspect } = instance.failed(broken, timeout);
            // No program was near.
            let tail = match end {
                ToolchainEnd::NotStarted => tail,
                end => {
                    let how = ToolchainFailure { compiler: "it".to_owned(), end, tail, suspect: None };
                    format!("before it had said what it is, {how}")
                }
            };
            PrepareError::Toolchain(ToolchainFailure { compiler, end: ToolchainEnd::NotStarted, tail, suspect })
        })?;
        checked(&hello, plan).map_err(|reason| not_started(&instance.name, reason))?;
        instance.lasting = instance.living.processes();
        Ok(instance)
    }

    /// Serves one request: stages, asks, has the answer read, moves back what was made, and clears. After a failure the
    /// instance is not to be used again.
    pub(super) fn serve<T>(
        &mut self,
        request: &Request,
        workspace: Option<&Path>,
        site: &Site,
        timeout: Duration,
        read: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<T, PrepareError> {
        // Once more, for what was written since.
        self.tree.empty().map_err(|error| self.not_served(&error))?;
        request.stage(self.tree.root(), workspace).map_err(|error| self.not_served(&error))?;
        let mut watch = watch(self.tree.root(), &site.daemons, site.disk_reserve_bytes);
        let answer = self.living.ask(request.body(), exchange(timeout, ANSWER_BYTES, &mut watch, site));
        let answer = answer.map_err(|broken| PrepareError::Toolchain(self.failed(broken, timeout)))?;
        let answer =
            read(&answer).map_err(|reason| PrepareError::Toolchain(self.failed(Broken::Garbled(reason), timeout)))?;
        request.bring(self.tree.root(), workspace).map_err(|error| self.not_brought(&error))?;
        self.tree.empty().map_err(|error| self.not_served(&error))?;
        self.builds += 1;
        Ok(answer)
    }

    fn not_served(&self, error: &io::Error) -> PrepareError {
        not_started(&self.name, format!("its tree cannot be made ready: {error}"))
    }

    /// What it made is not what a compiler makes: its own doing, or the program's.
    fn not_brought(&mut self, error: &io::Error) -> PrepareError {
        let end = match error.kind() {
            io::ErrorKind::FileTooLarge => ToolchainEnd::Bound,
            io::ErrorKind::InvalidData => ToolchainEnd::Garbled,
            _ => ToolchainEnd::NotStarted,
        };
        let said = self.living.said();
        PrepareError::Toolchain(failure(self.name.clone(), end, Some(error.to_string()), &said))
    }

    /// Ends it, and says what went wrong with the end of what it said.
    fn failed(&mut self, broken: Broken, timeout: Duration) -> ToolchainFailure {
        self.living.end();
        let (end, why) = match broken {
            Broken::Ended(ended) => end_of(&ended, timeout, self.memory_bytes),
            Broken::Garbled(reason) => (ToolchainEnd::Garbled, Some(reason)),
            Broken::Failed(error) => (ToolchainEnd::NotStarted, Some(error.to_string())),
        };
        failure(self.name.clone(), end, why, &self.living.said())
    }

    /// CPU time since it started.
    pub(super) fn cpu(&mut self) -> Duration {
        self.living.usage().cpu
    }

    /// Resident memory of its processes, in bytes.
    pub(super) fn memory_bytes(&mut self) -> u64 {
        self.living.usage().memory_bytes
    }

    /// Whether it has answered everything, and says that it is ready for another.
    pub(super) fn is_ready(&mut self, site: &Site) -> bool {
        let mut watch = watch(self.tree.root(), &site.daemons, site.disk_reserve_bytes);
        let ready = self.living.ask(&[], exchange(READY_WITHIN, 0, &mut watch, site));
        ready.is_ok() && self.is_quiet()
    }

    /// Whether it lives and says nothing unasked.
    pub(super) fn is_quiet(&mut self) -> bool {
        self.living.is_quiet()
    }

    /// Whether something runs that did not when it had said what it is.
    pub(super) fn has_strays(&self) -> bool {
        self.living.processes().iter().any(|pid| !self.lasting.contains(pid))
    }
}

fn exchange<'a>(timeout: Duration, answer_bytes: usize, watch: &'a mut dyn Watch, site: &'a Site) -> Exchange<'a> {
    Exchange { timeout: timeout.min(TIME), answer_bytes, watch: Some(watch), ending: site.ending() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_protocol_and_another_release_are_refused_and_an_unknown_release_is_not() {
        let plan = daemon(Path::new("/x/kotlinc")).protocol(3).release("2.4.21");
        let check = |hello: &str| checked(hello.as_bytes(), &plan);
        assert_eq!(check(r#"{"protocol":3,"release":"2.4.21"}"#), Ok(()));
        assert_eq!(check(r#"{"protocol":3,"release":null,"more":1}"#), Ok(()), "that it cannot tell is no mismatch");
        assert_eq!(check(r#"{"protocol":3}"#), Ok(()));
        let protocol = check(r#"{"protocol":2,"release":"2.4.21"}"#).expect_err("another protocol");
        assert!(protocol.contains("protocol 2") && protocol.contains("speaks 3"), "{protocol}");
        let release = check(r#"{"protocol":3,"release":"2.4.20"}"#).expect_err("another release");
        assert!(release.contains("release 2.4.20") && release.contains("2.4.21 is needed"), "{release}");
        assert!(check("hello").expect_err("garbage").contains("do not read"));
        assert_eq!(checked(br#"{"protocol":1,"release":"9"}"#, &daemon(Path::new("/x"))), Ok(()), "any release");
    }
}
