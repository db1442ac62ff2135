//! Pools of warm compilers and the processes in them, driven by a long-lived compiler of the tests. Each test says by
//! barriers and counts who is where: nothing is timed.

use gg_common::outcome::Suspect;
use gg_tests::ground::is_root;
use gg_tests::yard::{Agent, Yard, echo_compiler};
use gg_worker::confine::Namespaces;
use gg_worker::language::canary::judge;
use gg_worker::language::seam::{CompilerPool, Counts, PrepareContext, Request};
use gg_worker::language::{CompileCost, PrepareError, ToolchainEnd, ToolchainFailure};
use std::sync::Barrier;
use std::sync::mpsc::channel;
use std::time::Duration;

fn text(answer: &[u8]) -> Result<String, String> {
    String::from_utf8(answer.to_vec()).map_err(|error| error.to_string())
}

/// Asks a lent compiler one thing.
fn ask(context: &mut PrepareContext<'_>, pool: &CompilerPool, body: &str) -> Result<String, PrepareError> {
    context.checkout(pool)?.ask(context, &Request::new(body), text)
}

fn says(agent: &mut Agent<'_>, pool: &CompilerPool, body: &str) -> String {
    agent.prepare(|context| ask(context, pool, body)).0.unwrap_or_else(|error| panic!("{body}: {error}"))
}

fn fails(agent: &mut Agent<'_>, pool: &CompilerPool, body: &str) -> ToolchainFailure {
    match agent.prepare(|context| ask(context, pool, body)).0 {
        Err(PrepareError::Toolchain(failure)) => failure,
        other => panic!("{body}: {other:?}"),
    }
}

/// Which instance answers.
fn who(agent: &mut Agent<'_>, pool: &CompilerPool) -> String {
    says(agent, pool, "who").split(' ').next().expect("an instance").to_owned()
}

/// Makes capital letters of a text, by way of the workspace and the daemon's tree.
fn upper(context: &mut PrepareContext<'_>, pool: &CompilerPool, source: &str) -> Result<Vec<u8>, PrepareError> {
    let workspace = context.workspace()?;
    workspace.write("program", source.as_bytes()).expect("written");
    let (program, output) = (workspace.work().join("program"), workspace.output().join("program"));
    let request = Request::new("upper program").file("program", program).makes_file("program", &output);
    context.checkout(pool)?.ask(context, &request, text)?;
    Ok(context.workspace()?.read(&output, 1 << 20).expect("a file").expect("it was made"))
}

#[test]
fn a_request_is_staged_and_what_it_makes_comes_back() {
    for namespaces in [Namespaces::WherePossible, Namespaces::Never] {
        if namespaces == Namespaces::Never && !is_root() {
            continue;
        }
        let yard = Yard::held(namespaces);
        let pool = CompilerPool::new(1, echo_compiler());
        let mut agent = yard.agent();
        for (number, source) in ["one", "two", "three"].into_iter().enumerate() {
            let (made, cost) = agent.prepare(|context| upper(context, &pool, source));
            assert_eq!(made, Ok(source.to_uppercase().into_bytes()), "{namespaces:?}");
            let (cold, warm) = (u32::from(number == 0), u32::from(number > 0));
            assert_eq!((cost.cold, cost.warm, cost.pool_wait), (cold, warm, Duration::ZERO), "{namespaces:?}");
        }
        let (files, _) = agent.prepare(|context| {
            let workspace = context.workspace()?;
            let module = workspace.open_module("tools").expect("module");
            std::fs::create_dir(module.join("inner")).expect("folder");
            std::fs::write(module.join("inner/a"), "a").expect("write");
            std::fs::write(module.join("b"), "b").expect("write");
            let to = workspace.output().join("classes");
            let request = Request::new("upper-tree m").tree("m", module).bytes("m/c", *b"c").makes_tree("m", &to);
            context.checkout(&pool)?.ask(context, &request, text)?;
            Ok::<_, PrepareError>(["inner/a", "b", "c"].map(|name| std::fs::read(to.join(name)).expect("made")))
        });
        assert_eq!(files, Ok(["A", "B", "C"].map(|text| text.as_bytes().to_vec())));
        assert_eq!(pool.counts(), Counts { idle: 1, out: 0, waiting: 0, started: 1, retired: 0, lost: 0 });
        drop(pool);
        yard.assert_nothing_is_left();
    }
}

