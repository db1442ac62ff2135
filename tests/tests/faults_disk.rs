//! Files that are damaged, disks that are full, folders that cannot be written: the error says what and what to do, nothing
//! is lost, and the worker goes on once it is mended.

use gg_common::arm::Arm;
use gg_common::outcome::Outcome;
use gg_tests::ground::{Agent, Ground, failure, is_root, usual_way};
use std::ffi::CString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("folder").flatten() {
            if entry.file_type().expect("type").is_dir() {
                open.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found
}

/// Replaces a file by one that differs in a byte; the original may be linked elsewhere.
fn damage(path: &Path) {
    let mut bytes = std::fs::read(path).expect("read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::remove_file(path).expect("remove");
    std::fs::write(path, bytes).expect("write");
}

const WRITE: &str =
    "import { writeFile } from 'gg/files'; writeFile('kept', 'kept'.repeat(1000)); writeFile('other', '1')";
const READ: &str = "import { readTextFile } from 'gg/files'; console.log(readTextFile('kept').length)";

#[test]
fn a_precompiled_guest_that_is_damaged_is_made_again() {
    let ground = Ground::new(usual_way());
    drop(ground.worker(&[Arm::Javascript]));
    for path in files_below(&ground.root().precompiled()) {
        if path.extension().is_some_and(|end| end == "cwasm") {
            damage(&path);
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o444)).expect("mode");
        }
    }
    let worker = ground.worker(&[Arm::Javascript]);
    Agent::new("main", Arm::Javascript).completes(&worker, WRITE);
}

#[test]
fn an_object_that_is_damaged_ends_the_turn_with_its_name_and_nothing_else() {
    let ground = Ground::new(usual_way());
    let worker = ground.worker(&[Arm::Javascript]);
    let mut agent = Agent::new("main", Arm::Javascript);
    agent.completes(&worker, WRITE);
    let tree = agent.tree().expect("a tree");
    drop(worker);
    let damaged: Vec<_> = files_below(&ground.root().objects())
        .into_iter()
        .filter(|path| path.metadata().is_ok_and(|meta| meta.len() == 4000))
        .collect();
    assert_eq!(damaged.len(), 1, "the file's object");
    let sound = std::fs::read(&damaged[0]).expect("read");
    damage(&damaged[0]);
    let worker = ground.worker(&[Arm::Javascript]);
    let result = agent.turn(&worker, READ);
    let Outcome::Internal { error_text, suspect: None } = &result.outcome else { panic!("{}", failure(&result)) };
    assert!(error_text.contains("kept"), "{error_text}");
    assert_eq!(result.tree, Some(tree), "the tree is what it was");
    // Mended, for instance from another copy.
    drop(std::fs::remove_file(&damaged[0]));
    std::fs::write(&damaged[0], sound).expect("write");
    assert_eq!(agent.completes(&worker, READ).trim(), "4000");
}

/// A small file system over a folder, gone with this.
struct Small(CString);

impl Small {
    fn over(folder: &Path, bytes: u64) -> Small {
        std::fs::create_dir_all(folder).expect("folder");
        let target = CString::new(folder.display().to_string()).expect("path");
        let small = Small(target);
        small.mount(bytes, 0).expect("mount");
        small
    }

    fn mount(&self, bytes: u64, flags: libc::c_ulong) -> std::io::Result<()> {
        let data = CString::new(format!("size={bytes},mode=755")).expect("text");
        let kind = c"tmpfs";
        // SAFETY: every string outlives the call.
        let result = unsafe { libc::mount(kind.as_ptr(), self.0.as_ptr(), kind.as_ptr(), flags, data.as_ptr().cast()) };
        if result == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        // SAFETY: the string outlives the call.
        unsafe { libc::umount2(self.0.as_ptr(), libc::MNT_DETACH) };
    }
}

