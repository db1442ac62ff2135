//! Running a compiler: the one place beneath `language` where processes start. A compiler is given an attacker's program,
//! so it runs as a child of the strictest kind: it reads its toolchain and what it was given, writes the agent's workspace,
//! reaches no network, and nothing of its process tree is left.

use super::context::{PrepareContext, State, not_started};
use crate::confine::credentials::SlotIds;
use crate::confine::root::Proc;
use crate::confine::{Bounds, Ended, Job, LimitReached, Mount, MountAccess, Part, run};
use crate::home::disk;
use crate::home::tree::TreeLimits;
use crate::home::watch::TreeWatch;
use crate::language::prepared::{PrepareError, ToolchainEnd, ToolchainFailure};
use gg_common::limits::TREE_DEPTH;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a compiler sees the workspace. The same for every agent, so that what is compiled does not depend on the agent.
const WORKSPACE: &str = "/w";
/// Where it runs in there.
pub(crate) const WORK: &str = "/w/work";

/// What an invocation may take.
pub(super) const TIME: Duration = Duration::from_secs(60);
/// Memory of its processes together, in bytes.
const MEMORY_BYTES: u64 = 2 << 30;
/// Processes and threads at one time.
const PROCESSES: u64 = 128;
/// What is kept of each output, its head, in bytes: a thousand errors fit.
const OUTPUT_BYTES: usize = 8 << 20;
/// What the workspace may hold, in bytes.
const WORKSPACE_BYTES: u64 = 2 << 30;
/// What the workspace may hold, in entries.
const WORKSPACE_ENTRIES: u64 = 100_000;
/// The temporary folder outside of the workspace, which a compiler has no use for, in bytes. It is memory.
const TEMP_BYTES: u64 = 16 << 20;
/// How much of a dead compiler's standard error is told, in bytes.
const TAIL_BYTES: usize = 2_000;

/// A compiler that ran to its own end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// Its status.
    pub status: i32,
    /// The head of its standard output.
    pub stdout: Vec<u8>,
    /// The head of its standard error.
    pub stderr: Vec<u8>,
    /// Whether it wrote more than was kept.
    pub truncated: bool,
}

/// A run of a compiler.
#[derive(Debug)]
pub struct Compiler<'c, 'a> {
    context: &'c mut PrepareContext<'a>,
    program: PathBuf,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    reads: Vec<PathBuf>,
    proc: Proc,
    timeout: Duration,
}

impl<'c, 'a> Compiler<'c, 'a> {
    pub(super) fn new(context: &'c mut PrepareContext<'a>, program: &Path) -> Compiler<'c, 'a> {
        Compiler {
            context,
            program: program.to_owned(),
            args: Vec::new(),
            env: Vec::new(),
            reads: Vec::new(),
            proc: Proc::None,
            timeout: TIME,
        }
    }

    /// Adds arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds a variable to the fixed environment.
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Shows it a folder or a file outside of the workspace, in its own place and to be read only.
    pub fn reads(mut self, path: &Path) -> Self {
        self.reads.push(path.to_owned());
        self
    }

    /// Lets it find itself by `/proc/self/exe`, at this path; nothing else is in its `/proc`.
    pub fn finds_itself(mut self, program: &Path) -> Self {
        self.proc = Proc::Link(program.to_owned());
        self
    }

    /// Gives it less than the 60 s that it has.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.min(TIME);
        self
    }

    /// Runs it to its end. One that died, that was ended, or that did not start is the farm's failure.
    pub fn run(self) -> Result<Compiled, PrepareError> {
        self.run_as(Some(State::Cold))
    }

    /// The same for what reads a source and compiles nothing: it counts as no compile.
    pub(super) fn run_uncharged(self) -> Result<Compiled, PrepareError> {
        self.run_as(None)
    }

    fn run_as(self, compile: Option<State>) -> Result<Compiled, PrepareError> {
        let Compiler { context, program, args, env, reads, proc, timeout } = self;
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        context.workspace()?;
        let ground = context.ground;
        let ids = ground.owner.map_or_else(SlotIds::current, |(uid, gid)| SlotIds { uid, gid });
        let root = context.workspace()?.root().to_owned();
        let mut job = job(Told { program, args, env, reads }, ids, &root);
        job.proc = proc;
        job.timeout = timeout;
        let mut watch = watch(&root, ground.folder, ground.site.disk_reserve_bytes);
        let report = run(&ground.site.children, &job, Some(&mut watch), None)
            .map_err(|error| not_started(&name, error.to_string()))?;
        if let Some(state) = compile {
            context.charge(Duration::from_millis(report.cpu_ms), state);
        }
        if let Ended::Exited(status) = report.ended {
            let truncated = report.stdout.truncated() || report.stderr.truncated();
            return Ok(Compiled { status, stdout: report.stdout.bytes, stderr: report.stderr.bytes, truncated });
        }
        let (end, bound) = end_of(&report.ended, timeout, MEMORY_BYTES);
        Err(PrepareError::Toolchain(failure(name, end, bound, &report.stderr.bytes)))
    }
}

