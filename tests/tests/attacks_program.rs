//! Programs that try to get out or to hurt a neighbour: Python with the whole of WASI, JavaScript with gg's calls. Each
//! attempt finds nothing, in every way in which executors are meant to hold.

use gg_common::arm::Arm;
use gg_common::outcome::Outcome;
use gg_tests::attempts::SECRET;
use gg_tests::ground::{Agent, Ground, User, Way, failure, is_root, log, usual_way, ways_that_hold};
use gg_worker::executor::protocol::Isolation;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

/// Every file of `tests/attacks`, so that none is forgotten.
fn programs() -> Vec<(String, Arm, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("attacks");
    let mut programs: Vec<_> = std::fs::read_dir(&folder)
        .expect("the programs")
        .map(|entry| {
            let path = entry.expect("entry").path();
            let arm = match path.extension().and_then(|end| end.to_str()) {
                Some("py") => Arm::Python,
                Some("js") => Arm::Javascript,
                other => panic!("{other:?} is of no arm"),
            };
            let name = path.file_name().expect("name").to_string_lossy().into_owned();
            (name, arm, std::fs::read_to_string(&path).expect("program"))
        })
        .collect();
    programs.sort();
    programs
}

/// A folder that everybody may read and change, with a secret in it.
fn outside(ground: &Ground) -> std::path::PathBuf {
    let folder = ground.file("outside");
    std::fs::create_dir(&folder).expect("folder");
    let secret = folder.join("secret");
    std::fs::write(&secret, SECRET).expect("secret");
    for (path, mode) in [(&folder, 0o777), (&secret, 0o666)] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("mode");
    }
    // Even what belongs to the attacker's own user is out of reach.
    if is_root() {
        let uid = ground.agent_uid(1);
        chown(&secret, Some(uid), Some(uid)).expect("owner");
    }
    folder
}

