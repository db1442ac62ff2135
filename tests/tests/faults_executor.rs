//! Executors that break, are killed or are left alone: a turn is tried again or ends with a clear sentence, nothing of the
//! tree before it is lost, and nothing stays behind.

use gg_common::arm::Arm;
use gg_common::outcome::{Outcome, Suspect};
use gg_tests::ground::{Agent, Ground, failure, is_root, log, processes_of, usual_way, wait_until};
use std::time::Duration;

/// How it breaks, what the operator reads, and whether the program is suspected.
const BROKEN: &[(&str, &str, Option<Suspect>)] = &[
    ("dies-at-start", "ended before it was ready: exit status 3", None),
    ("says-garbage-at-start", "ended before it was ready", None),
    ("refuses-its-agent", "there is no kernel here", None),
    ("dies", "exit status 1", Some(Suspect::Program)),
    ("says-garbage", "died twice", Some(Suspect::Program)),
    ("states-a-giant-frame", "died twice", Some(Suspect::Program)),
    ("states-an-empty-frame", "died twice", Some(Suspect::Program)),
    ("is-ready-again", "it sent a Ready frame", Some(Suspect::Program)),
    ("replies-to-nothing", "it sent a Reply frame", Some(Suspect::Program)),
    ("ends-without-a-word", "its last word does not read", Some(Suspect::Program)),
    ("ends-with-garbage", "its last word does not read", Some(Suspect::Program)),
    ("ends-too-long", "its last word is longer than its bounds", Some(Suspect::Program)),
    ("calls-what-is-in-no-table", "a call that is in no table", Some(Suspect::Program)),
    ("calls-nothing", "a call that is in no table", Some(Suspect::Program)),
    ("fails-at-length", "xxxx", Some(Suspect::Program)),
    ("says-it-failed", "the farm is on fire", Some(Suspect::Program)),
];

#[test]
fn an_executor_that_breaks_its_contract_costs_its_own_turn_only() {
    let ground = Ground::new(usual_way());
    let mut spec = ground.spec(&[Arm::Javascript]);
    for (how, sentence, suspect) in BROKEN {
        let program = ground.file(how);
        std::fs::hard_link(ground.file("broken-executor"), &program).expect("link");
        spec.executor_program = Some(program);
        let worker = ground.start(&spec).expect("a worker");
        let result = Agent::new("main", Arm::Javascript).turn(&worker, "console.log(1)");
        let Outcome::Internal { error_text, suspect: found } = &result.outcome else {
            panic!("{how}: {:?}", result.outcome)
        };
        assert!(error_text.contains(sentence), "{how}: {error_text}");
        assert!(error_text.len() < 5_000, "{how}: {} bytes", error_text.len());
        assert_eq!(found, suspect, "{how}");
    }
}

#[test]
fn an_executor_that_keeps_silent_meets_the_wall_bound() {
    let ground = Ground::new(usual_way());
    let mut spec = ground.spec(&[Arm::Javascript]);
    for how in ["never-reads", "sends-half-a-frame", "calls-and-never-reads"] {
        let program = ground.file(how);
        std::fs::hard_link(ground.file("broken-executor"), &program).expect("link");
        spec.executor_program = Some(program);
        let worker = ground.start(&spec).expect("a worker");
        let mut agent = Agent::new("main", Arm::Javascript);
        agent.profile().limits.program_wall_ms = 1_500;
        // Longer than a socket holds: the worker must not wait for a reader.
        let source = format!("console.log(1) // {}", "x".repeat(1_000_000));
        let result = agent.turn(&worker, &source);
        let text = failure(&result);
        assert!(text.starts_with("program_timeout") && text.contains("programWallMs"), "{how}: {text}");
    }
}

#[test]
fn an_executor_that_ends_twice_ends_the_next_turn_at_most() {
    let ground = Ground::new(usual_way());
    let mut spec = ground.spec(&[Arm::Javascript]);
    let program = ground.file("ends-twice");
    std::fs::hard_link(ground.file("broken-executor"), &program).expect("link");
    spec.executor_program = Some(program);
    let worker = ground.start(&spec).expect("a worker");
    let mut agent = Agent::new("main", Arm::Javascript);
    agent.profile().limits.program_wall_ms = 1_500;
    for _ in 0..2 {
        let result = agent.turn(&worker, "console.log(1)");
        assert_eq!(result.outcome, Outcome::Completed, "{}", failure(&result));
    }
    // It has no word left, and reads no more.
    let result = agent.turn(&worker, "console.log(1)");
    assert!(failure(&result).starts_with("program_timeout"), "{}", failure(&result));
}

