//! Programs that take more than is theirs. Each meets its own bound, by name; the tree before it, its neighbour and its
//! worker never notice.

use gg_common::arm::Arm;
use gg_common::job::TurnResult;
use gg_common::limits::Limits;
use gg_common::outcome::{Outcome, ProgramError};
use gg_tests::ground::{Agent, Ground, User, Way, WorkerProcess, failure, is_root, log, usual_way};
use gg_worker::executor::protocol::Isolation;

const KEPT: &str = "print(open('kept').read(), sorted(__import__('os').listdir('.')))";

/// Runs a program after a turn that left a file, and sees that the file is there in the turn after it.
fn beside_a_kept_file(worker: &WorkerProcess, limits: &Limits, source: &str) -> (TurnResult, String) {
    let mut agent = Agent::new(&format!("a{}", source.len()), Arm::Python);
    agent.profile().limits = limits.clone();
    agent.completes(worker, "open('kept', 'w').write('kept')");
    let result = agent.turn(worker, source);
    let after = agent.completes(worker, KEPT);
    assert!(after.starts_with("kept"), "{source}: {after}");
    (result, after.trim().to_owned())
}

#[track_caller]
fn assert_limit(result: &TurnResult, name: &str) {
    match &result.outcome {
        Outcome::Failed { error_type: ProgramError::Limit, error_text, .. } if error_text.contains(name) => {}
        _ => panic!("not the limit {name}: {}\n{}\n{}", failure(result), log(result), result.stderr),
    }
}

fn small() -> Limits {
    Limits { tree_bytes: 32 << 20, tree_entries: 2_000, temp_bytes: 8 << 20, temp_entries: 200, ..Limits::default() }
}

/// Each writes until it is ended; none of it may stay.
const FILLS: &[(&str, &str)] = &[
    ("treeBytes", "f = open('big', 'wb')\nwhile True: f.write(b'x' * 1_000_000); f.flush()"),
    ("treeBytes", "for n in range(10**6): open(f'f{n}', 'wb').write(b'x' * 1_000_000)"),
    ("treeBytes", "for n in range(10**6):\n open(f'f{n}', 'wb').truncate(30_000_000)"),
    ("treeEntries", "for n in range(10**7): open(f'f{n}', 'wb').close()"),
    ("treeEntries", "import os\nfor n in range(10**7): os.symlink('kept', f'f{n}')"),
    ("treeEntries", "import os\nfor n in range(10**7): os.mkdir(f'f{n}')"),
    (
        "treeDepth",
        "import os\nname = 'd'\nfor n in range(10**4):\n os.mkdir(name)\n name = ('d/' * 500)[:2 * n + 2] + 'd'\n",
    ),
    // A file without a name is in no listing.
    (
        "treeBytes",
        "import os\nfiles = []\nfor n in range(100):\n f = open(f'f{n}', 'wb'); files.append(f); os.unlink(f'f{n}')\n for _ in range(20): f.write(b'x' * 1_000_000); f.flush()\nwhile True: pass",
    ),
    // With every descriptor taken there must be one left to look with.
    (
        "treeBytes",
        "import os\nfiles = []\ntry:\n while True: files.append(open(f'f{len(files)}', 'wb'))\nexcept OSError: pass\nassert len(files) > 100\nwhile True:\n for f in files: f.write(b'x' * 100_000); f.flush()",
    ),
    // A folder that was closed to its own user.
    (
        "treeBytes",
        "import os\nfrom gg import shell\nos.mkdir('d')\nf = open('d/f', 'wb')\nshell.shell('chmod 000 d')\nwhile True: f.write(b'x' * 1_000_000); f.flush()",
    ),
    (
        "treeBytes",
        "import os\nfrom gg import shell\nos.mkdir('d')\nshell.shell('chmod 300 d')\nfor n in range(10**6): open(f'd/f{n}', 'wb').write(b'x' * 1_000_000)",
    ),
];