#[test]
fn two_are_lent_at_once_and_the_third_waits_in_line_for_what_another_returns() {
    let yard = Yard::new();
    let pool = CompilerPool::new(2, echo_compiler());
    let both = Barrier::new(3);
    let held = Barrier::new(3);
    let (order, served) = channel();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut agent = yard.agent();
                agent.prepare(|context| {
                    let mut lent = context.checkout(&pool).expect("lent");
                    // Here a request is under way in both of them.
                    let both_out = |answer: &[u8]| {
                        both.wait();
                        held.wait();
                        text(answer)
                    };
                    lent.ask(context, &Request::new("who"), both_out).expect("answered");
                });
            });
        }
        both.wait();
        assert_eq!((pool.counts().out, pool.counts().idle), (2, 0));
        let mut waiting = Vec::new();
        for number in 0..3 {
            let (order, yard, pool) = (order.clone(), &yard, &pool);
            waiting.push(scope.spawn(move || {
                let mut agent = yard.agent();
                let (made, cost) = agent.prepare(|context| {
                    let mut lent = context.checkout(pool)?;
                    order.send(number).expect("heard");
                    lent.ask(context, &Request::new("who"), text)
                });
                (made.expect("answered"), cost)
            }));
            // The next stands behind it.
            while pool.counts().waiting <= number {
                std::thread::yield_now();
            }
        }
        held.wait();
        let costs: Vec<CompileCost> = waiting.into_iter().map(|one| one.join().expect("no panic").1).collect();
        assert!(costs.iter().all(|cost| cost.pool_wait > Duration::ZERO && cost.warm == 1), "{costs:?}");
    });
    // Two places came free at one moment, so the first two may tell of themselves in either order.
    let order: Vec<_> = served.try_iter().collect();
    assert!(order.iter().position(|one| *one == 2) > Some(0), "{order:?}");
    let Counts { started, idle, waiting, .. } = pool.counts();
    assert_eq!((started, idle, waiting), (2, 2, 0), "no more processes than places");
}

#[test]
fn one_place_is_given_in_the_order_of_the_line() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler());
    let (order, served) = channel();
    let mut first = yard.agent();
    std::thread::scope(|scope| {
        first.prepare(|context| {
            let lent = context.checkout(&pool).expect("lent");
            for number in 0..5 {
                let (order, yard, pool) = (order.clone(), &yard, &pool);
                scope.spawn(move || {
                    yard.agent().prepare(|context| {
                        let lent = context.checkout(pool).expect("lent");
                        order.send(number).expect("heard");
                        drop(lent);
                    });
                });
                while pool.counts().waiting <= number {
                    std::thread::yield_now();
                }
            }
            drop(lent);
        });
    });
    drop(order);
    assert_eq!(served.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(pool.counts().started, 1);
}

#[test]
fn an_instance_is_retired_after_its_builds_and_past_its_memory() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler()).retire_after_builds(3);
    let mut agent = yard.agent();
    let instances: Vec<String> = (0..7).map(|_| who(&mut agent, &pool)).collect();
    let changes: Vec<bool> = instances.windows(2).map(|pair| pair[0] != pair[1]).collect();
    assert_eq!(changes, [false, false, true, false, false, true]);
    assert_eq!((pool.counts().retired, pool.counts().started, pool.counts().lost), (2, 3, 0));

    let pool = CompilerPool::new(1, echo_compiler()).retire_past_memory_bytes(64 << 20);
    let before = who(&mut agent, &pool);
    says(&mut agent, &pool, "grow 16");
    assert_eq!(who(&mut agent, &pool), before);
    says(&mut agent, &pool, "grow 80");
    assert_eq!(pool.counts().retired, 1, "read between requests");
    assert_ne!(who(&mut agent, &pool), before);
}

