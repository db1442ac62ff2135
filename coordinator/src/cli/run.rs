//! `coordinator run`.

use super::exit::{self, Exit};
use super::progress::say;
use crate::model::Binding;
use crate::plan::{self, Answers, PlanError, RunPlan, TaskFolder, Wanted, Who};
use clap::Args;
use gg_common::arm::Arm;
use gg_common::ceilings::Ceilings;
use gg_common::config::{Problem, instead};
use gg_common::profile::{Capability, Profile};
use std::path::{Path, PathBuf};

/// What `coordinator run` is called with.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub struct RunArgs {
    /// A run file (TOML), whose paths are relative to its own folder, or a task folder (see `coordinator init`)
    #[arg(value_name = "RUN", required_unless_present_any = ["task", "resume"], conflicts_with_all = ["task", "arm", "files", "capabilities", "resume"])]
    pub file: Option<PathBuf>,

    /// What the agent is to do, instead of a run file
    #[arg(long, requires = "arm", conflicts_with = "resume")]
    pub task: Option<String>,

    /// The language that the agent answers in
    #[arg(long, requires = "task")]
    pub arm: Option<Arm>,

    /// The replies: a folder with a file a reply, in the order of their names, or a file of JSON lines. They stand above
    /// what a run file says of who answers
    #[arg(long, value_name = "PATH", conflicts_with = "model")]
    pub replies: Option<PathBuf>,

    /// The model: a TOML file with a [model] table, which stands above what a run file says of who answers
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    /// The folder that the agent's tree is filled from [default: an empty tree]
    #[arg(long, value_name = "DIR", requires = "task")]
    pub files: Option<PathBuf>,

    /// What the agent may use, by commas [default: everything that this version serves]
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "task")]
    pub capabilities: Option<Vec<String>>,

    /// Go on with a run that was interrupted or killed: its name, or a beginning of it that no other has
    #[arg(long, value_name = "RUN")]
    pub resume: Option<String>,

    /// Where the run's records go, in a folder of its own
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,

    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The plan that the arguments ask for; otherwise everything that is wrong, a problem a line.
