//! Confined children, tried with real processes: what a job gets, how it ends, and that nothing of it is left.

mod support;

use gg_worker::confine::cancel::cancellation;
use gg_worker::confine::{ConfineError, Confinement, Ended, LimitReached, Namespaces, Watch, run};
use std::path::Path;
use std::time::Duration;
use support::{Ground, Worker, bounds, is_root, kinds, text, wait_until};

fn grounds() -> impl Iterator<Item = Ground> {
    kinds().into_iter().map(|way| Ground::new(way, Path::new(env!("CARGO_BIN_EXE_gg-child"))))
}

/// Processes that try to outlive their job: in sessions of their own, forked twice, stopped, deaf to signals.
const SURVIVORS: &str = "
    setsid sleep 1000 &
    ( ( setsid sleep 1000 & ) & )
    ( ( trap '' HUP INT TERM QUIT; setsid bash -c 'trap \"\" TERM HUP; while :; do sleep 1; done' & ) & )
    sleep 1000 & kill -STOP $!
    nohup sleep 1000 >/dev/null 2>&1 & disown
";

#[test]
fn nothing_survives_the_end_of_the_main_process_and_an_open_pipe_holds_nothing_up() {
    for ground in grounds() {
        let report = ground.run(&ground.bash(&format!("{SURVIVORS} echo done; exit 7")));
        assert_eq!((report.ended, text(&report.stdout.bytes)), (Ended::Exited(7), "done\n".into()), "{:?}", ground.way);
        ground.assert_nothing_is_left();
    }
}

#[test]
fn nothing_survives_the_time_out_and_what_was_written_is_kept() {
    for ground in grounds() {
        let mut job =
            ground.bash(&format!("{SURVIVORS} trap '' TERM; echo out; echo err >&2; while :; do sleep 1; done"));
        job.timeout = Duration::from_millis(500);
        let report = ground.run(&job);
        assert_eq!(report.ended, Ended::TimedOut);
        assert_eq!((text(&report.stdout.bytes), text(&report.stderr.bytes)), ("out\n".into(), "err\n".into()));
        ground.assert_nothing_is_left();
    }
}

#[test]
fn a_job_is_cancelled_from_another_thread() {
    for ground in grounds() {
        let (handle, token) = cancellation().expect("pipe");
        let started = ground.tree().join("started");
        let canceller = std::thread::spawn(move || {
            wait_until("the job starts", || started.exists());
            handle.cancel();
        });
        let job = ground.bash(&format!("{SURVIVORS} touch started; sleep 1000"));
        let report = run(&ground.settings, &job, None, Some(&token)).expect("report");
        canceller.join().expect("thread");
        assert_eq!(report.ended, Ended::Cancelled);
        ground.assert_nothing_is_left();
    }
}

#[test]
fn a_fork_bomb_ends_and_is_named() {
    for ground in grounds() {
        for bomb in ["while :; do sleep 1000 & done", "bomb() { bomb | bomb & }; bomb; while :; do sleep 1; done"] {
            let report = ground.run(&ground.bash(bomb));
            assert_eq!(report.ended, Ended::Processes, "{:?}: {bomb}", ground.way);
            ground.assert_nothing_is_left();
        }
    }
}

#[test]
fn memory_of_all_processes_together_is_bounded() {
    for ground in grounds() {
        let mut job = ground
            .bash("for i in 1 2 3 4; do { x=$(head -c 60000000 /dev/zero | tr '\\0' a); sleep 1000; } & done; wait");
        // More than one of them may use, less than all.
        job.bounds.memory_bytes = 160 << 20;
        let report = ground.run(&job);
        assert_eq!(report.ended, Ended::Memory, "{:?} {}", ground.way, text(&report.stderr.bytes));
        assert!(report.peak_memory_bytes > 160 << 20);
        ground.assert_nothing_is_left();
    }
}

#[test]
fn a_gigabyte_of_output_is_counted_and_its_tail_kept() {
    for ground in grounds() {
        let mut job = ground.bash("head -c 1000000000 /dev/zero; echo end; head -c 100000 /dev/zero >&2; echo end >&2");
        job.output_bytes = 1000;
        let report = ground.run(&job);
        assert_eq!(report.ended, Ended::Exited(0));
        assert_eq!((report.stdout.written, report.stdout.bytes.len()), (1_000_000_004, 1000));
        assert_eq!((report.stderr.written, report.stderr.bytes.len()), (100_004, 1000));
        assert!(report.stdout.bytes.ends_with(b"\0end\n") && report.stderr.bytes.ends_with(b"\0end\n"));
    }
}

