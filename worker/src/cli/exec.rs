//! `worker exec`: prepares and runs one program against a folder, with no model.

use super::{Problem, Status, out, setup};
use clap::Args;
use gg_common::arm::Arm;
use gg_common::config::read_toml;
use gg_common::job::{AgentId, Body, CallRecord, Effect, Follows, ProgramRun, RunId, TurnJob, TurnResult, ViewKind};
use gg_common::operation::Operation;
use gg_common::outcome::{Location, Outcome, Suspect};
use gg_common::plain::printable;
use gg_common::profile::{Capability, Profile};
use gg_common::reply::{FinishReason, as_program};
use gg_worker::Worker;
use gg_worker::confine::Confinement;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{IsTerminal, Read, Write as _};
use std::path::PathBuf;

/// Arguments of `exec`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The language of the program
    #[arg(long, required_unless_present = "profile")]
    arm: Option<Arm>,
    /// The program's file, or - for standard input
    program: PathBuf,
    /// The folder that the program sees as /work; a copy of it, unless --in-place. Default: an empty one
    #[arg(long)]
    tree: Option<PathBuf>,
    /// Write what the program changes back into the folder
    #[arg(long, requires = "tree")]
    in_place: bool,
    /// Grant only these calls (files.read_file,…) or capabilities (read-file,…). Default: all that a worker serves
    #[arg(long, value_delimiter = ',')]
    grant: Option<Vec<String>>,
    /// A profile (TOML) instead of --arm and --grant
    #[arg(long, conflicts_with_all = ["arm", "grant"])]
    profile: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Run shell commands even where they cannot be confined
    #[arg(long)]
    unconfined: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    outcome: &'static str,
    error_type: Option<String>,
    error_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location>,
    log: String,
    #[serde(skip_serializing_if = "is_zero")]
    log_dropped_bytes: u64,
    stderr: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unconfined: bool,
    views: Vec<ShownView>,
    calls: Vec<CallRecord>,
    refusals: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<Effect>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    followed: Vec<ProgramRun>,
    #[serde(skip_serializing_if = "Option::is_none")]
    returned: Option<String>,
    duration_ms: f64,
    compile_wait_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    compile_ms: Option<f64>,
    exit_code: Option<i32>,
    /// Whose fault the farm's failure may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    suspect: Option<Suspect>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownView {
    kind: ViewKind,
    selector: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    body: String,
    tokens: u32,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Status, Problem> {
    let source = read_program(&arguments.program)?;
    let profile = profile(arguments)?;
    let problems: Vec<String> = profile.problems().iter().map(ToString::to_string).collect();
    if !problems.is_empty() {
        return Err(Problem::usage(problems.join("\n")));
    }
    if let Some(tree) = &arguments.tree
        && !tree.is_dir()
    {
        return Err(Problem::usage(format!("--tree {}: there is no such folder", tree.display())));
    }
    let program = match as_program(&source, FinishReason::Stop, profile.limits.reply_bytes) {
        Ok(program) => program,
        Err(rejected) => return print(arguments, report_of_rejection(&rejected)),
    };
    let mut settings = setup::settings()?;
    if arguments.unconfined {
        settings.children.confinement = Confinement::Off;
    }
    settings.spare_executors = 0;
    let worker = setup::worker(settings, &[profile.arm])?;
    let tree = match &arguments.tree {
        Some(folder) => Some(worker.import_tree(folder, None).map_err(Problem::farm)?),
        None => None,
    };
    let job = TurnJob {
        version: gg_common::FORMAT_VERSION,
        run: RunId("exec".into()),
        agent: AgentId("main".into()),
        epoch: 1,
        turn: 1,
        source: Body::Inline(program.to_owned()),
        profile,
        tree,
        state: Default::default(),
        reply_to: String::new(),
        wall_left_ms: None,
        trace: None,
    };
    let result = worker.run_turn(&job);
    let after = result.tree;
    let report = report(&worker, result)?;
    // What the program did is told whatever comes of its files.
    let status = print(arguments, report)?;
    if let (true, Some(folder), Some(before), Some(after)) = (arguments.in_place, &arguments.tree, &tree, &after) {
        worker.apply_tree(before, after, folder).map_err(|error| {
            Problem::farm(format!(
                "{error}; what the program left is kept as the tree {after}, and nothing of the folder's own is lost"
            ))
        })?;
    }
    Ok(status)
}

fn read_program(path: &PathBuf) -> Result<Vec<u8>, Problem> {
    let mut source = Vec::new();
    let read = if path.as_os_str() == "-" {
        std::io::stdin().lock().read_to_end(&mut source)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut source))
    };
    read.map_err(|error| Problem::usage(format!("the program {} cannot be read: {error}", path.display())))?;
    Ok(source)
}

fn profile(arguments: &Arguments) -> Result<Profile, Problem> {
    if let Some(path) = &arguments.profile {
        return read_toml(path).map_err(Problem::usage);
    }
    let Some(arm) = arguments.arm else { return Err(Problem::usage("--arm is missing")) };
    let mut profile = Profile::with_everything(arm);
    if let Some(granted) = &arguments.grant {
        profile.capabilities.clear();
        narrow(&mut profile, granted)?;
    }
    Ok(profile)
}