fn untouched(outside: &Path) {
    assert_eq!(std::fs::read_to_string(outside.join("secret")).expect("secret"), SECRET);
    let age = std::fs::metadata(outside.join("secret")).expect("secret").modified().expect("time");
    assert!(age > std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000), "its times stand");
    let names: Vec<_> = std::fs::read_dir(outside).expect("outside").flatten().map(|e| e.file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

const MAKE_SECRET: &str = "from gg import files\nfiles.write_file('secret', 'the-neighbours-secret')\n";
const READ_SECRET: &str = "print(open('secret').read(), __import__('os').listdir('.'))";

#[test]
fn programs_find_nothing_in_every_way_that_is_meant_to_hold() {
    for way in ways_that_hold() {
        let ground = Ground::new(way);
        let folder = outside(&ground);
        let _socket = std::os::unix::net::UnixListener::bind(folder.join("socket")).expect("socket");
        let tcp = std::net::TcpListener::bind("127.0.0.1:0").expect("listener");
        tcp.set_nonblocking(true).expect("non-blocking");
        let worker = ground.worker(&[Arm::Python, Arm::Javascript]);
        let mut neighbour = Agent::new("neighbour", Arm::Python);
        neighbour.completes(&worker, MAKE_SECRET);
        assert!(ground.tree(0).join("secret").exists());
        for (name, arm, source) in programs() {
            let mut attacker = Agent::new(&name, arm);
            let source = source
                .replace("@OUTSIDE@", &folder.display().to_string())
                .replace("@NEIGHBOUR@", &ground.tree(0).display().to_string())
                .replace("@WORKER@", &worker.pid().to_string())
                .replace("@PORT@", &tcp.local_addr().expect("address").port().to_string());
            let result = attacker.turn(&worker, &source);
            assert_eq!(result.outcome, Outcome::Completed, "{way:?} {name}: {}", result.stderr);
            let said = ground.log(&result);
            assert!(said.lines().count() > 50, "{way:?} {name} tried its list: {said}");
            assert_eq!(result.log_dropped_bytes, 0, "the log holds all");
            let got: Vec<_> = said.lines().filter(|line| line.ends_with(": got it")).collect();
            assert_eq!(got, [] as [&str; 0], "{way:?} {name}");
            assert!(!said.contains(SECRET), "{said}");
            untouched(&folder);
        }
        assert!(tcp.accept().is_err(), "{way:?}: nobody called");
        assert_eq!(neighbour.completes(&worker, READ_SECRET).trim(), format!("{SECRET} ['secret']"));
    }
}

#[test]
fn a_worker_that_cannot_hold_its_programs_runs_none() {
    let landlock_only = |user, abi| Way { user, isolation: Isolation::LandlockOnly, landlock_abi: Some(abi) };
    let mut ways = vec![(landlock_only(User::Ordinary, 6), "must be a user of its own")];
    if is_root() {
        ways.extend([2, 4].map(|abi| (landlock_only(User::Root, abi), "ABI 6 is needed")));
    }
    for (way, sentence) in ways {
        let ground = Ground::new(way);
        let worker = ground.worker(&[Arm::Javascript]);
        let result = Agent::new("main", Arm::Javascript).turn(&worker, "console.log('ran')");
        assert!(matches!(result.outcome, Outcome::Internal { suspect: None, .. }), "{way:?}: {:?}", result.outcome);
        assert!(failure(&result).contains(sentence), "{way:?}: {}", failure(&result));
        assert_eq!(log(&result), "", "{way:?}");
    }
}

/// Swaps a folder of the tree for a link that leads out, again and again, while a program goes through it in every way.
#[test]
fn a_folder_that_becomes_a_link_leads_nowhere() {
    const TRIES: &str = r#"
import os
from gg import files
from gg.core import ApiError
inside = outside = refused = 0
def see(text):
    global inside, outside
    if "secret" in text: outside += 1
    else: inside += 1
ways = [
    lambda: open("door/file").read(),
    lambda: files.read_text_file("door/file"),
    lambda: "".join(hit.text for hit in files.search("inside|secret", path="door")) or "inside",
    lambda: "".join(entry.name for entry in files.list_dir("door")),
    lambda: "".join(os.listdir("door")),
    lambda: files.write_file("door/file", "inside") and "inside",
    lambda: files.write_file("door/new/file", "inside") and "inside",
    lambda: files.edit_file("door/file", "inside", "inside") or "inside",
    lambda: open("door/file2", "w").write("inside") and "inside",
    lambda: os.rename("door/file2", "door/file3") or "inside",
    lambda: os.link("door/file3", "door/file4") or "inside",
    lambda: os.unlink("door/file4") or "inside",
    lambda: os.mkdir("door/made") or "inside",
    lambda: os.rmdir("door/made") or "inside",
    lambda: os.utime("door/file3", (1, 1)) or "inside",
    lambda: os.truncate("door/file3", 0) or "inside",
]
for number in range(4000):
    try: see(ways[number % len(ways)]())
    except (OSError, ApiError): refused += 1
print(inside > 0, refused > 0, outside)
"#;
    let ways =
        if is_root() { vec![usual_way(), Way { user: User::Ordinary, ..usual_way() }] } else { vec![usual_way()] };
    for way in ways {
        let ground = Ground::new(way);
        let folder = outside(&ground);
        std::fs::write(folder.join("file"), SECRET).expect("file");
        std::fs::set_permissions(folder.join("file"), PermissionsExt::from_mode(0o666)).expect("mode");
        let worker = ground.worker(&[Arm::Python]);
        let mut agent = Agent::new("main", Arm::Python);
        agent.completes(&worker, "import os\nos.mkdir('door')\nopen('door/file', 'w').write('inside')");
        let (door, link) = (ground.tree(0).join("door"), ground.tree(0).join("link"));
        std::os::unix::fs::symlink(&folder, &link).expect("link");
        let swapping = std::sync::atomic::AtomicBool::new(true);
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                while swapping.load(std::sync::atomic::Ordering::Relaxed) {
                    exchange(&door, &link);
                }
            });
            // The snapshot after the program is raced as well.
            let result = agent.turn(&worker, TRIES);
            swapping.store(false, std::sync::atomic::Ordering::Relaxed);
            result
        });
        assert_eq!(result.outcome, Outcome::Completed, "{way:?}: {}", failure(&result));
        assert_eq!(log(&result).trim(), "True True 0", "{way:?}");
        let names: Vec<_> = std::fs::read_dir(&folder).expect("outside").flatten().map(|e| e.file_name()).collect();
        assert_eq!(names.len(), 2, "{way:?}: {names:?}");
        for name in ["secret", "file"] {
            assert_eq!(std::fs::read_to_string(folder.join(name)).expect("outside"), SECRET, "{way:?}");
        }
        let kept = ground.file("kept");
        let tree = result.tree.expect("a tree");
        let limits = gg_worker::home::tree::TreeLimits::UNBOUNDED;
        gg_worker::home::tree::restore(&tree, &ground.objects(), &kept, &limits, None).expect("restored");
        for name in ["door", "link"] {
            let file = kept.join(name);
            let is_link = file.symlink_metadata().expect("kept, since the name was there all the time").is_symlink();
            assert!(is_link || std::fs::read_to_string(file.join("file")).is_ok_and(|text| text != SECRET), "{way:?}");
        }
    }
}

fn exchange(one: &Path, other: &Path) {
    use std::os::unix::ffi::OsStrExt;
    let c = |path: &Path| std::ffi::CString::new(path.as_os_str().as_bytes()).expect("path");
    let (one, other) = (c(one), c(other));
    let here = libc::AT_FDCWD;
    // SAFETY: both strings outlive the call.
    unsafe { libc::renameat2(here, one.as_ptr(), here, other.as_ptr(), libc::RENAME_EXCHANGE) };
}
