//! Attempts to get out of a shell's child or to hurt a neighbour, in every way that is meant to hold. Each finds nothing; and
//! the same list succeeds where nothing confines, so that it can be seen to fail.

#[path = "../../worker/tests/support/mod.rs"]
mod support;

use gg_worker::confine::credentials::SlotIds;
use gg_worker::confine::locate::helper;
use gg_worker::confine::{Confinement, Ended, Mount, MountAccess, Namespaces};
use std::collections::BTreeMap;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::process::{Child, Stdio};
use support::{Ground, Way, Worker, is_root, stamp, text, wait_until, ways_that_hold};

const SECRET: &str = "the-neighbours-secret";

/// What is attacked: files, sockets and a process, all alive while the attack runs.
struct Victim {
    folder: tempfile::TempDir,
    process: Child,
    tcp: std::net::TcpListener,
    abstract_name: String,
    _sockets: [UnixListener; 3],
}

impl Victim {
    /// Belongs to the attacker's own user where namespaces must hold alone, else to another, as a neighbour's does.
    fn new(ground: &Ground) -> Victim {
        let own = ground.way.namespaces == Namespaces::WherePossible;
        let ids = match (is_root(), own) {
            (true, false) => SlotIds { uid: ground.ids.uid + 1_000_000, gid: ground.ids.gid + 1_000_000 },
            _ => ground.ids,
        };
        let folder = tempfile::Builder::new().prefix("gg-victim").tempdir_in("/tmp").expect("folder");
        for name in ["secret", "movable", "removable"] {
            let path = folder.path().join(name);
            std::fs::write(&path, format!("{SECRET} {name}")).expect("write");
            chown(&path, Some(ids.uid), Some(ids.gid)).expect("owner");
        }
        chown(folder.path(), Some(ids.uid), Some(ids.gid)).expect("owner");
        let mode = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("mode");
        mode(folder.path(), 0o755);
        let abstract_name = format!("gg-attack-{}-{}", std::process::id(), ground.ids.uid);
        let name = SocketAddr::from_abstract_name(&abstract_name).expect("name");
        let (outside, inside) = (folder.path().join("socket"), ground.tree().join("socket"));
        let sockets = [
            UnixListener::bind(&outside).expect("socket"),
            UnixListener::bind(&inside).expect("socket"),
            UnixListener::bind_addr(&name).expect("socket"),
        ];
        mode(&outside, 0o777);
        mode(&inside, 0o777);
        #[expect(clippy::disallowed_methods, reason = "a neighbour to attack")]
        let mut command = std::process::Command::new("setpriv");
        if is_root() {
            let SlotIds { uid, gid } = ids;
            command.args(["--reuid", &uid.to_string(), "--regid", &gid.to_string(), "--clear-groups"]);
        }
        let process =
            command.args(["sleep", "1000"]).env("SECRET", SECRET).stdin(Stdio::null()).spawn().expect("victim");
        let name = format!("/proc/{}/comm", process.id());
        wait_until("the victim runs", || std::fs::read_to_string(&name).is_ok_and(|name| name == "sleep\n"));
        let tcp = std::net::TcpListener::bind("127.0.0.1:0").expect("listener");
        Victim { folder, process, tcp, abstract_name, _sockets: sockets }
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs the list; what each attempt came to.
fn attack(ground: &Ground, victim: &Victim) -> BTreeMap<String, String> {
    let tools = ground.folder.path().join("tools");
    let program = tools.join("attacker");
    if !tools.exists() {
        std::fs::create_dir(&tools).expect("folder");
        std::fs::copy(env!("CARGO_BIN_EXE_attacker"), &program).expect("attacker");
        let set_id = tools.join("set-id");
        std::fs::copy(&program, &set_id).expect("attacker");
        std::fs::set_permissions(&set_id, PermissionsExt::from_mode(0o4755)).expect("mode");
    }
    let mut job = ground.bash("");
    job.program = program.clone();
    job.args.clear();
    job.mounts.push(Mount { source: tools.clone(), target: tools.clone(), access: MountAccess::ReadOnly });
    let variables = [
        ("VICTIM_FOLDER", victim.folder.path().display().to_string()),
        ("VICTIM_PID", victim.process.id().to_string()),
        ("WORKER_PID", std::process::id().to_string()),
        ("ABSTRACT_NAME", victim.abstract_name.clone()),
        ("TCP_PORT", victim.tcp.local_addr().expect("address").port().to_string()),
        ("SET_ID_PROGRAM", tools.join("set-id").display().to_string()),
    ];
    job.env.extend(variables.map(|(name, value)| (name.into(), value.into())));
    let report = ground.run(&job);
    assert_eq!(report.ended, Ended::Exited(0), "{:?}: {}", ground.way, text(&report.stderr.bytes));
    let output = text(&report.stdout.bytes);
    output.lines().map(|line| line.split_once(": ").expect("a line")).map(|(k, v)| (k.into(), v.into())).collect()
}

#[test]
fn every_attempt_finds_nothing_in_every_way_that_is_meant_to_hold() {
    for way in ways_that_hold() {
        let ground = Ground::new(way, &helper().expect("helper"));
        let mut victim = Victim::new(&ground);
        let secret = victim.folder.path().join("secret");
        let before = stamp(&secret);
        let results = attack(&ground, &victim);
        assert!(results.len() >= 100, "the whole list ran: {}", results.len());
        let got: Vec<_> = results.iter().filter(|(_, result)| *result == "got it").map(|(name, _)| name).collect();
        assert_eq!(got, [] as [&String; 0], "{way:?}");
        assert_eq!(
            (stamp(&secret), std::fs::read_to_string(&secret).expect("secret")),
            (before, format!("{SECRET} secret"))
        );
        for name in ["movable", "removable"] {
            assert!(victim.folder.path().join(name).exists(), "{way:?} {name}");
        }
        assert!(victim.process.try_wait().expect("victim").is_none(), "the victim lives");
        for entry in std::fs::read_dir(ground.tree()).expect("tree").flatten() {
            let kind = entry.file_type().expect("type");
            let plain = kind.is_file() || kind.is_dir() || kind.is_symlink() || entry.file_name() == "socket";
            assert!(plain, "{way:?}: {:?} is {kind:?}", entry.file_name());
        }
    }
}

/// What must succeed where nothing confines: else a "nothing" above may say nothing.
const SUCCEEDS_UNCONFINED: &[&str] = &[
    "change a mode outside",
    "change times outside",
    "clone into a user namespace",
    "connect to a socket by path",
    "connect to a socket in the tree",
    "connect to an abstract socket",
    "connect to loopback",
    "continue the victim",
    "create a file outside",
    "create a file with a set-user-id bit",
    "link a file into the tree",
    "list a folder outside",
    "list the victim's descriptors",
    "listen on a socket in the tree",
    "listen on loopback",
    "make a FIFO",
    "make a semaphore",
    "make a socket node",
    "make a socket of inet6",
    "make a socket of netlink",
    "make a user namespace",
    "make memory that nobody counts",
    "make shared memory",
    "move the victim to a core",
    "open the victim's cmdline",
    "open to read and truncate",
    "read a file outside",
    "read the victim's environment",
    "read the victim's limits",
    "read the victim's memory",
    "read through /proc/self/root",
    "read through a symlink",
    "read through a symlink to the root",
    "read through dots",
    "remove outside",
    "rename into the tree",
    "see processes of others",
    "set a set-group-id bit",
    "set a set-user-id bit",
    "signal the victim",
    "signal the victim by descriptor",
    "signal the victim's thread",
    "slow the victim",
    "trace the victim",
    "truncate outside",
    "write a file outside",
    "write through a symlink",
];

#[test]
fn the_same_list_succeeds_where_nothing_confines() {
    let way = Way { worker: Worker::User, namespaces: Namespaces::WherePossible, landlock_abi: None };
    let mut ground = Ground::new(way, &helper().expect("helper"));
    ground.settings.confinement = Confinement::Off;
    let victim = Victim::new(&ground);
    let results = attack(&ground, &victim);
    let failed: Vec<_> =
        SUCCEEDS_UNCONFINED.iter().filter(|name| results.get(**name).is_none_or(|r| r != "got it")).collect();
    assert_eq!(failed, [] as [&&str; 0], "{results:#?}");
    if is_root() {
        // Being executed gives a user root where nothing forbids it.
        assert_eq!(results["become root by a set-user-id program"], "got it");
    }
}
