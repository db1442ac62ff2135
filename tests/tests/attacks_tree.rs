//! Trees that hurt: special files, names, modes, files that change while they are read. Nothing hangs, nothing is lost, and
//! what a tree cannot keep is left out.

use gg_common::arm::Arm;
use gg_common::outcome::{Outcome, ProgramError};
use gg_tests::ground::{Agent, Ground, User, Way, failure, is_root, usual_way};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

fn both_users() -> Vec<Way> {
    let usual = usual_way();
    if is_root() { vec![usual, Way { user: User::Ordinary, ..usual }] } else { vec![usual] }
}

fn node(path: &Path, kind: libc::mode_t, device: libc::dev_t) {
    let path = CString::new(path.as_os_str().as_bytes()).expect("path");
    // SAFETY: the string outlives the call.
    assert_eq!(unsafe { libc::mknod(path.as_ptr(), kind | 0o666, device) }, 0, "{}", std::io::Error::last_os_error());
}

#[test]
fn what_is_no_file_is_never_waited_for() {
    const LOOKS: &str = r#"
import os
from gg import files, shell, views
from gg.core import ApiError
for name in ["fifo", "socket", "device"]:
    if not os.path.lexists(name): continue
    for look in [files.read_file, files.read_text_file, views.open_file, lambda n: files.write_file(n, "x"), lambda n: files.edit_file(n, "a", "b"), lambda n: files.search("x", path=n)]:
        try: print("!", look(name))
        except ApiError as error: assert "not a regular file" in error.message or "FIFO" in error.message, error
print([(e.name, e.kind.name) for e in files.list_dir()], [hit.path for hit in files.search("kept")])
print(shell.shell("timeout 1 cat fifo; test $? = 124 && echo waited").output)
"#;
    for way in both_users() {
        let ground = Ground::new(way);
        let worker = ground.worker(&[Arm::Python]);
        let mut agent = Agent::new("main", Arm::Python);
        agent.completes(&worker, "open('file', 'w').write('kept')");
        let tree = ground.tree(0);
        node(&tree.join("fifo"), libc::S_IFIFO, 0);
        node(&tree.join("socket"), libc::S_IFSOCK, 0);
        if is_root() {
            // Endless, if anybody read it.
            node(&tree.join("device"), libc::S_IFCHR, libc::makedev(1, 5));
        }
        let said = agent.completes(&worker, LOOKS);
        assert!(!said.contains('!') && said.contains("('fifo', 'OTHER')") && said.contains("['file']"), "{said}");
        assert!(said.contains("waited"), "a command may wait for itself: {said}");
        // WASI opens what it is told to; the wall bound is what ends it.
        agent.profile().limits.program_wall_ms = 2_000;
        let result = agent.turn(&worker, "open('fifo')");
        let Outcome::Failed { error_type: ProgramError::Timeout, error_text, .. } = &result.outcome else {
            panic!("{way:?}: {}", failure(&result))
        };
        assert!(error_text.contains("programWallMs"), "{error_text}");
        agent.profile().limits.program_wall_ms = 60_000;
        let device = "try: print(open('device', 'rb').read(1))\nexcept OSError: print('refused')";
        assert_eq!(agent.completes(&worker, device).trim(), "refused", "no device, or none to open");
        // What is left out is missing elsewhere.
        drop(worker);
        let worker = ground.worker(&[Arm::Python]);
        assert_eq!(
            agent.completes(&worker, "import os\nprint(os.listdir('.'), open('file').read())").trim(),
            "['file'] kept"
        );
    }
}

#[test]
fn names_and_modes_of_every_kind_come_back() {
    const MAKE: &str = r#"
import os
from gg import shell
long = "n" * 255
open(long, "w").write("long")
made = shell.shell(r"""
set -e
printf bytes > $'not\xffutf8'; mkdir $'d\xfe'; printf x > $'d\xfe/in'
ln -s loop loop; ln -s . here; ln -s /etc/passwd out
printf closed > closed; chmod 000 closed
mkdir locked; printf in > locked/file; chmod 000 locked
mkdir only-enter; printf in > only-enter/file; chmod 311 only-enter
mkdir only-list; printf in > only-list/file; chmod 444 only-list
printf q > $'new\nline'; printf q > '-rf'; printf q > ' '; printf q > '*'
chmod 700 .
""")
assert made.exit_code == 0, made
"#;
    const LOOK: &str = r#"
import os
from gg import files, shell
names = [e.name for e in files.list_dir()]
print(len(names), "n" * 255 in names)
hits = files.search(".", limit=1000)
print(files.read_text_file("n" * 255), files.read_text_file("-rf"), files.read_text_file("*"))
for name in ["closed", "locked/file", "loop", "out", "here/here/here/" + "n" * 255]:
    try: print(name[:20], files.read_text_file(name))
    except Exception as error: print(name[:20], error.code.name)
print(shell.shell(r"""stat -c '%a' closed locked only-enter only-list; cat $'not\xffutf8' $'d\xfe/in' $'new\nline'; readlink loop here out""").output)
"#;
    for way in both_users() {
        let ground = Ground::new(way);
        let worker = ground.worker(&[Arm::Python]);
        let mut agent = Agent::new("main", Arm::Python);
        agent.completes(&worker, MAKE);
        let here = agent.completes(&worker, LOOK);
        assert!(here.contains("0\n0\n311\n444\nbytesxq") && here.contains("loop\n.\n/etc/passwd"), "{way:?}: {here}");
        drop(worker);
        let worker = ground.worker(&[Arm::Python]);
        assert_eq!(agent.completes(&worker, LOOK), here, "{way:?}: the same after it was restored");
        let result = agent.turn(&worker, "import os\nprint(len(os.listdir('.')))");
        assert!(!matches!(result.outcome, Outcome::Internal { .. }), "{way:?}: {}", failure(&result));
    }
}