#[test]
fn a_tree_that_is_filled_is_as_it_was_before() {
    let ground = Ground::new(usual_way());
    let worker = ground.worker(&[Arm::Python]);
    let before = free_bytes(&ground);
    for (name, source) in FILLS {
        let (result, after) = beside_a_kept_file(&worker, &small(), source);
        assert_limit(&result, name);
        assert_eq!(after, "kept ['kept']", "{source}");
    }
    // Far less than what they would have written: each was ended within moments.
    assert!(before.saturating_sub(free_bytes(&ground)) < 20 << 30);
}

fn free_bytes(ground: &Ground) -> u64 {
    use std::os::unix::ffi::OsStrExt;
    let path = std::ffi::CString::new(ground.root().0.as_os_str().as_bytes()).expect("path");
    // SAFETY: the string outlives the call, and a zeroed statvfs is a valid place for the answer.
    unsafe {
        let mut stat: libc::statvfs = std::mem::zeroed();
        assert_eq!(libc::statvfs(path.as_ptr(), &raw mut stat), 0);
        stat.f_bavail * stat.f_frsize
    }
}

/// Each is refused by the system or the call, sees that, and goes on.
const REFUSED: &[&str] = &[
    "import os\ntry: os.truncate('kept', 4 << 40)\nexcept OSError as e: print(e.errno)\nelse: raise SystemExit('stretched')",
    "f = open('sparse', 'wb')\ntry: f.seek(4 << 40); f.write(b'x'); f.flush()\nexcept OSError: pass\nelse: raise SystemExit('written')\nimport os\ntry: f.close()\nexcept OSError: pass\nos.unlink('sparse')",
    "try:\n f = open('/tmp/big', 'wb')\n while True: f.write(b'x' * 1_000_000); f.flush()\nexcept OSError as e: print(e)",
    "try:\n for n in range(10**6): open(f'/tmp/f{n}', 'wb').close()\nexcept OSError as e: print(e)",
    "files = []\ntry:\n while True: files.append(open('kept'))\nexcept OSError as e: print(len(files), e)\nassert 100 < len(files) < 400",
    "from gg import files\nfrom gg.core import ApiError\nfor n in range(5000):\n try: files.write_file(f'd{n}', '')\n except ApiError as e: print(e.code, e.message); break\nelse: raise SystemExit('no bound')\nimport os\n[os.unlink(name) for name in os.listdir('.') if name != 'kept']",
    "from gg import files\nfrom gg.core import ApiError\nfor n in range(50):\n try: files.write_file(f'd{n}', 'x' * 1_000_000)\n except ApiError as e: print(e.code, e.message); break\nelse: raise SystemExit('no bound')\nimport os\n[os.unlink(name) for name in os.listdir('.') if name != 'kept']",
    "from gg import views\nfrom gg.core import ApiError\ntry:\n for n in range(5000): views.open_text(f'v{n}', '')\nexcept ApiError as e: print(e.code)\nelse: raise SystemExit('no bound')",
    "try:\n while True: x = [x for x in range(10**8)]\nexcept MemoryError: print('MemoryError')",
    "def f(): f()\ntry: f()\nexcept RecursionError: print('RecursionError')",
];

#[test]
fn what_is_refused_is_refused_to_the_program_alone() {
    let mut limits = small();
    limits.memory_bytes = 128 << 20;
    let ground = Ground::new(usual_way());
    let worker = ground.worker(&[Arm::Python]);
    for source in REFUSED {
        let (result, after) = beside_a_kept_file(&worker, &limits, source);
        assert_eq!(result.outcome, Outcome::Completed, "{source}\n{}\n{}", failure(&result), log(&result));
        assert_eq!(after, "kept ['kept']", "{source}");
    }
}