#[test]
fn one_that_dies_or_says_what_is_no_answer_is_replaced_and_the_next_request_knows_nothing_of_it() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler());
    let (mut agent, mut other) = (yard.agent(), yard.agent());
    for (body, end, told) in [
        ("die 7", ToolchainEnd::Exited(7), "it dies with 7"),
        ("signal 11", ToolchainEnd::Signalled(11), "node is null"),
        ("garbage", ToolchainEnd::Garbled, "was due"),
        ("giant", ToolchainEnd::Garbled, "4294967295 bytes"),
        ("stale", ToolchainEnd::Garbled, "was due"),
        ("no such request", ToolchainEnd::Exited(101), "is no request"),
    ] {
        let before = who(&mut other, &pool);
        let failure = fails(&mut agent, &pool, body);
        assert_eq!(failure.end, end, "{body}: {failure}");
        assert!(failure.tail.contains(told) && failure.compiler == "echo-compiler", "{body}: {failure:?}");
        assert!(failure.end.is_death(), "the canary is asked: {body}");
        let (made, cost) = other.prepare(|context| upper(context, &pool, "after"));
        assert_eq!(made, Ok(b"AFTER".to_vec()), "{body}");
        assert_eq!((cost.cold, cost.warm), (1, 0), "a new one: {body}");
        assert_ne!(who(&mut other, &pool), before);
    }
    assert_eq!(pool.counts().lost, 6);
}

#[test]
fn one_that_says_more_than_it_was_asked_never_answers_another_agents_request_with_it() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler());
    let (mut agent, mut other) = (yard.agent(), yard.agent());
    for _ in 0..5 {
        // The second answer may be there with the first, or later.
        let (said, _) = agent.prepare(|context| ask(context, &pool, "twice"));
        assert!(matches!(&said, Ok(said) if said == "once") || said.is_err(), "{said:?}");
        assert_eq!(other.prepare(|context| upper(context, &pool, "b")).0, Ok(b"B".to_vec()));
    }
}

#[test]
fn one_that_hangs_or_says_half_an_answer_is_ended_at_its_time_out() {
    let yard = Yard::new();
    let timeout = Duration::from_millis(300);
    let pool = CompilerPool::new(2, echo_compiler()).timeout(timeout);
    let mut agent = yard.agent();
    // Not within so short a time, perhaps.
    let started = |agent: &mut Agent<'_>| while agent.prepare(|context| ask(context, &pool, "who")).0.is_err() {};
    for body in ["hang", "half"] {
        started(&mut agent);
        let failure = fails(&mut agent, &pool, body);
        assert_eq!(failure.end, ToolchainEnd::TimedOut(timeout), "{body}: {failure}");
        assert!(failure.end.is_death());
        if is_root() {
            assert!(yard.users_at_work().is_empty(), "{body}");
        }
    }
}

#[test]
fn memory_beyond_the_bound_and_a_full_tree_end_it_and_say_so() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler().memory_bytes(128 << 20));
    let failure = fails(&mut yard.agent(), &pool, "hold 140");
    assert_eq!((failure.end, failure.tail.as_str()), (ToolchainEnd::Bound, "128 MiB of memory"));
    let failure = fails(&mut yard.agent(), &pool, "stretch");
    assert_eq!(failure.end, ToolchainEnd::Bound, "{failure}");
    assert!(failure.tail.contains(&(2u64 << 30).to_string()), "{failure}");
}