#[test]
fn a_disk_that_is_full_fails_the_turn_and_loses_nothing() {
    if !is_root() {
        eprintln!("only root can make a small disk");
        return;
    }
    for place in ["objects", "homes"] {
        let ground = Ground::new(usual_way());
        let disk = Small::over(&ground.root().0.join(place), 1 << 20);
        let worker = ground.worker(&[Arm::Javascript]);
        let mut agent = Agent::new("main", Arm::Javascript);
        agent.completes(&worker, WRITE);
        let tree = *agent.tree();
        let fill = "import { writeFile } from 'gg/files'; writeFile('kept', 'changed'); writeFile('big', Array.from({ length: 300_000 }, (_, n) => n).join(' '))";
        let job = agent.job(fill);
        let result = worker.run(&job);
        let text = failure(&result);
        match place {
            // The farm's own disk.
            "objects" => assert!(matches!(result.outcome, Outcome::Internal { suspect: None, .. }), "{text}"),
            // The call says so to the program; what it did before stands.
            _ => assert!(text.starts_with("program_api_error"), "{text}"),
        }
        assert!(["full", "space"].iter().any(|word| text.contains(word)), "{place}: {text}");
        if place == "objects" {
            assert_eq!(result.tree, tree, "{place}");
            assert_eq!(agent.completes(&worker, READ).trim(), "4000", "{place}: nothing is lost while it is full");
            disk.mount(64 << 20, libc::MS_REMOUNT).expect("more room");
            agent.completes(&worker, fill);
        } else {
            *agent.tree() = result.tree;
            assert_eq!(agent.completes(&worker, READ).trim(), "7", "{place}");
        }
    }
}

#[test]
fn folders_that_cannot_be_written_are_named() {
    if !is_root() {
        eprintln!("only root can make a read-only disk");
        return;
    }
    for place in ["objects", "homes", "precompiled"] {
        let ground = Ground::new(usual_way());
        let folder = ground.root().0.join(place);
        if place == "precompiled" {
            std::fs::remove_dir_all(&folder).expect("remove");
        }
        let disk = Small::over(&folder, 1 << 20);
        if place == "precompiled" {
            std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o700)).expect("mode");
        }
        disk.mount(1 << 20, libc::MS_REMOUNT | libc::MS_RDONLY).expect("read-only");
        let text = match ground.start(&ground.spec(&[Arm::Javascript])) {
            Err(reason) => reason,
            Ok(worker) => {
                let result = Agent::new("main", Arm::Javascript).turn(&worker, WRITE);
                assert!(matches!(result.outcome, Outcome::Internal { suspect: None, .. }), "{place}");
                failure(&result)
            }
        };
        assert!(text.contains(place) && text.to_lowercase().contains("read-only"), "{place}: {text}");
    }
}

#[test]
fn programs_that_are_no_text_are_rejected_before_anything_runs() {
    let ground = Ground::new(usual_way());
    let worker = ground.worker(&[Arm::Javascript]);
    let mut agent = Agent::new("main", Arm::Javascript);
    for (source, expected) in [
        (String::new(), "reply_empty"),
        (" \n\t ".to_owned(), "reply_empty"),
        ("x".repeat(5 << 20), "reply_too_large"),
        ("console.log(1) // \0".to_owned(), "completed"),
    ] {
        let result = agent.turn(&worker, &source);
        let found = result.outcome.error_type().unwrap_or_else(|| "completed".into());
        assert_eq!(found, expected, "{:?}", &source[..source.len().min(30)]);
    }
    // No text at all: as an object, as a long reply would travel.
    let mut job = agent.job("");
    let key = ground.objects().put_blocking(b"console.log('\xff')".to_vec()).expect("stored");
    job.source = gg_common::job::Body::Object { key, bytes: 16 };
    assert_eq!(worker.run(&job).outcome.error_type().as_deref(), Some("reply_not_utf8"));
    let missing = gg_common::content::ContentKey::of(b"nobody stored this");
    let mut job = agent.job("");
    job.source = gg_common::job::Body::Object { key: missing, bytes: 16 };
    let result = worker.run(&job);
    assert!(matches!(result.outcome, Outcome::Internal { suspect: None, .. }), "{}", failure(&result));
    assert!(failure(&result).contains(&missing.to_string()), "{}", failure(&result));
    let mut job = agent.job("print(1)");
    job.profile.arm = Arm::Python;
    assert!(failure(&worker.run(&job)).contains("python"), "an arm that was not started");
    let mut job = agent.job("1");
    job.version += 1;
    assert!(failure(&worker.run(&job)).contains("version"), "a job of another version");
}

