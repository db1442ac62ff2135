//! What an agent keeps: how it travels, and where the model reads it.

use super::*;
use gg_common::content::ContentKey;
use gg_common::job::{Follows, ProgramRun, View, ViewKind};
use gg_common::memory_store::{MemoryChange, StoredMemory};
use gg_common::state::{Carried, Memory, State, Task, TaskStatus, TurnRange, TurnRanges, ViewKey};

/// The most that a job may have, in bytes.
const MOST_JOB_BYTES: usize = 64 * 1024;

fn unpacked(job: &TurnJob, objects: &gg_common::objects::Objects) -> State {
    // Objects are read outside the runtime, as a worker reads them.
    let (state, objects) = (job.state.clone(), objects.clone());
    std::thread::spawn(move || state.unpack_blocking(&objects).expect("state")).join().expect("thread")
}

/// What an agent that throws nothing away does in a turn.
fn piles_up(job: &TurnJob) -> Vec<TurnResult> {
    let mut result = completed(job);
    let turn = job.turn;
    for number in 0..3 {
        let view = View {
            kind: ViewKind::File,
            selector: format!("src/deep/folder/of/turn/{turn}/file-{number}.txt"),
            region: Some("lines 100-200 of 3000".to_owned()),
            tokens: 1_000,
            body: Body::Inline("shown".to_owned()),
        };
        result.effects.push(Effect::ViewOpened { view });
    }
    let id = format!("task-{turn}");
    let title = "Something that is to be done some day".to_owned();
    let task =
        Task { id, title, description: Some("more ".repeat(100)), status: TaskStatus::Pending, blocked_by: vec![] };
    let memory = Memory {
        name: format!("memory-{turn}"),
        description: "what it is about, in a line".to_owned(),
        chars: 2_000,
        body: ContentKey::of(turn.to_string().as_bytes()),
        on_use: None,
        code: None,
    };
    result.effects.extend([Effect::TaskWritten { task }, Effect::MemoryWritten { memory }]);
    vec![result]
}

