//! Native code in an executor: a program that found a hole in the engine. It confines itself by the executor's own call and
//! tries everything, in every way that is meant to hold; and the same list succeeds where nothing confines.

use gg_common::arm::Arm;
use gg_common::profile::TreeAccess;
use gg_tests::attempts::SECRET;
use gg_tests::ground::{Ground, User, Way, is_root, ways_that_hold};
use gg_worker::executor::protocol::{Assignment, Isolation};
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// What native code may do: its tree is its own, and what is not here it cannot.
const ALLOWED: &[&str] = &[
    // The call takes its mode from memory, where no filter sees it. The file is the agent's own, lies on a mount without
    // set-id bits, and its bit is in no snapshot.
    "create a file with a set-user-id bit",
    // Its own end of the socket: what the worker says to this executor and to no other.
    "read standard input",
    "read the tree",
    "write the tree",
];

/// What tells of files outside: where not even `chroot` can be had, the host's names stay in sight. Here they are not.
const NAMES_LEAK: &[&str] = &["look at a file outside", "open a name outside"];

/// What is attacked: files, sockets and a process, of the attacker's own user where it shares one with its neighbours.
struct Victim {
    folder: tempfile::TempDir,
    process: Child,
    tcp: std::net::TcpListener,
    abstract_name: String,
    _sockets: [UnixListener; 3],
}