#[test]
fn the_status_or_the_signal_is_told() {
    for ground in grounds() {
        assert_eq!(ground.run(&ground.bash("exit 0")).ended, Ended::Exited(0));
        assert_eq!(ground.run(&ground.bash("exit 255")).ended, Ended::Exited(255));
        assert_eq!(ground.run(&ground.bash("kill -KILL $$")).ended, Ended::Signalled(libc::SIGKILL));
        assert_eq!(ground.run(&ground.bash("kill -SEGV $$")).ended, Ended::Signalled(libc::SIGSEGV));
        let mut job = ground.bash("");
        job.program = "/no/such/program".into();
        let error = ground.try_run(&job).expect_err("no program").to_string();
        assert!(error.contains("cannot execute /no/such/program: No such file"), "{error}");
    }
}

#[test]
fn the_environment_and_the_descriptors_are_the_jobs_own() {
    // Inherited by anything that does not close it.
    // SAFETY: the path is a string that outlives the call.
    let leaked = unsafe { libc::open(c"/etc/hostname".as_ptr(), libc::O_RDONLY) };
    for ground in grounds() {
        let report = ground.run(&ground.bash("env | cut -d= -f1 | sort | tr '\\n' ' '; cat; read x; echo \"[$x]\""));
        assert_eq!(text(&report.stdout.bytes), "GIT_CONFIG_NOSYSTEM HOME LANG PATH PWD SHLVL TERM TMPDIR _ []\n");
        let script = "exec 2>&-; for fd in {3..255}; do if : <&$fd; then echo $fd; fi; done; echo $TMPDIR > $TMPDIR/x; \
                      cat $HOME/x";
        let report = ground.run(&ground.bash(script));
        let output = text(&report.stdout.bytes);
        assert_eq!(output.lines().count(), 1, "an open descriptor: {output}");
        let left = std::fs::read_dir(ground.scratch()).expect("scratch").count();
        assert_eq!(left, 0, "a temporary folder is left");
    }
    // SAFETY: opened above.
    unsafe { libc::close(leaked) };
}

#[test]
fn files_and_the_temporary_folder_are_bounded() {
    for ground in grounds() {
        let report =
            ground.run(&ground.bash("truncate -s 4T big; head -c 100000000 /dev/zero > long; stat -c %s long"));
        assert_eq!(text(&report.stdout.bytes), format!("{}\n", bounds().file_bytes));
        assert_eq!(text(&report.stderr.bytes).matches("File too large").count(), 2, "{}", text(&report.stderr.bytes));
        if ground.way.namespaces == Namespaces::Never {
            continue;
        }
        let script =
            "head -c 10000000 /dev/zero > /tmp/a; rm /tmp/a; for i in {1..200}; do : > /tmp/$i; done; ls /tmp | wc -l";
        let report = ground.run(&ground.bash(script));
        assert!(text(&report.stderr.bytes).matches("No space left on device").count() > 100);
        assert!(text(&report.stdout.bytes).trim().parse::<u64>().expect("count") <= bounds().temp_entries);
    }
}

struct Entries<'a>(&'a Path);

impl Watch for Entries<'_> {
    fn check(&mut self, _: &[libc::pid_t]) -> Option<LimitReached> {
        let count = std::fs::read_dir(self.0).map(Iterator::count).unwrap_or(0);
        (count > 100).then(|| LimitReached { name: "treeEntries".into(), bound: 100 })
    }
}

#[test]
fn a_watch_ends_the_job_and_its_limit_is_named() {
    for ground in grounds() {
        let tree = ground.tree();
        let job = ground.bash("i=0; while :; do : > $((i++)); done");
        let report = run(&ground.settings, &job, Some(&mut Entries(&tree)), None).expect("report");
        assert_eq!(report.ended, Ended::Limit(LimitReached { name: "treeEntries".into(), bound: 100 }));
        ground.assert_nothing_is_left();
    }
}

#[test]
fn what_cannot_be_confined_is_refused_with_a_sentence_unless_the_settings_say_so() {
    for mut ground in grounds() {
        ground.settings.namespaces = Namespaces::Never;
        ground.settings.landlock_abi = Some(4);
        let job = ground.bash("echo ran");
        let error = ground.try_run(&job).expect_err("refused");
        assert!(matches!(error, ConfineError::Refused(_)), "{error}");
        let error = error.to_string();
        assert!(error.contains("Landlock is at ABI 4 where 6 is needed") && error.contains("`unconfined`"), "{error}");
        ground.settings.landlock_abi = None;
        if ground.way.worker == Worker::User {
            let error = ground.try_run(&job).expect_err("refused").to_string();
            assert!(error.contains("the worker is not root"), "{error}");
        }
        ground.settings.confinement = Confinement::Off;
        let report = ground.run(&job);
        assert_eq!((text(&report.stdout.bytes).as_str(), report.held.denials), ("ran\n", false));
        assert!(!report.held.namespaces && !report.held.own_user && report.held.landlock_abi == 0);
    }
}