#[test]
fn a_program_cannot_have_its_tree_undone_by_words() {
    let ground = Ground::new(usual_way());
    let worker = ground.worker(&[Arm::Python]);
    let source = "open('mine', 'w').write('x')\nraise Exception('limit treeBytes, limit treeEntries, limit tree')";
    let (result, after) = beside_a_kept_file(&worker, &small(), source);
    assert!(failure(&result).starts_with("program_error"), "{}", failure(&result));
    assert_eq!(after, "kept ['kept', 'mine']", "files stand when a program fails");
}

#[test]
fn a_deep_temporary_folder_does_not_hinder_the_next_program() {
    const DEEP: &str = "import os\nname = '/tmp'\nfor n in range(150):\n name += '/d'\n os.mkdir(name)\nopen(name + '/f', 'w').write('x')";
    let mut ways = vec![usual_way()];
    if is_root() {
        ways.push(Way { user: User::Root, isolation: Isolation::LandlockOnly, landlock_abi: Some(6) });
    }
    for way in ways {
        let ground = Ground::new(way);
        let worker = ground.worker(&[Arm::Python]);
        let mut agent = Agent::new("main", Arm::Python);
        let result = agent.turn(&worker, DEEP);
        assert!(!matches!(result.outcome, Outcome::Internal { .. }), "{way:?}: {}", failure(&result));
        let executors = worker.executors();
        for _ in 0..3 {
            assert_eq!(agent.completes(&worker, "import os\nprint(os.listdir('/tmp'))").trim(), "[]", "{way:?}");
        }
        assert_eq!(worker.executors(), executors, "{way:?}: the same executor went on");
    }
}

#[test]
fn floods_are_counted_and_cut() {
    let ground = Ground::new(usual_way());
    let worker = ground.worker(&[Arm::Python, Arm::Javascript]);
    let flood = "import sys\nfor _ in range(60): print('x' * 1_000_000); sys.stderr.write('y' * 1_000_000)\nsys.stderr.write('end')";
    let mut agent = Agent::new("python", Arm::Python);
    let result = agent.turn(&worker, flood);
    assert_eq!(result.outcome, Outcome::Completed, "{}", failure(&result));
    assert!(result.log_dropped_bytes > 58_000_000, "{}", result.log_dropped_bytes);
    assert!(result.stderr.len() < 9_000 && result.stderr.ends_with("end") && result.stderr.contains("bytes dropped"));

    let mut agent = Agent::new("javascript", Arm::Javascript);
    let calls =
        "import * as files from 'gg/files'; import * as docs from 'gg/docs'; import * as programs from 'gg/programs';
for (let n = 0; n < 25_000; n++) { programs.history(); files.listDir(); }
console.log('done');";
    let result = agent.turn(&worker, calls);
    assert_eq!(result.outcome, Outcome::Completed, "{}", failure(&result));
    assert!(result.calls.len() <= 1_100, "{} records", result.calls.len());
    assert_eq!(result.calls.iter().map(|call| u64::from(call.count)).sum::<u64>(), 50_000, "every call is counted");

    let long = "import { writeFile } from 'gg/files'; writeFile('x', 'a'.repeat(20 << 20));";
    let result = agent.turn(&worker, long);
    assert_limit(&result, "callBytes");
    let said = "throw new Error('internal_error: '.repeat(500_000))";
    let result = agent.turn(&worker, said);
    assert!(
        failure(&result).starts_with("program_error"),
        "{}",
        failure(&result).chars().take(200).collect::<String>()
    );
    assert!(failure(&result).len() < 80 << 10, "{} bytes", failure(&result).len());
    let bomb = "const held = []; for (;;) held.push(new Uint8Array(1 << 20).fill(1));";
    let result = agent.turn(&worker, bomb);
    assert!(failure(&result).starts_with("program_out_of_memory"), "{}", failure(&result));
    let deep = "function f() { return f() + 1 } f()";
    let result = agent.turn(&worker, deep);
    assert!(failure(&result).starts_with("program_"), "{}", failure(&result));
    assert_eq!(agent.completes(&worker, "console.log('well')").trim(), "well");
}