impl Victim {
    fn new(ground: &Ground, tree: &Path) -> Victim {
        let folder = tempfile::Builder::new().prefix("gg-victim").tempdir_in("/tmp").expect("folder");
        let owner = match ground.way().user {
            // A neighbour has a user of its own.
            User::Root => ground.agent_uid(0) + 7,
            User::Ordinary => ground.agent_uid(0),
        };
        for name in ["secret", "movable", "removable"] {
            std::fs::write(folder.path().join(name), format!("{SECRET} {name}")).expect("write");
        }
        if is_root() {
            for name in ["", "secret", "movable", "removable"] {
                chown(folder.path().join(name), Some(owner), Some(owner)).expect("owner");
            }
        }
        let mode = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("mode");
        mode(folder.path(), 0o755);
        let abstract_name = format!("gg-executor-attack-{}", owner);
        let name = SocketAddr::from_abstract_name(&abstract_name).expect("name");
        let (outside, inside) = (folder.path().join("socket"), tree.join("socket"));
        let sockets = [
            UnixListener::bind(&outside).expect("socket"),
            UnixListener::bind(&inside).expect("socket"),
            UnixListener::bind_addr(&name).expect("socket"),
        ];
        mode(&outside, 0o777);
        mode(&inside, 0o777);
        #[expect(clippy::disallowed_methods, reason = "a neighbour to attack")]
        let mut command = Command::new("setpriv");
        if is_root() {
            command.args(["--reuid", &owner.to_string(), "--regid", &owner.to_string(), "--clear-groups"]);
        }
        let process =
            command.args(["sleep", "1000"]).env("SECRET", SECRET).stdin(Stdio::null()).spawn().expect("victim");
        let name = format!("/proc/{}/comm", process.id());
        gg_tests::ground::wait_until("the victim runs", || {
            std::fs::read_to_string(&name).is_ok_and(|name| name == "sleep\n")
        });
        let tcp = std::net::TcpListener::bind("127.0.0.1:0").expect("listener");
        Victim { folder, process, tcp, abstract_name, _sockets: sockets }
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Confined {
    Yes,
    No,
}

fn attack(ground: &Ground, confined: Confined) -> BTreeMap<String, String> {
    let home = ground.file("home");
    let uid = ground.agent_uid(0);
    std::fs::create_dir(&home).expect("folder");
    for name in ["tree", "scratch"] {
        let folder = home.join(name);
        std::fs::create_dir(&folder).expect("folder");
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o700)).expect("mode");
        if is_root() {
            chown(&folder, Some(uid), Some(uid)).expect("owner");
        }
    }
    let tree = home.join("tree");
    let mut victim = Victim::new(ground, &tree);
    let guest = victim.folder.path().join("guest.cwasm");
    std::fs::write(&guest, vec![0u8; 8192]).expect("guest");
    if is_root() && ground.way().user == User::Ordinary {
        chown(&guest, Some(uid), Some(uid)).expect("owner");
    }
    std::fs::set_permissions(&guest, PermissionsExt::from_mode(0o444)).expect("mode");
    let way = ground.way();
    let assignment = Assignment {
        arm: Arm::Python,
        wasm_stack_bytes: 8 << 20,
        tree: tree.clone(),
        scratch: home.join("scratch"),
        access: TreeAccess::ReadWrite,
        identity: (way.user == User::Root).then_some((uid, uid)),
        isolation: way.isolation,
        landlock_abi: way.landlock_abi,
        kill_on_violation: false,
        data_bytes: 448 << 20,
        file_bytes: 1 << 30,
        temp_bytes: 64 << 20,
        temp_entries: 4096,
    };
    let (ours, theirs) = UnixStream::pair().expect("pair");
    std::io::Write::write_all(&mut &ours, b"x").expect("a byte for the attacker to read");
    let mut command = ground.command(&ground.file("native-attacker"));
    if confined == Confined::No {
        command.arg("--unconfined");
    }
    let output = command
        .env_clear()
        .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
        .env("ASSIGNMENT", serde_json::to_string(&assignment).expect("json"))
        .env("GUEST", &guest)
        .env("TREE", &tree)
        .env("VICTIM_FOLDER", victim.folder.path())
        .env("VICTIM_PID", victim.process.id().to_string())
        .env("WORKER_PID", std::process::id().to_string())
        .env("ABSTRACT_NAME", &victim.abstract_name)
        .env("TCP_PORT", victim.tcp.local_addr().expect("address").port().to_string())
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .output()
        .expect("the attacker runs");
    assert!(output.status.success(), "{way:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    drop(ours);
    if confined == Confined::Yes {
        let secret = std::fs::read_to_string(victim.folder.path().join("secret"));
        assert_eq!(secret.expect("secret"), format!("{SECRET} secret"), "{way:?}");
        assert_eq!(std::fs::read(&guest).expect("guest"), vec![0u8; 8192], "{way:?}");
        assert!(victim.process.try_wait().expect("victim").is_none(), "{way:?}: the victim lives");
        for entry in std::fs::read_dir(&tree).expect("tree").flatten() {
            let meta = entry.metadata().expect("metadata");
            let plain = meta.is_file() || meta.is_dir() || meta.is_symlink() || entry.file_name() == "socket";
            assert!(plain, "{way:?}: {:?} has mode {:o}", entry.file_name(), meta.mode());
        }
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| line.split_once(": ").expect("a line")).map(|(k, v)| (k.into(), v.into())).collect()
}

fn what_worked(results: &BTreeMap<String, String>) -> Vec<&str> {
    results.iter().filter(|(_, result)| *result == "got it").map(|(name, _)| name.as_str()).collect()
}

#[test]
fn native_code_has_its_tree_and_nothing_else_in_every_way_that_is_meant_to_hold() {
    for way in ways_that_hold() {
        let ground = Ground::new(way);
        let results = attack(&ground, Confined::Yes);
        assert!(results.len() >= 200, "{way:?}: the whole list ran: {results:#?}");
        assert_eq!(what_worked(&results), ALLOWED, "{way:?}: {results:#?}");
    }
}

#[test]
fn what_cannot_hold_is_refused_with_a_sentence() {
    let landlock_only = |user, abi| Way { user, isolation: Isolation::LandlockOnly, landlock_abi: Some(abi) };
    if is_root() {
        for abi in [0, 2, 4] {
            let results = attack(&Ground::new(landlock_only(User::Root, abi)), Confined::Yes);
            let refused = &results["refused"];
            assert!(
                refused.contains(&format!("Landlock ABI {abi}")) && refused.contains("ABI 6 is needed"),
                "{refused}"
            );
            assert_eq!(results.len(), 1, "nothing ran");
        }
    }
    let results = attack(&Ground::new(landlock_only(User::Ordinary, 6)), Confined::Yes);
    assert!(results["refused"].contains("must be a user of its own"), "{results:?}");
    assert_eq!(results.len(), 1, "nothing ran");
}

#[test]
fn the_same_list_succeeds_where_nothing_confines() {
    let way = Way { user: User::Ordinary, isolation: Isolation::Namespaces, landlock_abi: None };
    let results = attack(&Ground::new(way), Confined::No);
    let worked = what_worked(&results);
    for name in SUCCEEDS_UNCONFINED.iter().chain(ALLOWED).chain(NAMES_LEAK) {
        assert!(worked.contains(name), "{name}: {:?}", results.get(*name));
    }
}

/// What must succeed where nothing confines: else a "nothing" above may say nothing.
const SUCCEEDS_UNCONFINED: &[&str] = &[
    "ask for signals",
    "be dumped",
    "change a guest's mode",
    "change a mode outside",
    "change a mode through a symlink",
    "change its name",
    "change the folder",
    "change the mask",
    "change times outside",
    "choose the signal",
    "connect to a socket by path",
    "connect to a socket in the tree",
    "connect to an abstract socket",
    "connect to loopback",
    "continue the victim",
    "control a descriptor",
    "create a file outside",
    "enter the victim's folder",
    "exchange names",
    "fork",
    "have the kernel signal the victim",
    "hold 4 GiB of memory",
    "leave a white-out",
    "link a file into the tree",
    "list a folder outside",
    "list the victim's descriptors",
    "listen on a socket in the tree",
    "listen on loopback",
    "lock a guest",
    "lock a guest by fcntl",
    "lock a mebibyte of memory",
    "make a FIFO",
    "make a hundred timers",
    "make a message queue",
    "make a pipe",
    "make a semaphore",
    "make a session",
    "make a socket node",
    "make a socket of inet6",
    "make a socket of netlink",
    "make a socket pair",
    "make memory that nobody counts",
    "make shared memory",
    "map memory that grows downwards",
    "map shared memory",
    "move the victim to a core",
    "open a device by name",
    "open a guest for writing",
    "open the victim's cmdline",
    "open the victim's maps",
    "open the victim's mem",
    "open the victim's stat",
    "open the worker's cmdline",
    "open the worker's stat",
    "open to read and truncate",
    "outlive its parent",
    "raise a limit",
    "reach the kernel's execution",
    "reach the kernel's execution by descriptor",
    "reach the kernel's landlock",
    "reach the kernel's process control",
    "reach the kernel's wait",
    "read a file outside",
    "read its program's name",
    "read the victim's environment",
    "read the victim's limits",
    "read the victim's memory",
    "read through /proc/self/root",
    "read through a symlink",
    "read through a symlink to the root",
    "read through dots",
    "receive a message with rights",
    "remove outside",
    "rename into the tree",
    "reserve addresses without end",
    "send a datagram",
    "send a message with rights",
    "set a set-group-id bit",
    "set a set-user-id bit",
    "set an attribute in the tree",
    "set an attribute outside",
    "set times outside",
    "signal everybody",
    "signal its group",
    "signal the victim",
    "signal the victim by descriptor",
    "signal the victim's thread",
    "slow the victim",
    "start a thread",
    "stop itself",
    "stretch a file to 4 TiB",
    "take a descriptor of the victim",
    "trace the victim",
    "truncate outside",
    "watch the tree",
    "write a file outside",
    "write through a symlink",
];
