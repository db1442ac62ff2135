//! The isolation gate over every registered arm, and over preparations that are broken on purpose: it must catch each of
//! those, and pass the correct ones beside them.

use gg_common::arm::Arm;
use gg_tests::ground::{is_root, program};
use gg_tests::isolation::{Fault, Place, Subject, gate, marked_program};
use gg_tests::modules::{caller, key};
use gg_tests::subject::{Agent, Registered, artifacts};
use gg_tests::yard::echo_compiler;
use gg_worker::confine::Settings;
use gg_worker::language::seam::{CompilerPool, Counts, PrepareContext, Request, Site};
use gg_worker::language::{Module, PrepareError, Prepared, language, modules};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

fn site(folder: &Path) -> Site {
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o711)).expect("mode");
    let children = Settings { helper: Some(program("gg-child")), ..Settings::default() };
    let mut site = Site::new(children, folder.join("daemons"), folder.join("shared"));
    site.daemon_uid = 63_000;
    site
}

fn faults(arm: Arm, subject: &dyn Subject) -> Vec<Fault> {
    let folder = tempfile::tempdir().expect("tempdir");
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o711)).expect("mode");
    let daemons = tempfile::tempdir().expect("tempdir");
    let site = site(daemons.path());
    let artifacts = artifacts(arm);
    let base_uid = is_root().then_some(62_000);
    let place = Place { artifacts: &artifacts, folder: folder.path(), site: &site, base_uid };
    let faults = gate(&place, subject).expect("the gate's own folders");
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("list")
        .flat_map(|agent| std::fs::read_dir(agent.expect("entry").path()).expect("list"))
        .collect();
    assert!(left.is_empty(), "a workspace goes with its agent: {left:?}");
    faults
}

/// The module step of a registered arm: an input is a module, and what comes out is a program that calls it.
struct Modules(Registered);

impl Subject for Modules {
    fn prepare(&self, context: &mut PrepareContext<'_>, source: &str) -> Result<Prepared, PrepareError> {
        let (arm, prepare) = (self.0.arm, &*self.0.prepare);
        let module = Module { key: key(arm).to_owned(), source: source.to_owned() };
        modules::module(prepare, context, &module)?;
        modules::program(prepare, context, &caller(arm, "nobody"), &[module])
    }

    fn program(&self, marker: &str) -> String {
        gg_tests::modules::module(self.0.arm, marker)
    }

    fn persistent_work(&self) -> &'static [&'static str] {
        Subject::persistent_work(&self.0)
    }

    fn compiles(&self) -> bool {
        Subject::compiles(&self.0)
    }
}

#[test]
fn what_every_arm_prepares_is_a_function_of_its_input_alone() {
    for arm in Arm::ALL {
        assert_eq!(faults(arm, &Registered::new(arm)), [], "{arm}");
        assert_eq!(faults(arm, &Modules(Registered::new(arm))), [], "{arm}: its modules");
    }
}

/// A preparation that is a copy, by way of a file of its workspace, unless something is wrong with it.
#[derive(Default)]
struct Copying {
    wrong: Option<Wrong>,
    memo: Mutex<HashMap<usize, Vec<u8>>>,
    strategy: Mutex<Vec<u8>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    /// All agents put what they make into one place.
    SharedOutput,
    /// A build keeps what the one before it was told.
    SharedStrategy,
    /// What was made once is given for ever.
    Memoised,
    /// What is kept is kept by something other than the program.
    KeyedOnLength,
    /// What the compiler makes lies where no reset reaches.
    BeyondReset,
}

fn io<T>(result: std::io::Result<T>) -> Result<T, PrepareError> {
    result.map_err(|error| PrepareError::Lowering { binding: None, text: error.to_string() })
}

/// Appends to a file, and gives all of it: as a compiler that adds to what it finds.
fn added(path: &Path, program: &str) -> std::io::Result<Vec<u8>> {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(program.as_bytes())?;
    std::fs::read(path)
}

impl Subject for Copying {
    fn prepare(&self, context: &mut PrepareContext<'_>, program: &str) -> Result<Prepared, PrepareError> {
        let workspace = context.workspace()?;
        let output = workspace.output().join("out");
        let outside = workspace.root().parent().and_then(Path::parent).unwrap_or(Path::new("/")).to_owned();
        let bytes = match self.wrong {
            None => io(added(&output, program))?,
            Some(Wrong::SharedOutput) => io(added(&outside.join("agent-0/out"), program).or_else(|_| {
                std::fs::create_dir_all(outside.join("agent-0"))?;
                added(&outside.join("agent-0/out"), program)
            }))?,
            Some(Wrong::SharedStrategy) => {
                let mut told = self.strategy.lock().expect("lock");
                told.extend_from_slice(program.as_bytes());
                told.clone()
            }
            Some(Wrong::Memoised) => self.kept(0, program),
            Some(Wrong::KeyedOnLength) => self.kept(program.len(), program),
            Some(Wrong::BeyondReset) => {
                let home = workspace.root().join("home/out");
                io(added(&home, program))?
            }
        };
        Ok(Prepared::Source { program: bytes, places: Vec::new(), modules: Vec::new() })
    }

    fn program(&self, marker: &str) -> String {
        // All of one length.
        format!("{marker:-<60}")
    }

    fn compiles(&self) -> bool {
        true
    }
}