/// Grants what is named and nothing else.
fn narrow(profile: &mut Profile, granted: &[String]) -> Result<(), Problem> {
    let mut calls: BTreeMap<Capability, BTreeSet<String>> = BTreeMap::new();
    for name in granted.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        if let Some(capability) = Capability::ALL.into_iter().find(|capability| capability.id() == name) {
            profile.capabilities.insert(capability);
            calls.entry(capability).or_default().extend(capability.operations().map(|o| o.id().to_owned()));
            continue;
        }
        let Some(operation) = Operation::from_id(name) else {
            let operations = gg_common::operation::TABLE.iter().map(|row| row.operation.id().to_owned());
            let names: Vec<String> = Capability::ALL.into_iter().map(|c| c.id()).chain(operations).collect();
            let near = gg_worker::calls::near::near(name, names.iter().map(String::as_str));
            let hint = gg_worker::calls::near::did_you_mean(&near);
            return Err(Problem::usage(format!("--grant {name}: there is no such call or capability{hint}")));
        };
        if let gg_common::operation::Binding::Capability(capability) = operation.row().binding {
            profile.capabilities.insert(capability);
            calls.entry(capability).or_default().insert(operation.id().to_owned());
        }
    }
    profile.grants = calls;
    Ok(())
}

fn report_of_rejection(outcome: &Outcome) -> Report {
    Report {
        outcome: name(outcome),
        error_type: outcome.error_type(),
        error_text: outcome.model_text().map(str::to_owned),
        location: None,
        log: String::new(),
        log_dropped_bytes: 0,
        stderr: String::new(),
        unconfined: false,
        views: Vec::new(),
        calls: Vec::new(),
        refusals: Vec::new(),
        ending: None,
        followed: Vec::new(),
        returned: None,
        duration_ms: 0.0,
        compile_wait_ms: 0.0,
        compile_ms: None,
        exit_code: None,
        suspect: None,
    }
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Completed => "completed",
        Outcome::Failed { .. } => "failed",
        Outcome::Rejected { .. } => "rejected",
        Outcome::Internal { .. } => "internal",
    }
}

fn text(worker: &Worker, body: Body) -> Result<String, Problem> {
    match body {
        Body::Inline(text) => Ok(text),
        Body::Object { key, .. } => {
            let bytes = worker.objects().get_blocking(&key).map_err(Problem::farm)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
    }
}

fn report(worker: &Worker, result: TurnResult) -> Result<Report, Problem> {
    let mut report = report_of_rejection(&result.outcome);
    match &result.outcome {
        Outcome::Failed { location, exit_code, .. } => {
            report.location = *location;
            report.exit_code = *exit_code;
        }
        // For the operator, who reads it here: a model never does.
        Outcome::Internal { error_text, suspect } => {
            report.error_text = Some(error_text.clone());
            report.suspect = *suspect;
        }
        Outcome::Completed => report.exit_code = Some(0),
        Outcome::Rejected { .. } => {}
    }
    report.log = text(worker, result.log)?;
    report.log_dropped_bytes = result.log_dropped_bytes;
    report.stderr = result.stderr;
    report.unconfined = result.unconfined;
    report.calls = result.calls;
    report.refusals = result.refusals;
    report.returned = result.returned;
    report.followed = result.followed;
    report.duration_ms = result.timings.duration_ms;
    report.compile_wait_ms = result.timings.compile_wait_ms;
    report.compile_ms = result.timings.compile_ms;
    for effect in result.effects {
        match effect {
            Effect::ViewOpened { view } => report.views.push(ShownView {
                kind: view.kind,
                selector: view.selector,
                region: view.region,
                body: text(worker, view.body)?,
                tokens: view.tokens,
            }),
            effect if effect.is_ending() => report.ending = Some(effect),
            // What an agent keeps ends with it here.
            _ => {}
        }
    }
    Ok(report)
}

fn print(arguments: &Arguments, report: Report) -> Result<Status, Problem> {
    let status = match report.outcome {
        "completed" => Status::Done,
        "internal" => Status::Farm,
        _ => Status::Failed,
    };
    if arguments.json {
        out(&format!("{}\n", serde_json::to_string(&report).unwrap_or_default()))?;
        return Ok(status);
    }
    let mut text = report.log.clone();
    let mut said = report.stderr.clone();
    for view in &report.views {
        let region = view.region.as_deref().map(|r| format!(", {r}")).unwrap_or_default();
        let _ = writeln!(text, "── {}{region} ({} tokens)\n{}", view.selector, view.tokens, view.body.trim_end());
    }
    for run in &report.followed {
        let why = match &run.follows {
            Follows::Rerun => "handed over to".to_owned(),
            Follows::Skill { name } => format!("on-use script of the skill {name}"),
            Follows::Memory { name } => format!("on-use script of the memory {name}"),
        };
        let _ = writeln!(text, "── {why}: {}", run.outcome.error_type().unwrap_or_else(|| "completed".to_owned()));
        if let Body::Inline(log) = &run.log {
            text.push_str(log);
        }
        said.push_str(&run.stderr);
    }
    if let Some(ending) = &report.ending {
        let _ = writeln!(text, "── ending: {}", serde_json::to_string(ending).unwrap_or_default());
    }
    if let Some(error_type) = &report.error_type {
        let _ = writeln!(said, "── {error_type}\n{}", report.error_text.as_deref().unwrap_or_default().trim_end());
    }
    out(&for_person(&text, std::io::stdout().is_terminal()))?;
    // Nobody is left to tell where it cannot be written.
    let _ = std::io::stderr().lock().write_all(for_person(&said, std::io::stderr().is_terminal()).as_bytes());
    Ok(status)
}

/// A program's words: as they are where a program reads them, and made harmless where they go to a terminal.
fn for_person(text: &str, is_terminal: bool) -> Cow<'_, str> {
    if is_terminal { printable(text) } else { Cow::Borrowed(text) }
}
