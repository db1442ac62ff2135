//! Where workers are attacked: a folder with everything that one needs, and a worker in a process of its own, as root or as
//! an ordinary user, confined in a given way.

use gg_common::arm::Arm;
use gg_common::content::ContentKey;
use gg_common::folders::CacheRoot;
use gg_common::job::{AgentId, Body, RunId, TurnJob, TurnResult};
use gg_common::objects::{Durability, Objects};
use gg_common::outcome::Outcome;
use gg_common::profile::Profile;
use gg_worker::executor::protocol::Isolation;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Who the worker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// Root: each agent gets a user of its own.
    Root,
    /// An ordinary user, whom its agents share.
    Ordinary,
}

/// A way in which executors are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    /// Who the worker is.
    pub user: User,
    /// How it confines.
    pub isolation: Isolation,
    /// The newest Landlock ABI whose rights are used.
    pub landlock_abi: Option<u32>,
}

/// Every way in which an executor is meant to hold, as far as it can be tried by who runs this.
pub fn ways_that_hold() -> Vec<Way> {
    let mut ways = Vec::new();
    for user in [User::Root, User::Ordinary] {
        for abi in [0, 2, 4, 6] {
            ways.push(Way { user, isolation: Isolation::Namespaces, landlock_abi: Some(abi) });
        }
    }
    ways.push(Way { user: User::Root, isolation: Isolation::LandlockOnly, landlock_abi: Some(6) });
    ways.into_iter().filter(|way| is_root() || way.user == User::Ordinary).collect()
}

/// The way of a worker in service.
pub fn usual_way() -> Way {
    let user = if is_root() { User::Root } else { User::Ordinary };
    Way { user, isolation: Isolation::Namespaces, landlock_abi: None }
}

/// Whether the tests run as root.
pub fn is_root() -> bool {
    // SAFETY: cannot fail.
    unsafe { libc::geteuid() == 0 }
}

/// A program of this crate, as the tests were built beside it.
pub fn program(name: &str) -> PathBuf {
    let exe = std::env::current_exe().expect("a test has a file");
    let folder = exe.parent().and_then(Path::parent).expect("a test lies in a folder of the build's");
    folder.join(name)
}

/// What a worker process is started with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WorkerSpec {
    /// The cache root.
    pub root: PathBuf,
    /// How executors are confined.
    pub isolation: Isolation,
    /// The newest Landlock ABI whose rights are used.
    pub landlock_abi: Option<u32>,
    /// Its arms.
    pub arms: Vec<Arm>,
    /// What executors are started as, if not the worker process itself.
    pub executor_program: Option<PathBuf>,
    /// As root, the user of slot 0.
    pub base_uid: u32,
    /// Executors ahead of need.
    pub spare_executors: usize,
}

/// What a worker process says.
#[derive(Debug, Serialize, Deserialize)]
pub enum Said {
    /// It takes jobs.
    Ready,
    /// It could not start.
    Failed(String),
    /// A turn's result.
    Result(Box<TurnResult>),
}

/// A folder that a worker can run in, in one way.
#[derive(Debug)]
pub struct Ground {
    folder: tempfile::TempDir,
    way: Way,
    /// The ordinary user, where there is one to become; also the first of the agents' users of root's worker.
    uid: u32,
}

fn open_to_all(path: &Path) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("mode");
}

/// The same file in another place: linked where that is possible, since guests are large.
pub(crate) fn place(from: &Path, to: &Path) {
    if std::fs::hard_link(from, to).is_err() {
        std::fs::copy(from, to).unwrap_or_else(|error| panic!("{} to {}: {error}", from.display(), to.display()));
    }
}

fn place_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("folder");
    open_to_all(to);
    for entry in std::fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.expect("entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("type").is_dir() {
            place_all(&entry.path(), &target);
        } else {
            place(&entry.path(), &target);
        }
    }
}