fn plan(args: &RunArgs) -> Result<(RunPlan, Binding), String> {
    let mut errors = Vec::new();
    let named = named(args, &mut errors);
    let goal = match &args.file {
        Some(path) => of_path(args, path),
        None => from_flags(args).map_err(|problems| vec![PlanError { file: None, problems }]).map(|plan| (plan, None)),
    };
    let (plan, said) = goal.unwrap_or_else(|found| {
        errors.extend(found);
        (None, None)
    });
    match (plan, named.or(said)) {
        (Some(plan), Some(model)) if errors.is_empty() => match plan::unpriced(&plan.ceilings, &model) {
            None => Ok((plan, model)),
            Some(finding) => Err(finding.message),
        },
        _ => Err(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

/// Who answers, as the flags name it, which stands above what any file says.
fn named(args: &RunArgs, errors: &mut Vec<PlanError>) -> Option<Binding> {
    let alone = |message: String| PlanError { file: None, problems: vec![Problem { line: None, message }] };
    let opened = match (&args.replies, &args.model) {
        (_, Some(file)) => plan::read_model(file),
        (Some(replies), None) => Answers::Replies(replies.clone()).open_alone().map_err(alone),
        (None, None) => return None,
    };
    opened.map_err(|error| errors.push(error)).ok()
}

/// From a run file, or from a task folder, which says nothing of who answers.
fn of_path(args: &RunArgs, path: &Path) -> Result<(Option<RunPlan>, Option<Binding>), Vec<PlanError>> {
    let elsewhere = args.replies.is_some() || args.model.is_some();
    let Some(folder) = plan::task_folder(path) else {
        let who = if elsewhere { Who::IsSaidElsewhere } else { Who::IsSaidHere };
        return plan::read(path, who).map(|(plan, model)| (Some(plan), model));
    };
    let mut errors = Vec::new();
    let read = plan::read_task_folder(folder).map_err(|error| errors.push(error)).ok();
    if !elsewhere {
        let message = "give --replies or --model: a task folder says what to do, and not who answers";
        let problems = vec![Problem { line: None, message: message.to_owned() }];
        errors.push(PlanError { file: None, problems });
    }
    match read {
        Some(TaskFolder { task, files, profile, ceilings, check }) if errors.is_empty() => {
            Ok((Some(RunPlan { task, files, profile, ceilings, check }), None))
        }
        _ => Err(errors),
    }
}

fn from_flags(args: &RunArgs) -> Result<Option<RunPlan>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut problem = |message: String| problems.push(Problem { line: None, message });
    // clap requires these where no run file is named.
    let (Some(task), Some(arm)) = (&args.task, args.arm) else {
        problem("name a run file or a task folder, or give --task, --arm, and --replies or --model".to_owned());
        return Err(problems);
    };
    if args.replies.is_none() && args.model.is_none() {
        problem("give --replies or --model: somebody must answer".to_owned());
    }
    let mut profile = Profile::with_everything(arm);
    if let Some(names) = &args.capabilities {
        profile.capabilities.clear();
        let ids = Capability::ALL.map(Capability::id);
        for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
            match Capability::ALL.into_iter().find(|capability| capability.id() == name) {
                Some(capability) => {
                    profile.capabilities.insert(capability);
                }
                None => {
                    let choices: Vec<&str> = ids.iter().map(String::as_str).collect();
                    problem(format!("--capabilities: there is no `{name}`: {}", instead(name, &choices)));
                }
            }
        }
    }
    let wanted = Wanted {
        task: task.clone(),
        files: args.files.clone(),
        model: Answers::Elsewhere,
        profile,
        ceilings: Ceilings::default(),
        check: None,
    };
    match wanted.check() {
        Ok((plan, _)) if problems.is_empty() => Ok(Some(plan)),
        Ok(_) => Err(problems),
        Err(findings) => {
            problems.extend(findings.into_iter().map(|finding| Problem { line: None, message: finding.message }));
            Err(problems)
        }
    }
}

/// Runs the command.
pub(super) fn main(args: RunArgs) -> Exit {
    if let Some(name) = &args.resume {
        return resume(&args, name);
    }
    match plan(&args) {
        Ok((plan, model)) => start(&args, plan, model),
        Err(error) => {
            say(&error);
            Exit::Usage
        }
    }
}

#[cfg(not(feature = "embedded"))]
const NO_WORKER: &str =
    "this build has no embedded worker, so it cannot run a task by itself: use one with the feature `embedded`";

#[cfg(not(feature = "embedded"))]
fn start(_args: &RunArgs, _plan: RunPlan, _model: Binding) -> Exit {
    say(NO_WORKER);
    Exit::Usage
}

#[cfg(not(feature = "embedded"))]
fn resume(_args: &RunArgs, _name: &str) -> Exit {
    say(NO_WORKER);
    Exit::Usage
}

#[cfg(feature = "embedded")]
use inside::{resume, start};

#[cfg(feature = "embedded")]
mod inside {
    use super::*;
    use crate::agent::Interrupt;
    use crate::cli::lines::Lines;
    use crate::cli::live::Live;
    use crate::cli::{report, signals};
    use crate::clock::SystemClock;
    use crate::embedded::Embedded;
    use crate::model::Model;
    use crate::plan::resume::{self, ResumeError};
    use crate::records::RunFolder;
    use crate::session::{Left, Session};
    use gg_common::event::Event;
    use gg_common::folders::CacheRoot;
    use gg_common::ledger::LocalLedger;
    use gg_common::objects::{Durability, Objects};
    use std::time::Duration;
    use tokio::sync::watch;
    use tokio::task::JoinSet;

    /// How long the process waits for threads that still serve a turn which was left open.
    const THREADS_WAIT: Duration = Duration::from_millis(500);

    fn failed(message: &str) -> Exit {
        say(&format!("the run failed: {message}"));
        Exit::Failed
    }

    /// What is run: from its beginning, or from where its log ends.
    struct Wanted {
        folder: RunFolder,
        plan: RunPlan,
        model: Binding,
        past: Vec<Event>,
        ledger: LocalLedger,
    }

    fn on_threads(run: impl Future<Output = Exit>) -> Exit {
        let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return failed(&format!("no threads can be started: {error}")),
        };
        let exit = runtime.block_on(run);
        runtime.shutdown_timeout(THREADS_WAIT);
        exit
    }

    fn usage(message: &str) -> Exit {
        say(message);
        Exit::Usage
    }

    pub(super) fn start(args: &RunArgs, plan: RunPlan, model: Binding) -> Exit {
        let root = match CacheRoot::from_environment() {
            Ok(root) => root,
            Err(error) => return usage(&error.to_string()),
        };
        let clock = SystemClock::default();
        let folder = match RunFolder::make(&args.runs, &clock) {
            Ok(folder) => folder,
            Err(error) => return failed(&error.to_string()),
        };
        if let Err(error) = root.add_runs_folder(&args.runs) {
            folder.discard();
            return failed(&format!("{} cannot be written: {error}", root.runs_folders_file().display()));
        }
        if let Some(table) = model.binding()
            && let Err(error) = folder.write_model(&table)
        {
            folder.discard();
            return failed(&error.to_string());
        }
        let ledger = LocalLedger::new(&args.runs, Durability::Synced);
        on_threads(run(args, &root, &clock, Wanted { folder, plan, model, past: Vec::new(), ledger }))
    }

    pub(super) fn resume(args: &RunArgs, name: &str) -> Exit {
        let root = match CacheRoot::from_environment() {
            Ok(root) => root,
            Err(error) => return usage(&error.to_string()),
        };
        let clock = SystemClock::default();
        on_threads(async {
            let folder = match resume::find(&args.runs, name) {
                Ok(folder) => folder,
                Err(error) => return usage(&error.to_string()),
            };
            let ledger = LocalLedger::new(&args.runs, Durability::Synced);
            let read = match Objects::in_folder(&root.objects(), Durability::Synced) {
                Ok(objects) => resume::read(&folder, &ledger, &objects).await,
                Err(error) => Err(error.into()),
            };
            let (plan, past) = match read {
                Ok(read) => read,
                Err(error @ (ResumeError::Ledger(_) | ResumeError::Objects(_))) => return failed(&error.to_string()),
                Err(error) => return usage(&error.to_string()),
            };
            let opened = match (&args.replies, &args.model) {
                (_, Some(file)) => plan::read_model(file).map_err(|error| error.to_string()),
                (Some(replies), None) => Answers::Replies(replies.clone()).open_alone(),
                (None, None) => match folder.model() {
                    Ok(table) => Answers::Table(Box::new(table)).open_alone(),
                    Err(error) => return usage(&error.to_string()),
                },
            };
            let model = match opened {
                Ok(model) => model,
                Err(error) => {
                    say(&error);
                    return usage("who answers can be named anew with --replies or --model");
                }
            };
            run(args, &root, &clock, Wanted { folder, plan, model, past, ledger }).await
        })
    }

    async fn run(args: &RunArgs, root: &CacheRoot, clock: &SystemClock, wanted: Wanted) -> Exit {
        let Wanted { folder, plan, model, past, ledger } = wanted;
        let resumed = !past.is_empty();
        let live = Live::on_stderr();
        let embedded = match Embedded::start(root, ledger, &[plan.profile.arm]).await {
            Ok(embedded) => embedded,
            Err(error) => {
                if !resumed {
                    folder.discard();
                }
                return failed(&error.to_string());
            }
        };
        let how = if resumed { " goes on" } else { "" };
        say(&format!("run {}{how} in {}", folder.run(), folder.path().display()));
        let lines = Lines { ceiling: plan.ceilings.turns, live };
        let (asked, interrupt) = watch::channel(Interrupt::None);
        let mut watching = JoinSet::new();
        watching.spawn(signals::watch(asked, say));
        let outcome = Session {
            house: embedded.house(),
            model: &model,
            plan: &plan,
            folder: &folder,
            clock,
            observer: &lines,
            interrupt,
            past,
        }
        .run()
        .await;
        watching.shutdown().await;
        embedded.stop().await;
        // What is printed below may go to the same terminal.
        drop(lines);
        let exit = Exit::from(&outcome.left);
        if let Left::Failed(error) = &outcome.left {
            failed(&error.to_string());
        }
        match &outcome.summary {
            Some(summary) => {
                if let Err(error) = report::print(args.json, &folder, summary, &outcome.left) {
                    return failed(&format!("the result could not be printed: {error}"));
                }
            }
            None => folder.discard(),
        }
        exit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::Parser;

    #[test]
    fn a_run_file_and_flags_do_not_mix_and_one_is_needed() {
        for bad in [
            &["coordinator", "run"][..],
            &["coordinator", "run", "run.toml", "--task", "x", "--arm", "python", "--replies", "r"],
            &["coordinator", "run", "--task", "x"],
            &["coordinator", "run", "--task", "x", "--arm", "cobol", "--replies", "r"],
        ] {
            assert!(Cli::try_parse_from(bad).is_err(), "{bad:?}");
        }
        assert!(Cli::try_parse_from(["coordinator", "run", "run.toml", "--json"]).is_ok());
    }

    #[test]
    fn every_problem_of_the_flags_is_named_at_once() {
        let args = RunArgs {
            file: None,
            task: Some(" ".into()),
            arm: Some(Arm::Python),
            replies: Some("/nowhere/replies".into()),
            model: None,
            files: Some("/nowhere/files".into()),
            capabilities: Some(vec!["read-fil".into(), "fork".into()]),
            resume: None,
            runs: "runs".into(),
            json: false,
        };
        let error = plan(&args).expect_err("wrong");
        let lines: Vec<_> = error.lines().collect();
        assert_eq!(lines.len(), 5, "{error}");
        for (line, part) in
            lines.iter().zip(["replies", "did you mean `read-file`?", "task is empty", "files", "`fork` is not served"])
        {
            assert!(line.contains(part), "{error}");
        }
    }
}