#[test]
fn the_reserve_of_the_homes_disk_is_kept() {
    if !is_root() {
        eprintln!("only root can make a small disk");
        return;
    }
    let ground = Ground::new(usual_way());
    let homes = ground.root().homes();
    // The reserve is a twentieth: 20 MiB.
    let _small = Small::over(&homes, 400 << 20);
    let worker = ground.worker(&[Arm::Python]);
    let mut agent = Agent::new("main", Arm::Python);
    agent.completes(&worker, "open('kept', 'w').write('kept')");
    let tree = agent.tree().expect("a tree");
    // Slow enough for the watch: what is faster meets the end of the disk as the system's own error.
    let slowly = "import time\nwith open('big', 'wb') as f:\n  for n in range(1000): f.write(b'x' * 4_000_000); f.flush(); time.sleep(0.01)";
    let result = agent.turn(&worker, slowly);
    assert_eq!(result.outcome.error_type().as_deref(), Some("program_limit"), "{}", failure(&result));
    assert!(failure(&result).contains("limit diskReserveBytes"), "{}", failure(&result));
    assert_eq!(result.tree, Some(tree), "the tree is what it was");
    // A command is ended as well; what it holds open and has no name counts, since it is the disk that is looked at.
    let held = "from gg.shell import shell\nshell('exec 3>held; rm held; while :; do head -c 4000000 /dev/zero >&3; sleep 0.01; done')";
    let result = agent.turn(&worker, held);
    assert_eq!(result.outcome.error_type().as_deref(), Some("program_api_error"), "{}", failure(&result));
    assert!(failure(&result).contains("bytes of its disk free"), "{}", failure(&result));
    // Where somebody else has filled it, no turn begins.
    std::fs::write(homes.join("ballast"), vec![0; 385 << 20]).expect("ballast");
    let result = agent.turn(&worker, "print(open('kept').read())");
    let Outcome::Internal { error_text, .. } = &result.outcome else { panic!("{:?}", result.outcome) };
    assert!(error_text.contains("the worker keeps 20 MiB of it free: free space there"), "{error_text}");
    std::fs::remove_file(homes.join("ballast")).expect("removed");
    assert_eq!(agent.completes(&worker, "print(open('kept').read())"), "kept\n");
}

#[test]
fn what_does_not_fit_beside_what_is_stored_is_the_programs_limit_and_the_next_turn_is_well() {
    if !is_root() {
        eprintln!("only root can make a small disk");
        return;
    }
    let ground = Ground::new(usual_way());
    let homes = Small::over(&ground.root().homes(), 64 << 20);
    let _objects = Small::over(&ground.root().objects(), 8 << 20);
    let worker = ground.worker(&[Arm::Python]);
    let mut agent = Agent::new("main", Arm::Python);
    agent.completes(&worker, "open('kept', 'w').write('kept')");
    let tree = agent.tree().expect("a tree");
    let result = agent.turn(&worker, "import os\nopen('big', 'wb').write(os.urandom(20_000_000))");
    assert_eq!(result.outcome.error_type().as_deref(), Some("program_limit"), "{}", failure(&result));
    assert!(failure(&result).contains("does not fit on the worker's disk (limit diskReserveBytes)"));
    assert_eq!(result.tree, Some(tree), "the tree is what it was");
    assert_eq!(agent.completes(&worker, "print(open('kept').read())"), "kept\n");
    // What its calls store goes into no reserve either, and the program can go on without it.
    let remembers = "from gg import ApiError, memories\ntry:\n  for n in range(60):\n    memories.write_memory(f'm{n}', 'd', f'{n}' + '€' * 60_000)\n    memories.delete_memory(f'm{n}')\nexcept ApiError as error:\n  print(error.code.name, 'beside its reserve' in str(error))";
    assert_eq!(agent.completes(&worker, remembers), "LIMIT_EXCEEDED True\n");
    drop(homes);
}