#[test]
fn another_protocol_and_another_release_are_refused_by_a_sentence_and_ask_no_canary() {
    let yard = Yard::new();
    let mut agent = yard.agent();
    let mut refused = |plan| {
        let pool = CompilerPool::new(1, plan);
        let failure = fails(&mut agent, &pool, "who");
        assert_eq!(failure.end, ToolchainEnd::NotStarted, "{failure}");
        assert_eq!(pool.counts(), Counts { idle: 0, out: 0, waiting: 0, started: 0, retired: 0, lost: 0 });
        failure.tail
    };
    let protocol = refused(echo_compiler().protocol(2));
    assert!(protocol.contains("speaks protocol 1, and this worker speaks 2"), "{protocol}");
    let release = refused(echo_compiler().args(["release=2.4.20"]).release("2.4.21"));
    assert!(release.contains("release 2.4.20, and 2.4.21 is needed"), "{release}");
    let dead = refused(echo_compiler().args(["dies-at-start"]));
    assert!(dead.contains("status 3") && dead.contains("no heap can be had"), "{dead}");
    let garbage = refused(echo_compiler().args(["says-garbage-at-start"]));
    assert!(garbage.contains("does not read"), "{garbage}");
    let missing = refused(gg_worker::language::seam::daemon("/no/such/kotlinc".as_ref()));
    assert!(missing.contains("/no/such/kotlinc"), "{missing}");
    let unknown = CompilerPool::new(1, echo_compiler().release("2.4.21"));
    says(&mut agent, &unknown, "who");
    let pool = CompilerPool::new(1, echo_compiler().args(["hangs-at-start"])).timeout(Duration::from_millis(200));
    let failure = fails(&mut agent, &pool, "who");
    assert!(failure.end == ToolchainEnd::NotStarted && failure.tail.contains("did not end within"), "{failure:?}");
    drop((pool, unknown));
    yard.assert_nothing_is_left();
}

#[test]
fn what_one_request_left_is_not_there_for_the_next() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler());
    let left = says(&mut yard.agent(), &pool, "litter");
    let own = ["left", "deep/er/left", "modules/key/left", "../out/left", "../home/.cache/left", "../tmp/left"];
    assert_eq!(left.split(' ').collect::<Vec<_>>(), own, "and nowhere else");
    let seen = says(&mut yard.agent(), &pool, "files");
    assert_eq!(seen, "");
    assert_eq!(pool.counts().started, 1, "the same instance");
}

#[test]
fn what_is_no_regular_file_does_not_come_back() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler());
    let secret = yard.folder().join("secret");
    std::fs::write(&secret, "secret").expect("write");
    for (link, target) in [("program", secret.as_path()), ("program", "../work/program".as_ref())] {
        let mut agent = yard.agent();
        let (made, _) = agent.prepare(|context| {
            let to = context.workspace()?.output().join("program");
            let body = format!("link {link} {}", target.display());
            let request = Request::new(body).bytes("program", *b"p").makes_file("program", &to);
            let made = context.checkout(&pool)?.ask(context, &request, text);
            assert!(!to.exists());
            made
        });
        let Err(PrepareError::Toolchain(failure)) = made else { panic!("{made:?}") };
        assert_eq!(failure.end, ToolchainEnd::Garbled);
        assert!(failure.tail.contains("program is no regular file"), "{failure}");
    }
    // Nor is a link followed that an agent's own compiler left in its workspace.
    let mut agent = yard.agent();
    let (made, _) = agent.prepare(|context| {
        let workspace = context.workspace()?;
        let link = workspace.work().join("program");
        std::os::unix::fs::symlink(&secret, &link).expect("link");
        let request = Request::new("upper program").file("program", link);
        context.checkout(&pool)?.ask(context, &request, text)
    });
    assert!(made.expect_err("not staged").to_string().contains("no regular file"));
}