impl Ground {
    /// A fresh one, with the artifacts of the machine's cache root.
    pub fn new(way: Way) -> Ground {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let folder = tempfile::Builder::new().prefix("gg-attack").tempdir_in("/tmp").expect("folder");
        open_to_all(folder.path());
        let number = std::process::id() * 16 + NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let uid = 1_000_000 + number % 1_000_000 * 16;
        let ground = Ground { folder, way, uid };
        let machine = CacheRoot::from_environment().expect("a cache root");
        let root = ground.root();
        std::fs::create_dir(&root.0).expect("folder");
        open_to_all(&root.0);
        if machine.artifacts().is_dir() {
            place_all(&machine.artifacts(), &root.artifacts());
        }
        if machine.precompiled().is_dir() {
            place_all(&machine.precompiled(), &root.precompiled());
        }
        // The one compiler that is small enough, where every user of a worker's reaches it.
        let compiler = Path::new("typescript");
        if machine.toolchains().join(compiler).is_dir() {
            std::fs::create_dir(root.toolchains()).expect("folder");
            open_to_all(&root.toolchains());
            place_all(&machine.toolchains().join(compiler), &root.toolchains().join(compiler));
        }
        for name in ["worker-process", "native-attacker", "broken-executor", "gg-child", "gg-source"] {
            let from = program(name);
            if from.is_file() {
                place(&from, &ground.file(name));
            }
        }
        if is_root() && way.user == User::Ordinary {
            for path in [&root.0, &root.artifacts(), &root.precompiled(), ground.folder.path()] {
                drop(chown(path, Some(uid), Some(uid)));
            }
        }
        if root.precompiled().is_dir() {
            std::fs::set_permissions(root.precompiled(), PermissionsExt::from_mode(0o700)).expect("mode");
        }
        ground
    }

    /// The cache root.
    pub fn root(&self) -> CacheRoot {
        CacheRoot(self.folder.path().join("root"))
    }

    /// How executors are held here.
    pub fn way(&self) -> Way {
        self.way
    }

    /// A file or folder of the ground's own, which lies outside of every tree.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The tree of the home with this number.
    pub fn tree(&self, home: u32) -> PathBuf {
        self.root().homes().join(home.to_string()).join("tree")
    }

    /// The user that the processes of home `home` run as.
    pub fn agent_uid(&self, home: u32) -> u32 {
        match self.way.user {
            User::Root => self.uid + home,
            // SAFETY: cannot fail.
            User::Ordinary if !is_root() => unsafe { libc::geteuid() },
            User::Ordinary => self.uid,
        }
    }

    /// The store of objects.
    pub fn objects(&self) -> Objects {
        Objects::in_folder(&self.root().objects(), Durability::Cached).expect("objects")
    }

    /// The log of a result, wherever it is.
    pub fn log(&self, result: &TurnResult) -> String {
        match &result.log {
            Body::Inline(text) => text.clone(),
            Body::Object { key, .. } => {
                String::from_utf8_lossy(&self.objects().get_blocking(key).expect("the log")).into_owned()
            }
        }
    }

    /// Starts a program as the worker's user.
    pub fn command(&self, program: &Path) -> Command {
        #[expect(clippy::disallowed_methods, reason = "the subject of an attack, which confines itself")]
        let start = |program: &Path| Command::new(program);
        if self.way.user == User::Root || !is_root() {
            return start(program);
        }
        let uid = self.uid.to_string();
        let mut command = start(Path::new("setpriv"));
        command.args(["--reuid", &uid, "--regid", &uid, "--clear-groups", "--"]).arg(program);
        command
    }

    /// The usual worker of this ground.
    pub fn spec(&self, arms: &[Arm]) -> WorkerSpec {
        WorkerSpec {
            root: self.root().0,
            isolation: self.way.isolation,
            landlock_abi: self.way.landlock_abi,
            arms: arms.to_vec(),
            executor_program: None,
            base_uid: self.uid,
            spare_executors: 1,
        }
    }

    /// A worker of these arms.
    pub fn worker(&self, arms: &[Arm]) -> WorkerProcess {
        self.start(&self.spec(arms)).unwrap_or_else(|reason| panic!("{:?}: {reason}", self.way))
    }

    /// A worker, or why it does not start.
    pub fn start(&self, spec: &WorkerSpec) -> Result<WorkerProcess, String> {
        WorkerProcess::start(self.command(&self.file("worker-process")), spec)
    }
}

type Waiting = Arc<Mutex<HashMap<(String, u32), Sender<TurnResult>>>>;

/// A worker in a process of its own. Dropping it kills it.
#[derive(Debug)]
pub struct WorkerProcess {
    child: Child,
    jobs: Mutex<ChildStdin>,
    waiting: Waiting,
}

/// Longer than any turn here, on any machine: a test that waits so long has found something that hangs.
pub const PATIENCE: Duration = Duration::from_secs(240);

