//! The gates over builds of code modules. One counts: after the reads, no program's preparation builds a module again, and
//! no file that a read left is touched. One hands a program step a module that the arm's compiler refuses and no build is
//! recorded for, and reads the band back: the failure is ours and names the module, never the model's.

use crate::modules::{caller, key, module};
use crate::subject::{Agent, Subject, files_in};
use gg_common::arm::Arm;
use gg_common::content::ContentKey;
use gg_worker::language::{Module, PrepareError, Prepared};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// How many programs are prepared after the reads.
const PROGRAMS: usize = 3;

/// What the counting gate found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Something did not prepare: nothing is said of the rest.
    Baseline(String),
    /// Programs had modules built again.
    Rebuilt {
        /// Builds after the reads.
        before: u64,
        /// Builds after the programs.
        after: u64,
    },
    /// A program's preparation touched what a read had left.
    Touched(PathBuf),
    /// The reads left nothing that a turn can reach, although the arm names a checker.
    NoWork,
}

/// What stands of a file: its content, its inode and its time.
type Reading = (ContentKey, u64, i64, i64);

fn readings(agent: &Agent, subject: &dyn Subject) -> BTreeMap<PathBuf, Reading> {
    let Some(workspace) = agent.workspace() else { return BTreeMap::new() };
    let bands = ["modules"].iter().chain(subject.persistent_work()).map(|entry| workspace.work().join(entry));
    let files = bands.flat_map(|band| files_in(&band));
    files
        .filter_map(|file| {
            let (meta, bytes) = (file.metadata().ok()?, std::fs::read(&file).ok()?);
            Some((file, (ContentKey::of(&bytes), meta.ino(), meta.mtime(), meta.mtime_nsec())))
        })
        .collect()
}

/// Loads two modules, then prepares program after program; gives what is wrong with a subject that `compiles` or does not.
pub fn count(arm: Arm, subject: &dyn Subject, compiles: bool) -> Vec<Fault> {
    let mut agent = Agent::new(arm);
    let scope = [
        Module { key: key(arm).to_owned(), source: module(arm, "hello") },
        Module { key: "other".to_owned(), source: module(arm, "goodbye") },
    ];
    for module in &scope {
        if let Err(error) = agent.prepare(subject, |context| subject.module(context, module)) {
            return vec![Fault::Baseline(error.to_string())];
        }
    }
    let builds = |agent: &Agent| agent.workspace().map_or(0, |workspace| workspace.builds());
    let (before, left) = (builds(&agent), readings(&agent, subject));
    let mut handed = false;
    for number in 0..PROGRAMS {
        let source = caller(arm, &format!("nobody {number}"));
        match agent.prepare(subject, |context| subject.program(context, &source, &scope)) {
            Ok(Prepared::Source { modules, .. }) => handed |= modules.len() == scope.len(),
            Ok(Prepared::Component(_)) => {}
            Err(error) => return vec![Fault::Baseline(error.to_string())],
        }
    }
    let mut faults = Vec::new();
    let after = builds(&agent);
    if after != before {
        faults.push(Fault::Rebuilt { before, after });
    }
    let now = readings(&agent, subject);
    let touched = left.iter().filter(|(file, reading)| now.get(*file) != Some(*reading)).map(|(file, _)| file);
    let new = now.keys().filter(|file| !left.contains_key(*file));
    faults.extend(touched.chain(new).map(|file| Fault::Touched(file.file_name().unwrap_or_default().into())));
    if compiles && before == 0 && !handed {
        faults.push(Fault::NoWork);
    }
    faults
}

/// Prepares a program whose module its compiler refuses; gives what is wrong with the failure.
pub fn rebuild_band(arm: Arm, subject: &dyn Subject, refused: &str) -> Result<(), String> {
    let scope = [Module { key: key(arm).to_owned(), source: refused.to_owned() }];
    let mut agent = Agent::new(arm);
    match agent.prepare(subject, |context| subject.program(context, &caller(arm, "nobody"), &scope)) {
        Err(PrepareError::Lowering { binding: Some(binding), text }) if binding == scope[0].key && !text.is_empty() => {
            Ok(())
        }
        Err(error @ PrepareError::Rejected { .. }) => Err(format!("filed against the model: {error}")),
        Err(error) => Err(format!("not a lowering failure that names the module: {error}")),
        Ok(_) => Err("it prepared".to_owned()),
    }
}
