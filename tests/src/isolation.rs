//! The isolation gate: what a preparation gives is a function of its input alone. It drives a preparation in two phases,
//! three wide, each input with a marker of its own within a call's argument, and looks for the markers in what comes out.
//!
//! One agent after another's turn: three inputs in one workspace. Agents at once: three workspaces, let go together.

use crate::subject::Registered;
use gg_common::arm::Arm;
use gg_worker::artifacts::ArtifactSet;
use gg_worker::language::seam::{Ground, PrepareContext, Site, Workspace};
use gg_worker::language::{PrepareError, Prepared, language, modules};
use std::path::{Path, PathBuf};
use std::sync::Barrier;

/// How many inputs a phase has: a leftover of the turn before, and of the one before that.
const WIDE: usize = 3;

/// What the gate drives.
pub trait Subject: Sync {
    /// Prepares a program in the context's workspace.
    fn prepare(&self, context: &mut PrepareContext<'_>, program: &str) -> Result<Prepared, PrepareError>;

    /// A program that holds the marker within a call's argument.
    fn program(&self, marker: &str) -> String;

    /// The entries of the working directory that outlive a preparation.
    fn persistent_work(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether it prepares in a workspace at all.
    fn compiles(&self) -> bool;
}

impl Subject for Registered {
    fn prepare(&self, context: &mut PrepareContext<'_>, program: &str) -> Result<Prepared, PrepareError> {
        modules::program(&*self.prepare, context, program, &[])
    }

    fn program(&self, marker: &str) -> String {
        marked_program(self.arm, marker)
    }

    fn persistent_work(&self) -> &'static [&'static str] {
        self.prepare.persistent_work()
    }

    fn compiles(&self) -> bool {
        language(self.arm).checker().is_some()
    }
}

/// What the gate found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// An input does not prepare by itself: nothing is said of the rest.
    Baseline(String),
    /// An input does not prepare beside others.
    Contended(String),
    /// What came out lacks its own marker.
    Lost,
    /// What came out holds another's marker.
    Foreign,
    /// One agent was handed two workspaces.
    Moved,
    /// Two agents were handed one workspace.
    Shared,
}

/// What a subject is driven on.
#[derive(Debug)]
pub struct Place<'a> {
    /// The arm's artifacts.
    pub artifacts: &'a ArtifactSet,
    /// A folder that workspaces are made in.
    pub folder: &'a Path,
    /// How children are started, and where long-lived compilers live.
    pub site: &'a Site,
    /// The first user of agents, where there are users to give.
    pub base_uid: Option<u32>,
}

fn marker(phase: &str, number: usize) -> String {
    // Found in no library, and none is within another.
    format!("gg-marker-{phase}-{number}-{}", ["ostrich", "walrus", "kestrel"][number % WIDE])
}

fn holds(prepared: &Prepared, marker: &str) -> bool {
    let modules = prepared.modules().iter().map(|(_, source)| &source[..]);
    modules.chain([prepared.bytes()]).any(|bytes| bytes.windows(marker.len()).any(|part| part == marker.as_bytes()))
}

/// The faults of one output among all markers.
fn read_back(prepared: &Prepared, own: &str, others: &[String]) -> Vec<Fault> {
    let lost = (!holds(prepared, own)).then_some(Fault::Lost);
    let foreign = others.iter().any(|other| other != own && holds(prepared, other)).then_some(Fault::Foreign);
    lost.into_iter().chain(foreign).collect()
}

/// One agent: its workspace, and where that lies.
struct Agent {
    folder: PathBuf,
    owner: Option<(u32, u32)>,
    workspace: Option<Workspace>,
}

impl Agent {
    fn new(place: &Place<'_>, number: u32) -> std::io::Result<Agent> {
        let folder = place.folder.join(format!("agent-{number}"));
        std::fs::create_dir(&folder)?;
        let owner = place.base_uid.map(|base| (base + number, base + number));
        Ok(Agent { folder, owner, workspace: None })
    }