#[tokio::test]
async fn a_job_stays_small_at_turn_500() {
    let place = tempfile::tempdir().expect("tempdir");
    let jobs: Arc<Mutex<Vec<TurnJob>>> = Arc::default();
    let seen = jobs.clone();
    let answer = move |job: &TurnJob| {
        seen.lock().expect("lock").push(job.clone());
        piles_up(job)
    };
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let (clock, house) = (TestClock::default(), &farm.house);
    let folder = RunFolder::make(&place.path().join("runs"), &clock).expect("folder");
    let source = "x".repeat(30_000);
    let model = Scripted::new((1..=500).map(|turn| reply(format!("{turn} {source}").as_bytes())).collect());
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let mut plan = plan(Ceilings { turns: 501, ..Ceilings::default() });
    plan.profile.memories.strategy = gg_common::profile::MemoryStrategy::Markdown;
    let session = session(house, &model, &plan, &folder, &clock, interrupt);
    let outcome = session.run().await;
    assert!(matches!(outcome.left, Left::Ended(Ending::ScriptEnded)), "{:?}", outcome.left);
    let jobs = jobs.lock().expect("lock").clone();
    assert_eq!(jobs.len(), 500);
    let longest = jobs.iter().map(|job| serde_json::to_vec(job).expect("json").len()).max().expect("jobs");
    assert!(longest < MOST_JOB_BYTES, "{longest}");
    let state = unpacked(&jobs[499], &house.objects);
    assert_eq!((state.programs.len(), state.thread.entries.len()), (499, 499));
    assert_eq!((state.views.iter().count(), state.tasks.len(), state.memories.len()), (3 * 499, 499, 499));
    let objects = house.objects.clone();
    let programs = std::thread::spawn(move || state.programs.all_blocking(&objects)).join().expect("thread");
    assert_eq!(
        programs.expect("pages").iter().map(|program| program.turn).collect::<Vec<_>>(),
        (1..500).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn what_is_archived_leaves_the_window_and_its_messages_are_objects() {
    let place = tempfile::tempdir().expect("tempdir");
    let jobs: Arc<Mutex<Vec<TurnJob>>> = Arc::default();
    let seen = jobs.clone();
    let answer = move |job: &TurnJob| {
        seen.lock().expect("lock").push(job.clone());
        let mut result = answer(job).remove(0);
        match job.turn {
            1 => result.effects.push(view("stays", None, "still here")),
            2 => result.effects.push(view("goes", None, "gone")),
            3 => result
                .effects
                .push(Effect::ThreadArchived { turns: TurnRanges::from_iter([TurnRange { first: 1, last: 2 }]) }),
            4 => result.effects.push(Effect::ViewClosed {
                view: ViewKey { kind: ViewKind::Text, selector: "goes".into(), region: None },
            }),
            _ => {}
        }
        vec![result]
    };
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let (clock, house) = (TestClock::default(), &farm.house);
    let folder = RunFolder::make(&place.path().join("runs"), &clock).expect("folder");
    let replies = ["one", "two", "three", "four", "finish"].map(|text| reply(text.as_bytes())).to_vec();
    let model = Whole { script: Scripted::new(replies), read: Mutex::default() };
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let plan = plan(Ceilings::default());
    let session = session(house, &model, &plan, &folder, &clock, interrupt);
    assert!(matches!(session.run().await.left, Left::Ended(Ending::Finished { .. })));
    let read = model.read.into_inner().expect("lock");
    let texts = |turn: usize| read[turn - 1][2..].join("\n--\n");
    assert!(texts(3).starts_with("one\n--\n<view"));
    let archived = texts(4);
    assert!(archived.starts_with("three\n--\n<view"), "the archived turns are gone: {archived}");
    assert!(archived.contains("still here") && archived.contains("gone"), "what they show moved: {archived}");
    assert!(
        archived.ends_with("Turns 1-2 left this conversation. `context.search_archive` finds what was said in them."),
        "{archived}"
    );
    let closed = texts(5);
    assert!(closed.contains("(The text view `goes` that stood here was closed in turn 4.)"), "{closed}");
    assert!(closed.contains("still here"));

    let state = unpacked(&jobs.lock().expect("lock")[4], &house.objects);
    let entry = state.thread.entries.recent()[0].clone();
    assert_eq!(&house.objects.get(&entry.reply).await.expect("reply")[..], b"one");
    let shown = house.objects.get(&entry.shown).await.expect("shown");
    assert!(String::from_utf8_lossy(&shown).contains("still here"));
    assert!(entry.tokens > 0 && state.thread.archived.contains(2));
}

/// A scripted model that keeps all that it was given to read.
struct Whole {
    script: Scripted,
    read: Mutex<Vec<Vec<String>>>,
}

#[async_trait]
impl Model for Whole {
    async fn reply(&self, request: Request<'_>) -> Result<Option<ModelReply>, ModelError> {
        let texts = request.messages.iter().map(|message| message.text.to_string()).collect();
        self.read.lock().expect("lock").push(texts);
        self.script.reply(request).await
    }
}

#[tokio::test]
async fn tasks_and_memories_stand_at_the_end_of_what_is_read_last() {
    let place = tempfile::tempdir().expect("tempdir");
    let answer = |job: &TurnJob| {
        let mut result = completed(job);
        if job.turn == 1 {
            for (id, blocked_by) in [("a", vec![]), ("b", vec!["a".to_owned()])] {
                let title = format!("Do {id}");
                let task = Task { id: id.into(), title, description: None, status: TaskStatus::Pending, blocked_by };
                result.effects.push(Effect::TaskWritten { task });
            }
        }
        vec![result]
    };
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let (clock, house) = (TestClock::default(), &farm.house);
    let change = MemoryChange::Written(StoredMemory {
        name: "style".into(),
        description: "how to write".into(),
        body: "Short sentences.\n".into(),
        on_use: None,
        code: None,
    });
    house.memories.apply("s", &gg_common::job::RunId("r0".into()), 1, &[change]).await.expect("stored");
    let folder = RunFolder::make(&place.path().join("runs"), &clock).expect("folder");
    let model = Whole {
        script: Scripted::new(["one", "two"].map(|text| reply(text.as_bytes())).to_vec()),
        read: Mutex::default(),
    };
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let mut plan = plan(Ceilings::default());
    plan.profile.memories.store = Some("s".into());
    let session = session(house, &model, &plan, &folder, &clock, interrupt);
    session.run().await;
    let read = model.read.into_inner().expect("lock");
    let memory = "# Your memories\n\n<memory name=\"style\" description=\"how to write\">\nShort sentences.\n</memory>";
    assert!(read[0][1].starts_with("# Task") && read[0][1].ends_with(memory), "{}", read[0][1]);
    assert!(!read[1][1].contains("style"), "it stands once, at the end");
    let tasks = "# Your tasks\n\n- `a` (pending): Do a\n- `b` (pending, waits for `a`): Do b\n\n";
    assert!(read[1][3].ends_with(&format!("{tasks}{memory}")), "{}", read[1][3]);
}

#[tokio::test]
async fn a_store_takes_each_turns_changes_and_gives_them_to_the_next_run() {
    let place = tempfile::tempdir().expect("tempdir");
    let objects =
        gg_common::objects::Objects::in_folder(&place.path().join("objects"), Default::default()).expect("objects");
    let body = objects.put(&b"remember me"[..]).await.expect("put");
    let states: Arc<Mutex<Vec<Carried>>> = Arc::default();
    let seen = states.clone();
    let answer = move |job: &TurnJob| {
        seen.lock().expect("lock").push(job.state.clone());
        let mut result = answer(job).remove(0);
        if source(job) == "write" {
            let (name, description) = ("m".to_owned(), "d".to_owned());
            let memory = Memory { name, description, chars: 11, body, on_use: None, code: None };
            result.effects.push(Effect::MemoryWritten { memory });
        }
        if source(job).starts_with("delete") {
            result.effects.push(Effect::MemoryDeleted { name: "m".to_owned() });
        }
        vec![result]
    };
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let (clock, house) = (TestClock::default(), &farm.house);
    let mut plan = plan(Ceilings::default());
    plan.profile.memories.store = Some("s".into());
    for replies in [["write", "finish"], ["look", "delete finish"], ["look", "finish"]] {
        let folder = RunFolder::make(&place.path().join("runs"), &clock).expect("folder");
        clock.advance_ms(1);
        let model = Scripted::new(replies.map(|text| reply(text.as_bytes())).to_vec());
        let (_asked, interrupt) = watch::channel(Interrupt::None);
        let session = session(house, &model, &plan, &folder, &clock, interrupt);
        assert!(matches!(session.run().await.left, Left::Ended(Ending::Finished { .. })));
    }
    let states = states.lock().expect("lock").clone();
    let names = |state: &Carried| match state {
        Carried::Inline(state) => state.memories.iter().map(|memory| memory.name.clone()).collect::<Vec<_>>(),
        Carried::Object { .. } => panic!("it is short"),
    };
    let none: Vec<String> = Vec::new();
    let all: Vec<_> = states.iter().map(names).collect();
    let m = || vec!["m".to_owned()];
    assert_eq!(all, [none.clone(), m(), m(), m(), none.clone(), none]);
}

#[tokio::test]
async fn what_followed_a_reply_is_counted_and_its_errors_are_read() {
    let place = tempfile::tempdir().expect("tempdir");
    let failed = |error_text: &str| TurnOutcome::Failed {
        error_type: ProgramError::Error,
        error_text: error_text.to_owned(),
        location: None,
        exit_code: None,
    };
    let run = |follows, outcome, not_run| ProgramRun {
        follows,
        source: Body::Inline("second()".to_owned()),
        lines: 1,
        chars: 8,
        outcome,
        not_run,
        log: Body::Inline(String::new()),
        log_dropped_bytes: 0,
        stderr: String::new(),
        returned: None,
        duration_ms: 0.0,
        compile_wait_ms: 0.0,
    };
    let states: Arc<Mutex<Vec<Carried>>> = Arc::default();
    let seen = states.clone();
    let answer = move |job: &TurnJob| {
        seen.lock().expect("lock").push(job.state.clone());
        let mut result = completed(job);
        if job.turn == 1 {
            result.outcome = failed("NameError: second");
            let skill = || Follows::Skill { name: "release".to_owned() };
            result.followed = vec![
                run(Follows::Rerun, result.outcome.clone(), false),
                run(skill(), failed("ValueError: in the script"), false),
                run(skill(), failed("The script did not run."), true),
            ];
        }
        vec![result]
    };
    let farm = TestFarm::start(place.path(), Arc::new(answer)).await;
    let (clock, house) = (TestClock::default(), &farm.house);
    let folder = RunFolder::make(&place.path().join("runs"), &clock).expect("folder");
    let model = Whole {
        script: Scripted::new(["one", "two"].map(|text| reply(text.as_bytes())).to_vec()),
        read: Mutex::default(),
    };
    let (_asked, interrupt) = watch::channel(Interrupt::None);
    let plan = plan(Ceilings::default());
    let session = session(house, &model, &plan, &folder, &clock, interrupt);
    let summary = session.run().await.summary.expect("summary");
    assert_eq!((summary.turns, summary.code_executions), (2, 4));
    let read = model.read.into_inner().expect("lock");
    let wanted = "Program error, in the program that ran in its place:\n\nNameError: second\n\nError of the on-use script of the skill `release`:\n\nValueError: in the script\n";
    assert!(read[1][3].starts_with(wanted), "{}", read[1][3]);
    let Carried::Inline(state) = &states.lock().expect("lock")[1] else { panic!("it is short") };
    let program = &state.programs.recent()[0];
    assert_eq!((program.source, program.chars, program.ok), (ContentKey::of(b"second()"), 8, false));
}