#[test]
fn root_that_may_not_make_namespaces_is_held_without_them() {
    for mut ground in grounds().filter(|ground| ground.way.worker == Worker::Root) {
        // As in a container: root, without the capability.
        let helper = ground.settings.helper.take().expect("helper");
        let wrapper = ground.folder.path().join("as-container");
        let script = format!("#!/bin/sh\nexec setpriv --bounding-set=-sys_admin {}\n", helper.display());
        std::fs::write(&wrapper, script).expect("script");
        std::fs::set_permissions(&wrapper, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("mode");
        ground.settings.helper = Some(wrapper);
        let report = ground.run(&ground.bash(&format!("{SURVIVORS} id -u")));
        assert_eq!(text(&report.stdout.bytes), format!("{}\n", ground.ids.uid));
        assert!(!report.held.namespaces && report.held.own_user && report.held.landlock_abi >= 6, "{:?}", report.held);
        ground.assert_nothing_is_left();
        ground.settings.landlock_abi = Some(4);
        let error = ground.try_run(&ground.bash("true")).expect_err("refused").to_string();
        let why = "namespaces cannot be made (Operation not permitted";
        assert_eq!(error.contains(why), ground.settings.namespaces == Namespaces::WherePossible, "{error}");
    }
}

#[test]
fn an_unconfined_job_leaves_nothing_either() {
    for mut ground in grounds().filter(|ground| ground.way.worker == Worker::User) {
        ground.settings.confinement = Confinement::Off;
        let report = ground.run(&ground.bash(&format!("{SURVIVORS} echo done")));
        assert_eq!(text(&report.stdout.bytes), "done\n");
        ground.assert_nothing_is_left();
    }
}

#[test]
fn a_path_that_is_not_there_is_named() {
    for ground in grounds() {
        let mut job = ground.bash("true");
        job.mounts[0].source = "/no/such/tree".into();
        let error = ground.try_run(&job).expect_err("no tree").to_string();
        assert!(error.contains("cannot be shown /no/such/tree"), "{error}");
    }
}

/// The worker of the next test: not a test of its own.
#[test]
fn a_worker_that_is_to_be_killed() {
    let Ok(program) = std::env::var("GG_TEST_HELPER") else { return };
    let number = |name| std::env::var(name).expect(name).parse::<usize>().expect(name);
    let way = kinds()[number("GG_TEST_KIND")];
    let mut ground = Ground::new(way, Path::new(env!("CARGO_BIN_EXE_gg-child")));
    ground.settings.helper = Some(program.into());
    let uid = number("GG_TEST_UID") as u32;
    ground.ids = gg_worker::confine::credentials::SlotIds { uid, gid: uid };
    let mut job = ground.bash(&format!("{SURVIVORS} touch started; sleep 1000"));
    job.mounts[0].source = std::env::var("GG_TEST_TREE").expect("tree").into();
    ground.run(&job);
}

#[test]
fn nothing_survives_the_death_of_the_worker_or_of_the_supervisor_or_of_the_init() {
    if !is_root() {
        return;
    }
    for (kind, ground) in grounds().enumerate() {
        for victim in ["worker", "supervisor", "init"] {
            let started = ground.tree().join("started");
            let _ = std::fs::remove_file(&started);
            #[expect(clippy::disallowed_methods, reason = "a worker that can be killed")]
            let mut worker = std::process::Command::new(std::env::current_exe().expect("self"))
                .args(["--exact", "a_worker_that_is_to_be_killed"])
                .env("GG_TEST_HELPER", ground.settings.helper.as_ref().expect("helper"))
                .env("GG_TEST_KIND", kind.to_string())
                .env("GG_TEST_UID", ground.ids.uid.to_string())
                .env("GG_TEST_TREE", ground.tree())
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn()
                .expect("worker");
            wait_until("the job starts", || started.exists());
            let supervisor = child_of(worker.id() as i32);
            let pid = match victim {
                "worker" => worker.id() as i32,
                "supervisor" => supervisor,
                _ => child_of(supervisor),
            };
            // SAFETY: a process that this test started.
            unsafe { libc::kill(pid, libc::SIGKILL) };
            worker.wait().expect("worker");
            wait_until(&format!("the job is gone: {:?}, {victim}", ground.way), || ground.processes().is_empty());
        }
    }
}

/// The process that another started last.
fn child_of(pid: i32) -> i32 {
    let mut children = Vec::new();
    for thread in std::fs::read_dir(format!("/proc/{pid}/task")).expect("threads").flatten() {
        let list = std::fs::read_to_string(thread.path().join("children")).expect("children");
        children.extend(list.split_whitespace().map(|pid| pid.parse::<i32>().expect("pid")));
    }
    *children.last().expect("a child")
}