#[test]
fn a_tree_that_is_closed_to_its_own_user_is_open_again_in_the_next_turn() {
    for way in both_users() {
        let ground = Ground::new(way);
        let worker = ground.worker(&[Arm::Python]);
        let mut agent = Agent::new("main", Arm::Python);
        agent.completes(&worker, "from gg import shell\nopen('file', 'w').write('kept')\nshell.shell('chmod 000 .')");
        assert_eq!(agent.completes(&worker, "print(open('file').read())").trim(), "kept", "{way:?}");
        agent.completes(&worker, "from gg import shell\nshell.shell('chmod 000 .')");
        drop(worker);
        let worker = ground.worker(&[Arm::Python]);
        assert_eq!(agent.completes(&worker, "print(open('file').read())").trim(), "kept", "{way:?}");
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_read_as_something_that_it_was() {
    let ground = Ground::new(usual_way());
    let worker = ground.worker(&[Arm::Python]);
    let mut agent = Agent::new("main", Arm::Python);
    agent.completes(&worker, "open('file', 'w').write('a' * 100_000)");
    let file = ground.tree(0).join("file");
    let changing = std::sync::atomic::AtomicBool::new(true);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut length = 0;
            while changing.load(std::sync::atomic::Ordering::Relaxed) {
                length = (length + 7_919) % 3_000_000;
                let bytes = vec![b"abc"[length % 3]; length];
                drop(std::fs::write(&file, bytes));
            }
        });
        const READS: &str = r#"
from gg import files
for _ in range(300):
    text = files.read_text_file("file")
    hits = files.search("b", path="file", limit=1)
    text = open("file").read()
"#;
        for _ in 0..3 {
            let result = agent.turn(&worker, READS);
            assert_eq!(result.outcome, Outcome::Completed, "{}", failure(&result));
        }
        changing.store(false, std::sync::atomic::Ordering::Relaxed);
    });
    let result = agent.turn(&worker, "print(len(open('file').read()))");
    assert_eq!(result.outcome, Outcome::Completed, "{}", failure(&result));
}

#[test]
fn what_a_worker_is_started_with_stays_its_own() {
    // A descriptor that leads to a secret, inherited without care.
    let ground = Ground::new(usual_way());
    let secret = ground.file("secret");
    std::fs::write(&secret, "credentials").expect("secret");
    if is_root() {
        chown(&secret, Some(0), Some(0)).expect("owner");
    }
    std::fs::set_permissions(&secret, PermissionsExt::from_mode(0o644)).expect("mode");
    let script = ground.file("start");
    let text = format!(
        "#!/bin/sh\nexec 7<'{}' 9</etc/passwd\nexec '{}'\n",
        secret.display(),
        ground.file("worker-process").display()
    );
    std::fs::write(&script, text).expect("script");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("mode");
    let spec = ground.spec(&[Arm::Javascript]);
    let worker = gg_tests::ground::WorkerProcess::start(ground.command(&script), &spec).expect("a worker");
    let open = |pid: u32| -> Vec<String> {
        let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        entries.map(|e| std::fs::read_link(e.path()).unwrap_or_default().display().to_string()).collect()
    };
    assert!(open(worker.pid()).iter().any(|name| name.ends_with("secret")), "the worker has it");
    let mut agent = Agent::new("main", Arm::Javascript);
    agent.completes(&worker, "console.log(1)");
    let executors = worker.executors();
    assert!(!executors.is_empty());
    for pid in executors {
        let open = open(pid);
        assert!(!open.iter().any(|name| name.ends_with("secret") || name.ends_with("passwd")), "{open:?}");
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        assert!(environment.is_empty(), "{}", String::from_utf8_lossy(&environment));
    }
}