    /// Prepares, and says where.
    fn prepare(
        &mut self,
        place: &Place<'_>,
        subject: &dyn Subject,
        program: &str,
    ) -> (Result<Prepared, PrepareError>, Option<PathBuf>) {
        let ground = Ground {
            site: place.site,
            folder: &self.folder,
            owner: self.owner,
            artifacts: place.artifacts,
            objects: None,
        };
        let mut context = PrepareContext::mint(&ground, &mut self.workspace, subject.persistent_work());
        let prepared = subject.prepare(&mut context, program);
        (prepared, self.workspace.as_ref().map(|workspace| workspace.root().to_owned()))
    }
}

/// Drives the subject; gives what is wrong with it, each kind once.
pub fn gate(place: &Place<'_>, subject: &dyn Subject) -> std::io::Result<Vec<Fault>> {
    let mut faults = one_after_another(place, subject)?;
    if !faults.iter().any(|fault| matches!(fault, Fault::Baseline(_))) {
        faults.extend(at_once(place, subject)?);
    }
    faults.dedup();
    Ok(faults)
}

fn one_after_another(place: &Place<'_>, subject: &dyn Subject) -> std::io::Result<Vec<Fault>> {
    let markers: Vec<String> = (0..WIDE).map(|number| marker("turn", number)).collect();
    let mut agent = Agent::new(place, 0)?;
    let (mut faults, mut paths) = (Vec::new(), Vec::new());
    for own in &markers {
        let (prepared, path) = agent.prepare(place, subject, &subject.program(own));
        match prepared {
            Ok(prepared) => faults.extend(read_back(&prepared, own, &markers)),
            Err(error) => return Ok(vec![Fault::Baseline(error.to_string())]),
        }
        paths.push(path);
    }
    if subject.compiles() && (paths[0].is_none() || paths.iter().any(|path| *path != paths[0])) {
        faults.push(Fault::Moved);
    }
    Ok(faults)
}

fn at_once(place: &Place<'_>, subject: &dyn Subject) -> std::io::Result<Vec<Fault>> {
    let markers: Vec<String> = (0..WIDE).map(|number| marker("agent", number)).collect();
    let mut agents = (1..=WIDE as u32).map(|number| Agent::new(place, number)).collect::<Result<Vec<_>, _>>()?;
    let together = Barrier::new(WIDE);
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = agents
            .iter_mut()
            .zip(&markers)
            .map(|(agent, own)| {
                let together = &together;
                scope.spawn(move || {
                    let program = subject.program(own);
                    together.wait();
                    agent.prepare(place, subject, &program)
                })
            })
            .collect();
        running.into_iter().map(|one| one.join().expect("no preparation panics")).collect()
    });
    let mut faults = Vec::new();
    for ((prepared, path), own) in outcomes.iter().zip(&markers) {
        match prepared {
            Ok(prepared) => faults.extend(read_back(prepared, own, &markers)),
            Err(error) => faults.push(Fault::Contended(error.to_string())),
        }
        let shared = outcomes.iter().filter(|(_, other)| path.is_some() && other == path).count() > 1;
        faults.extend(shared.then_some(Fault::Shared));
    }
    Ok(faults)
}

/// A whole program of an arm that shows a text: the marker is that text. An arm without one here does not compile.
pub fn marked_program(arm: Arm, marker: &str) -> String {
    match arm {
        Arm::Javascript => format!("import {{ openText }} from \"gg/views\";\nopenText(\"marker\", \"{marker}\");\n"),
        Arm::Python => format!("from gg import views\nviews.open_text(\"marker\", \"{marker}\")\n"),
        Arm::Typescript => format!(
            "import {{ openText }} from \"gg/views\";\nconst marker: string = \"{marker}\";\nopenText(\"marker\", marker);\n"
        ),
        Arm::Rust => format!(
            "fn main() -> Result<(), gg::Failure> {{\n    gg::views::open_text(\"marker\", \"{marker}\")?;\n    Ok(())\n}}\n"
        ),
    }
}