#[test]
fn it_reads_neither_an_agents_workspace_nor_the_host_and_its_environment_is_its_own() {
    for namespaces in [Namespaces::WherePossible, Namespaces::Never] {
        if namespaces == Namespaces::Never && !is_root() {
            continue;
        }
        let yard = Yard::held(namespaces);
        let pool = CompilerPool::new(1, echo_compiler());
        let mut agent = yard.agent();
        let (own, _) = agent.prepare(|context| {
            let workspace = context.workspace().expect("workspace");
            workspace.write("program", b"the agent's").expect("written");
            workspace.work().join("program")
        });
        let mut other = yard.agent();
        for path in [own.to_str().expect("a path"), "/etc/hostname", "/etc/shadow", "/proc/self/environ"] {
            let said = says(&mut other, &pool, &format!("read {path}"));
            assert!(said.starts_with("refused: "), "{namespaces:?} {path}: {said}");
        }
        let environment = says(&mut other, &pool, "environment");
        for (name, value) in environment.lines().filter_map(|line| line.split_once('=')) {
            let roots = name == "HOME" || name == "TMPDIR" || name.starts_with("XDG_");
            assert!(roots || ["PATH", "LANG", "TERM", "GIT_CONFIG_NOSYSTEM"].contains(&name), "{name}");
            assert!(!roots || value.starts_with("/w/") || namespaces == Namespaces::Never, "{name}={value}");
        }
    }
}

#[test]
fn grandchildren_end_with_the_request_that_left_them() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler());
    says(&mut yard.agent(), &pool, "grandchildren");
    assert_eq!((pool.counts().retired, pool.counts().idle), (1, 0), "what left something running is not lent again");
    yard.assert_nothing_is_left();
    let mut agent = yard.agent();
    agent.prepare(|context| {
        let mut lent = context.checkout(&pool).expect("lent");
        lent.ask(context, &Request::new("grandchildren"), text).expect("answered");
        lent.ask(context, &Request::new("die 1"), text).expect_err("dead");
        assert!(lent.ask(context, &Request::new("who"), text).expect_err("gone").to_string().contains("check out"));
    });
    drop(pool);
    yard.assert_nothing_is_left();
}

#[test]
fn nothing_is_left_when_a_pool_is_dropped_and_warming_up_is_done_once() {
    let yard = Yard::new();
    let pool = CompilerPool::new(3, echo_compiler());
    let warm = || pool.warm(&yard.site, 2, &[Request::new("upper a").bytes("a", *b"a"), Request::new("grow 1")]);
    warm().expect("warm");
    warm().expect("twice");
    assert_eq!(pool.counts(), Counts { idle: 2, out: 0, waiting: 0, started: 2, retired: 0, lost: 0 });
    assert_eq!(yard.daemon_trees(), 4, "two trees and their locks");
    let (made, cost) = yard.agent().prepare(|context| ask(context, &pool, "files"));
    assert_eq!((made, cost.warm, cost.cold), (Ok(String::new()), 1, 0), "it had compiled before");
    if is_root() {
        assert!(!yard.users_at_work().is_empty());
    }
    drop(pool);
    yard.assert_nothing_is_left();
    let pool = CompilerPool::new(1, echo_compiler());
    pool.warm(&yard.site, 1, &[Request::new("die 3")]).expect_err("it dies");
    assert_eq!((pool.counts().out, pool.counts().lost), (0, 1));
    let spent = CompilerPool::new(2, echo_compiler()).retire_after_builds(1);
    spent.warm(&yard.site, 2, &[Request::new("who")]).expect("warm");
    assert_eq!((spent.counts().started, spent.counts().idle), (2, 0), "it does not go on for ever");
    yard.site.close();
    let ended = pool.warm(&yard.site, 1, &[]).expect_err("the worker ends").to_string();
    assert!(ended.contains("ended with its turn"), "{ended}");
}