/// A generator whose seed is told, so that a failure can be had again.
struct Random(u64);

impl Random {
    fn new() -> Random {
        let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
        let given = std::env::var("GG_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or(time.as_nanos() as u64 | 1);
        eprintln!("GG_TEST_SEED={seed}");
        Random(seed)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

fn is_gone(pid: &u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.is_empty() || status.contains("State:\tZ")
}

fn kill(pid: u32) {
    // SAFETY: takes plain numbers.
    unsafe { libc::kill(pid as i32, libc::SIGKILL) };
}

#[test]
fn an_executor_that_is_killed_at_any_point_of_a_turn_costs_nothing() {
    let mut random = Random::new();
    let ground = Ground::new(usual_way());
    let worker = ground.worker(&[Arm::Javascript]);
    let mut agent = Agent::new("main", Arm::Javascript);
    let mut neighbour = Agent::new("neighbour", Arm::Javascript);
    agent.completes(&worker, "import { writeFile } from 'gg/files'; writeFile('count', '0')");
    const TURN: &str = "import * as files from 'gg/files';
const count = Number(files.readTextFile('count')) + 1;
files.writeFile('count', String(count));
for (let n = 0; n < 60; n++) files.writeFile(`f${n % 7}`, 'x'.repeat(n));
console.log(count);";
    for number in 1..=60u32 {
        let job = agent.job(TURN);
        let waiting = worker.begin(&job);
        std::thread::sleep(Duration::from_micros(random.below(60_000)));
        // One that runs a program or waits for its agent's next, or one that waits for an agent.
        let executors = worker.executors();
        let killed = (!executors.is_empty()).then(|| executors[random.below(executors.len() as u64) as usize]);
        killed.into_iter().for_each(kill);
        let result = waiting.recv_timeout(gg_tests::ground::PATIENCE).expect("the turn ends");
        assert_eq!(result.outcome, Outcome::Completed, "turn {number}: {}", failure(&result));
        assert_eq!(log(&result).trim(), number.to_string(), "each turn counted once");
        *agent.tree() = result.tree;
        // A second death in the turn after this one would be its second.
        wait_until("it is gone", || killed.iter().all(is_gone));
        assert_eq!(neighbour.completes(&worker, "console.log('well')").trim(), "well");
    }
}

#[test]
fn a_worker_that_is_killed_leaves_nothing_running() {
    const STAYS: &[(Arm, &str)] = &[
        (Arm::Javascript, "for (;;) {}"),
        (Arm::Python, "import time\ntime.sleep(25)"),
        (Arm::Python, "open('fifo')"),
        (Arm::Python, "from gg import shell\nshell.shell('sleep 1000 & setsid sleep 1000 & sleep 1000')"),
        (Arm::Python, "import os\nwhile True: open('/tmp/f', 'w').write('x' * 100_000)"),
    ];
    let ground = Ground::new(usual_way());
    let mut worker = ground.worker(&[Arm::Python, Arm::Javascript]);
    let mut agents = Vec::new();
    for (number, (arm, source)) in STAYS.iter().enumerate() {
        let mut agent = Agent::new(&format!("stays{number}"), *arm);
        let idle = if *arm == Arm::Python { "pass" } else { "" };
        agent.completes(&worker, &format!("{idle}{}", if *arm == Arm::Python { "" } else { "1" }));
        let fifo = ground.tree(number as u32).join("fifo");
        let fifo = std::ffi::CString::new(fifo.display().to_string()).expect("path");
        // SAFETY: the string outlives the call.
        unsafe { libc::mkfifo(fifo.as_ptr(), 0o666) };
        let job = agent.job(source);
        agents.push((agent, worker.begin(&job)));
    }
    let uids: Vec<u32> = (0..STAYS.len() as u32).map(|home| ground.agent_uid(home)).collect();
    let mut started = Vec::new();
    wait_until("all of them run", || {
        started = worker.executors();
        let busy = !is_root() || processes_of(uids[3]).len() >= 4;
        started.len() > STAYS.len() && busy
    });
    worker.kill();
    wait_until("no executor and no helper stays", || started.iter().all(is_gone));
    if is_root() {
        wait_until("no process of an agent's stays", || uids.iter().all(|uid| processes_of(*uid).is_empty()));
    }
    // What it left on the disk is in nobody's way.
    let worker = ground.worker(&[Arm::Javascript]);
    let said = Agent::new("next", Arm::Javascript)
        .completes(&worker, "import { listDir } from 'gg/files'; console.log(JSON.stringify(listDir()))");
    assert_eq!(said.trim(), "[]");
}