impl WorkerProcess {
    /// Starts one by a command that leads to `worker-process`.
    pub fn start(mut command: Command, spec: &WorkerSpec) -> Result<WorkerProcess, String> {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
        let mut jobs = child.stdin.take().expect("piped");
        let mut said = BufReader::new(child.stdout.take().expect("piped")).lines();
        writeln!(jobs, "{}", serde_json::to_string(spec).expect("json")).map_err(|error| error.to_string())?;
        let first = said.next().and_then(Result::ok).unwrap_or_default();
        let waiting = Waiting::default();
        let process = WorkerProcess { child, jobs: Mutex::new(jobs), waiting: waiting.clone() };
        match serde_json::from_str(&first) {
            Ok(Said::Ready) => {}
            Ok(Said::Failed(reason)) => return Err(reason),
            other => return Err(format!("it said {other:?} first")),
        }
        std::thread::spawn(move || {
            for line in said.map_while(Result::ok) {
                let Ok(Said::Result(result)) = serde_json::from_str(&line) else { panic!("a result: {line}") };
                let key = (result.agent.0.clone(), result.turn);
                let to = waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
                if let Some(to) = to {
                    // Who waited has given up.
                    drop(to.send(*result));
                }
            }
            // The worker has ended: whoever waits learns it.
            waiting.lock().unwrap_or_else(PoisonError::into_inner).clear();
        });
        Ok(process)
    }

    /// The worker's process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Has a turn run, and does not wait.
    pub fn begin(&self, job: &TurnJob) -> Receiver<TurnResult> {
        let (to, from) = channel();
        let key = (job.agent.0.clone(), job.turn);
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(key, to);
        let line = serde_json::to_string(job).expect("json");
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(jobs, "{line}").expect("the worker reads");
        from
    }

    /// Runs a turn to its end.
    pub fn run(&self, job: &TurnJob) -> TurnResult {
        self.begin(job).recv_timeout(PATIENCE).expect("the turn ends, and so does the worker not")
    }

    /// The processes that it started and that are alive.
    pub fn executors(&self) -> Vec<u32> {
        children_of(self.pid())
    }

    /// Ends it with no chance to clean up.
    pub fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The processes whose parent is this one.
pub fn children_of(parent: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("/proc").flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name may hold anything; the state and the parent come after its last bracket.
        let mut rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        let (state, of) = (rest.next(), rest.next());
        if of.and_then(|of| of.parse().ok()) == Some(parent) && state != Some("Z") {
            found.push(pid);
        }
    }
    found
}

/// The processes of a user.
pub fn processes_of(uid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("/proc").flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(status) = std::fs::read_to_string(entry.path().join("status")) else { continue };
        let real = status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().next()?.parse().ok());
        if real == Some(uid) && !status.contains("\nState:\tZ") {
            found.push(pid);
        }
    }
    found
}

/// Waits for something that must come true.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "{what}: it did not come true");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The turns of one agent, each from the tree that the one before left.
#[derive(Debug)]
pub struct Agent {
    job: TurnJob,
}

impl Agent {
    /// An agent with every call granted.
    pub fn new(name: &str, arm: Arm) -> Agent {
        Agent {
            job: TurnJob {
                version: gg_common::FORMAT_VERSION,
                run: RunId("attack".into()),
                agent: AgentId(name.into()),
                epoch: 1,
                turn: 0,
                source: Body::Inline(String::new()),
                profile: Profile::with_everything(arm),
                tree: None,
                state: Default::default(),
                reply_to: String::new(),
                wall_left_ms: None,
                trace: None,
            },
        }
    }

    /// Its profile.
    pub fn profile(&mut self) -> &mut Profile {
        &mut self.job.profile
    }

    /// The tree that its next turn starts from.
    pub fn tree(&mut self) -> &mut Option<ContentKey> {
        &mut self.job.tree
    }

    /// The next turn.
    pub fn job(&mut self, source: &str) -> TurnJob {
        self.job.turn += 1;
        self.job.source = Body::Inline(source.to_owned());
        self.job.clone()
    }

    /// Runs the next turn, and keeps its tree.
    pub fn turn(&mut self, worker: &WorkerProcess, source: &str) -> TurnResult {
        let job = self.job(source);
        let result = worker.run(&job);
        self.job.tree = result.tree;
        result
    }

    /// Runs the next turn, which must complete, and gives its log.
    pub fn completes(&mut self, worker: &WorkerProcess, source: &str) -> String {
        let result = self.turn(worker, source);
        assert_eq!(result.outcome, Outcome::Completed, "{source}\n{}\n{}", log(&result), result.stderr);
        log(&result)
    }
}

/// The log of a result, as far as it travels with it.
pub fn log(result: &TurnResult) -> String {
    match &result.log {
        Body::Inline(text) => text.clone(),
        Body::Object { bytes, .. } => format!("({bytes} bytes)"),
    }
}

/// What the model reads of a turn that failed, as `type: text`.
pub fn failure(result: &TurnResult) -> String {
    let text = match &result.outcome {
        Outcome::Internal { error_text, suspect } => format!("{error_text} ({suspect:?})"),
        other => other.model_text().unwrap_or_default().to_owned(),
    };
    format!("{}: {text}", result.outcome.error_type().unwrap_or_default())
}