/// How a compiler ended that did not come to an end of its own, and the bound that it was ended at.
pub(super) fn end_of(ended: &Ended, timeout: Duration, memory_bytes: u64) -> (ToolchainEnd, Option<String>) {
    match ended {
        Ended::Exited(status) => (ToolchainEnd::Exited(*status), None),
        Ended::Signalled(signal) => (ToolchainEnd::Signalled(*signal), None),
        Ended::TimedOut => (ToolchainEnd::TimedOut(timeout), None),
        Ended::Memory => (ToolchainEnd::Bound, Some(format!("{} MiB of memory", memory_bytes >> 20))),
        Ended::Processes => (ToolchainEnd::Bound, Some(format!("{PROCESSES} processes"))),
        Ended::Limit(LimitReached { name, bound }) => (ToolchainEnd::Bound, Some(format!("{name} {bound}"))),
        Ended::Cancelled => (ToolchainEnd::NotStarted, Some("it was ended with its turn".to_owned())),
    }
}

/// A compiler's failure, told with the end of what it said.
pub(super) fn failure(compiler: String, end: ToolchainEnd, why: Option<String>, stderr: &[u8]) -> ToolchainFailure {
    let said = tail(stderr);
    let tail = match why {
        Some(why) if said.is_empty() => why,
        Some(why) => format!("{why}; {said}"),
        None => said,
    };
    ToolchainFailure { compiler, end, tail, suspect: None }
}

/// Holds the bounds of a compiler's tree, and the reserve of the disk that it lies on.
pub(super) fn watch(tree: &Path, folder: &Path, disk_reserve_bytes: u64) -> TreeWatch {
    TreeWatch {
        tree: tree.to_owned(),
        scratch: tree.to_owned(),
        limits: TreeLimits {
            bytes: WORKSPACE_BYTES,
            entries: WORKSPACE_ENTRIES,
            depth: TREE_DEPTH,
            disk_reserve: disk::reserve(folder, disk_reserve_bytes).unwrap_or(0),
        },
    }
}

/// The end of what a compiler said, for an operator.
pub(crate) fn tail(stderr: &[u8]) -> String {
    let from = stderr.len().saturating_sub(TAIL_BYTES);
    String::from_utf8_lossy(&stderr[from..]).trim().to_owned()
}

/// What a compiler was told.
pub(super) struct Told {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
    pub reads: Vec<PathBuf>,
}

/// A compiler in a tree, held as the strictest kind.
pub(super) fn job(told: Told, ids: SlotIds, workspace: &Path) -> Job {
    let bounds = Bounds {
        memory_bytes: MEMORY_BYTES,
        process_memory_bytes: None,
        processes: PROCESSES,
        file_bytes: WORKSPACE_BYTES,
        open_files: 1024,
        temp_bytes: TEMP_BYTES,
        temp_entries: 1_024,
    };
    let mut job = Job::new(told.program, ids, bounds).args(told.args);
    // Everything that roots a file of the compiler's own lies in the workspace.
    let own = [
        ("HOME", "home"),
        ("TMPDIR", "tmp"),
        ("XDG_CACHE_HOME", "home/.cache"),
        ("XDG_CONFIG_HOME", "home/.config"),
        ("XDG_DATA_HOME", "home/.local/share"),
        ("XDG_STATE_HOME", "home/.local/state"),
        ("XDG_RUNTIME_DIR", "tmp"),
    ];
    for (name, place) in own {
        job.env.retain(|(given, _)| given != name);
        job.env.push((name.into(), format!("{WORKSPACE}/{place}").into()));
    }
    job.env.extend(told.env);
    job.mounts = told
        .reads
        .into_iter()
        .map(|path| Mount { source: path.clone(), target: path, access: MountAccess::ReadOnly })
        .collect();
    job.mounts.push(Mount { source: workspace.to_owned(), target: WORKSPACE.into(), access: MountAccess::ReadWrite });
    job.cwd = WORK.into();
    job.timeout = TIME;
    job.output_bytes = OUTPUT_BYTES;
    job.output_part = Part::Head;
    job.scratch = Some(workspace.join("tmp"));
    // What mounts and arguments it has is the host's.
    job.proc = Proc::None;
    job
}

/// What a program of the machine's own says, asked when a worker starts and not confined: no program of a model's is near.
/// For a compiler that is found by PATH: a shim of rustup's finds its toolchain by the user's settings.
pub fn ask(program: &Path, args: &[&str], env: &[(&str, &str)]) -> Result<String, String> {
    #[expect(clippy::disallowed_methods, reason = "the seam's own: it asks the machine's compiler who it is")]
    let mut command = std::process::Command::new(program);
    let output = command
        .args(args)
        .envs(env.iter().copied())
        .stdin(std::process::Stdio::null())
        .output()
        .map_err(|error| format!("{} does not start: {error}", program.display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{} {}: {}; {}", program.display(), args.join(" "), output.status, tail(&output.stderr)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invocation_has_sixty_seconds_and_an_environment_in_its_tree() {
        let told = Told { program: "/t/bin/xc".into(), args: Vec::new(), env: Vec::new(), reads: Vec::new() };
        let job = job(told, SlotIds::current(), Path::new("/homes/1/compile-1"));
        assert_eq!(job.timeout, Duration::from_secs(60));
        let rooted = |name: &str| name == "HOME" || name == "TMPDIR" || name.starts_with("XDG_");
        let own: Vec<_> = job.env.iter().filter(|(name, _)| name.to_str().is_some_and(rooted)).collect();
        assert_eq!(own.len(), 7, "{own:?}");
        assert!(own.iter().all(|(_, place)| Path::new(place).starts_with(WORKSPACE)), "{own:?}");
        assert_eq!(job.cwd, Path::new(WORKSPACE).join("work"));
        let written: Vec<_> = job.mounts.iter().filter(|mount| mount.access == MountAccess::ReadWrite).collect();
        assert!(written.len() == 1 && written[0].source == Path::new("/homes/1/compile-1"), "{written:?}");
    }
}