#[test]
fn a_request_is_charged_with_the_cpu_time_of_its_own() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler());
    let mut agent = yard.agent();
    let (_, first) = agent.prepare(|context| ask(context, &pool, "burn 200"));
    let (_, idle) = agent.prepare(|context| ask(context, &pool, "who"));
    assert!(first.cpu >= Duration::from_millis(190), "{first:?}");
    assert!(idle.cpu < Duration::from_millis(150), "{idle:?}");
    // What it used is known of one that had to be ended, too.
    let (dead, cost) = agent.prepare(|context| {
        let mut lent = context.checkout(&pool)?;
        lent.ask(context, &Request::new("burn 400"), |_| Err::<(), _>("not for us".to_owned()))
    });
    assert!(dead.expect_err("not read").to_string().contains("not for us"));
    assert!(cost.cpu >= Duration::from_millis(150), "{cost:?}");
}

#[test]
fn a_holder_that_panics_loses_no_place_and_its_request_is_nobodys() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler());
    let before = who(&mut yard.agent(), &pool);
    let panicked = std::thread::scope(|scope| {
        let holder = scope.spawn(|| {
            yard.agent().prepare(|context| {
                let _lent = context.checkout(&pool).expect("lent");
                panic!("between requests");
            });
        });
        holder.join().is_err()
    });
    assert!(panicked);
    assert_eq!(who(&mut yard.agent(), &pool), before, "nothing was under way: it serves on");
    let panicked = std::thread::scope(|scope| {
        let holder = scope.spawn(|| {
            yard.agent().prepare(|context| {
                let mut lent = context.checkout(&pool).expect("lent");
                let _: Result<(), _> = lent.ask(context, &Request::new("litter"), |_| panic!("within a request"));
            });
        });
        holder.join().is_err()
    });
    assert!(panicked);
    let Counts { idle, out, .. } = pool.counts();
    assert_eq!((idle, out), (0, 0), "the place is free, and the instance gone");
    yard.assert_nothing_is_left();
    assert_ne!(who(&mut yard.agent(), &pool), before);
    assert_eq!(says(&mut yard.agent(), &pool, "files"), "");
}

#[test]
fn a_request_beside_one_that_dies_is_not_affected() {
    let yard = Yard::new();
    let pool = CompilerPool::new(2, echo_compiler());
    let together = Barrier::new(2);
    std::thread::scope(|scope| {
        let lives = scope.spawn(|| {
            yard.agent().prepare(|context| {
                let mut lent = context.checkout(&pool)?;
                // The other dies while this one's is under way.
                let read = |answer: &[u8]| {
                    together.wait();
                    together.wait();
                    text(answer)
                };
                lent.ask(context, &Request::new("who"), read)?;
                lent.ask(context, &Request::new("who"), text)
            })
        });
        together.wait();
        fails(&mut yard.agent(), &pool, "signal 9");
        together.wait();
        let said = lives.join().expect("no panic").0.expect("answered");
        assert!(said.ends_with(" 2"), "{said}");
    });
    let Counts { idle, lost, started, .. } = pool.counts();
    assert_eq!((idle, lost, started), (1, 1, 2));
}

#[test]
fn a_death_is_followed_by_the_canary_through_the_same_pool() {
    let yard = Yard::new();
    let pool = CompilerPool::new(1, echo_compiler());
    let mut agent = yard.agent();
    let mut prepare = |body: &str| agent.prepare(|context| ask(context, &pool, body)).0;
    let died = prepare("signal 11");
    let suspected = judge(died, || prepare("who"));
    let Err(PrepareError::Toolchain(failure)) = suspected.prepared else { panic!("no failure") };
    assert_eq!((failure.end, failure.suspect), (ToolchainEnd::Signalled(11), Some(Suspect::Program)));
    assert!(suspected.broken.is_none() && failure.tail.contains("node is null"));
    let died = prepare("signal 11");
    let broken = judge(died, || prepare("die 1"));
    assert!(broken.broken.is_some());
    let Err(PrepareError::Toolchain(failure)) = broken.prepared else { panic!("no failure") };
    assert_eq!(failure.suspect, None);
}