impl Copying {
    fn kept(&self, key: usize, program: &str) -> Vec<u8> {
        self.memo.lock().expect("lock").entry(key).or_insert_with(|| program.as_bytes().to_vec()).clone()
    }
}

#[test]
fn the_gate_catches_each_broken_preparation_and_passes_the_correct_ones() {
    assert_eq!(faults(Arm::Python, &Copying::default()), [], "by way of its workspace");
    assert_eq!(faults(Arm::Python, &Registered::new(Arm::Python)), [], "by way of nothing");
    for (wrong, expected) in [
        (Wrong::SharedStrategy, Fault::Foreign),
        (Wrong::Memoised, Fault::Lost),
        (Wrong::KeyedOnLength, Fault::Lost),
        (Wrong::BeyondReset, Fault::Foreign),
    ] {
        let found = faults(Arm::Python, &Copying { wrong: Some(wrong), ..Copying::default() });
        assert!(found.contains(&expected), "{found:?}");
    }
}

/// A preparation that goes wrong by itself.
struct Alone {
    /// Whether it fails, or only does not ask for its workspace.
    fails: bool,
    prepared: AtomicU32,
}

impl Subject for Alone {
    fn prepare(&self, _: &mut PrepareContext<'_>, program: &str) -> Result<Prepared, PrepareError> {
        self.prepared.fetch_add(1, Ordering::Relaxed);
        if self.fails {
            return Err(PrepareError::Lowering { binding: None, text: "by itself".to_owned() });
        }
        Ok(Prepared::Source { program: program.as_bytes().to_vec(), places: Vec::new(), modules: Vec::new() })
    }

    fn program(&self, marker: &str) -> String {
        marker.to_owned()
    }

    fn compiles(&self) -> bool {
        true
    }
}

#[test]
fn what_fails_by_itself_is_a_baseline_failure_and_nothing_is_tried_at_once() {
    let subject = Alone { fails: true, prepared: AtomicU32::new(0) };
    let found = faults(Arm::Python, &subject);
    assert_eq!(found, [Fault::Baseline("lowering failed: by itself".to_owned())]);
    assert_eq!(subject.prepared.into_inner(), 1);
}

#[test]
fn three_are_prepared_one_after_another_and_three_at_once_each_where_it_belongs() {
    let subject = Alone { fails: false, prepared: AtomicU32::new(0) };
    let found = faults(Arm::Python, &subject);
    assert_eq!(found, [Fault::Moved], "what compiles has a workspace, and the same in every turn");
    assert_eq!(subject.prepared.into_inner(), 6);
}

#[test]
fn an_arm_that_compiles_nothing_makes_no_workspace_for_its_programs() {
    for arm in Arm::ALL {
        let subject = Registered::new(arm);
        let mut agent = Agent::new(arm);
        let program = marked_program(arm, "gg-marker");
        let prepared = agent.prepare(&subject, |context| modules::program(&*subject.prepare, context, &program, &[]));
        assert!(prepared.is_ok(), "{arm}: {prepared:?}");
        assert_eq!(agent.workspace().is_some(), language(arm).checker().is_some(), "{arm}");
    }
}

/// A preparation by a pool of two warm compilers.
struct Pooled {
    pool: CompilerPool,
    /// What they are asked.
    body: &'static str,
}

impl Pooled {
    fn new(body: &'static str) -> Pooled {
        Pooled { pool: CompilerPool::new(2, echo_compiler()), body }
    }
}

impl Subject for Pooled {
    fn prepare(&self, context: &mut PrepareContext<'_>, program: &str) -> Result<Prepared, PrepareError> {
        let workspace = context.workspace()?;
        io(workspace.write("program", program.as_bytes()))?;
        let output = workspace.output().join("program");
        let request = Request::new(self.body)
            .file("program", workspace.work().join("program"))
            .makes_file("program", output.clone());
        context.checkout(&self.pool)?.ask(context, &request, |_| Ok(()))?;
        let made = io(context.workspace()?.read(&output, 1 << 20))?;
        Ok(Prepared::Source {
            program: made.unwrap_or_default().to_ascii_lowercase(),
            places: Vec::new(),
            modules: Vec::new(),
        })
    }

    fn program(&self, marker: &str) -> String {
        format!("{marker}\n")
    }

    fn compiles(&self) -> bool {
        true
    }
}

#[test]
fn the_gate_passes_a_pool_of_two_and_catches_warm_compilers_that_keep_the_last_request() {
    let correct = Pooled::new("upper program");
    assert_eq!(faults(Arm::Javascript, &correct), []);
    let Counts { started, lost, idle, .. } = correct.pool.counts();
    assert_eq!((started, lost, idle), (2, 0, 2), "the third was handed one that another returned");
    let found = faults(Arm::Javascript, &Pooled::new("upper-and-keep program"));
    assert!(found.contains(&Fault::Foreign), "{found:?}");
}

#[test]
fn the_gate_catches_a_shared_output_tree() {
    let folder = tempfile::tempdir().expect("tempdir");
    let (site, artifacts) = (site(folder.path()), artifacts(Arm::Python));
    let place = Place { artifacts: &artifacts, folder: folder.path(), site: &site, base_uid: None };
    let subject = Copying { wrong: Some(Wrong::SharedOutput), ..Copying::default() };
    assert!(gate(&place, &subject).expect("the gate's own folders").contains(&Fault::Foreign));
}
