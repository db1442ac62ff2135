//! The task folder: what an agent is to do, what it does it with, and how its work is checked, whoever answers.

use super::{Finding, PlanError, Sight, problem_at, sorted, unusable_folder};
use gg_common::arm::Arm;
use gg_common::ceilings::Ceilings;
use gg_common::check::{Check, LONGEST_CHECK_SECS};
use gg_common::config::{self, Allowed, Problem, StandIn, nearest};
use gg_common::content::ContentKey;
use gg_common::limits::Limits;
use gg_common::operation::Role;
use gg_common::profile::{
    Capability, DocViewTypes, MemorySettings, Profile, ShellSettings, Skill, TaskSettings, TreeAccess,
};
use gg_common::regular;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The file that makes a folder a task folder.
pub const TASK_FILE: &str = "task.md";
/// What the agent's tree is filled from.
const FILES: &str = "files";
/// What the agent never sees.
const CHECK: &str = "check";
/// What is run where no command is stated, within [`CHECK`].
const CHECK_RUN: &str = "run";
/// The line before and after the front matter.
const FENCE: &str = "+++";

/// The front matter of `task.md`: TOML between two lines of `+++`. What follows it is the task, as the agent reads it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TaskFile {
    /// The language that the agent answers in.
    pub arm: Arm,
    /// What the agent may use. Default: none.
    #[serde(default)]
    pub capabilities: BTreeSet<Capability>,
    /// Narrows a capability to the calls listed (`module.key`). Default: all calls of each capability.
    #[serde(default)]
    pub grants: BTreeMap<Capability, BTreeSet<String>>,
    /// How the session is to end. Default: `standard`.
    #[serde(default)]
    pub role: Role,
    /// How `/work` is opened to the program's own file functions. Default: read-write with `write-file`, else
    /// read-only with `read-file`, else none.
    #[serde(default)]
    pub tree: Option<TreeAccess>,
    /// Which types a documentation view opens beside a call. Default: `return`.
    #[serde(default)]
    pub doc_view_types: DocViewTypes,
    /// Settings of `shell`.
    #[serde(default)]
    pub shell: ShellSettings,
    /// Settings of `tasks`.
    #[serde(default)]
    pub tasks: TaskSettings,
    /// Settings of `memories`.
    #[serde(default)]
    pub memories: MemorySettings,
    /// Skills that the agent can read. Default: none.
    #[serde(default)]
    pub skills: Vec<Skill>,
    /// Bounds on a program and a turn.
    #[serde(default)]
    pub limits: Limits,
    /// What bounds the run. Default: 50 turns, 5 error turns in a row, 20 in all, an hour.
    #[serde(default)]
    pub ceilings: Ceilings,
    /// How the folder `check/` is used, where there is one.
    #[serde(default)]
    pub check: CheckTable,
}

/// How the final tree is checked: a command that runs confined, on a copy of the tree (its current folder, `/work`), with
/// the folder `check/` beside it (`$GG_CHECK`, read-only), which the agent never sees. Status 0 passes. It may write a
/// number, or a JSON object of numbers, to the file `$GG_SCORE`. Statuses 126 and 127, by which bash says that a command is
/// not there, count as "could not run". What the command itself runs of the agent's code may do all that the command may:
/// read `$GG_CHECK`, write `$GG_SCORE`. Where that matters, judge what the code left, or what it prints, and not by running
/// it beside the answers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CheckTable {
    /// What bash runs. Default: the executable file `check/run`.
    pub command: Option<String>,
    /// Its time, in seconds. Default: 600.
    pub timeout_secs: u64,
    /// Memory of its processes together, in bytes. Default: 2 GiB.
    pub memory_bytes: u64,
    /// Absolute paths that it may read beside the system's own. Default: none.
    pub read_only_paths: Vec<String>,
}

impl Default for CheckTable {
    fn default() -> Self {
        CheckTable { command: None, timeout_secs: 600, memory_bytes: 2 << 30, read_only_paths: Vec::new() }
    }
}

impl CheckTable {
    /// What its numbers may be.
    pub fn allowed() -> Vec<Allowed> {
        let rows = CheckTable::default().rows().into_iter();
        rows.map(|(name, _, least, most)| Allowed { name, least, most }).collect()
    }

    /// Each number: its name, its value, the least, the most.
    fn rows(&self) -> [(&'static str, u64, u64, u64); 2] {
        [
            ("timeoutSecs", self.timeout_secs, 1, LONGEST_CHECK_SECS),
            ("memoryBytes", self.memory_bytes, 16 << 20, 1 << 40),
        ]
    }
}

/// A check as it was asked for: its files lie in a folder still.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCheck {
    /// The folder of the files that the agent never sees.
    pub files: PathBuf,
    /// What bash runs.
    pub command: String,
    /// The rest of the table.
    pub table: CheckTable,
}

impl PlannedCheck {
    /// The check, its files stored as a tree.
    pub fn with_files(&self, files: ContentKey) -> Check {
        Check {
            files,
            command: self.command.clone(),
            timeout_secs: self.table.timeout_secs,
            memory_bytes: self.table.memory_bytes,
            read_only_paths: self.table.read_only_paths.clone(),
        }
    }
}

/// A task folder that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskFolder {
    /// What the agent is asked.
    pub task: String,
    /// The folder that its tree is filled from.
    pub files: Option<PathBuf>,
    /// What it is started from.
    pub profile: Profile,
    /// What bounds the run.
    pub ceilings: Ceilings,
    /// How its work is checked.
    pub check: Option<PlannedCheck>,
}

impl TaskFile {
    fn split(self) -> (Profile, Ceilings, CheckTable) {
        let TaskFile {
            arm,
            capabilities,
            grants,
            role,
            tree,
            doc_view_types,
            shell,
            tasks,
            memories,
            skills,
            limits,
            ceilings,
            check,
        } = self;
        let profile =
            Profile { arm, capabilities, grants, role, tree, doc_view_types, shell, tasks, memories, skills, limits };
        (profile, ceilings, check)
    }
}

/// Whether the path is a task folder, or its `task.md`: gives the folder.
pub fn task_folder(path: &Path) -> Option<&Path> {
    if path.is_dir() {
        return Some(path);
    }
    path.ends_with(TASK_FILE).then(|| path.parent().unwrap_or(Path::new("")))
}

/// Reads a task folder; otherwise everything that is wrong with it.
pub fn read_task_folder(folder: &Path) -> Result<TaskFolder, PlanError> {
    let path = folder.join(TASK_FILE);
    let fail = |problems| PlanError { file: Some(path.clone()), problems };
    let alone = |line, message: String| fail(vec![Problem { line, message }]);
    let text = regular::read_to_string(&path).map_err(|error| {
        let run_file = folder.join("run.toml");
        let instead = if run_file.is_file() {
            format!("; did you mean {}?", run_file.display())
        } else {
            "; a task folder holds it, and `coordinator init` makes one".to_owned()
        };
        alone(None, format!("it cannot be read: {error}{instead}"))
    })?;
    let (front, task) = split(&text).map_err(|(line, message)| alone(Some(line), message))?;
    let reading = config::read_all::<TaskFile>(&front, &[StandIn { field: "arm", toml: "'python'" }]);
    let mut problems = reading.problems;
    let Some(file) = reading.value else { return Err(fail(problems)) };
    let (profile, ceilings, table) = file.split();
    let mut findings: Vec<Finding> = Vec::new();
    if task.trim().is_empty() {
        findings.push(Finding::at("", "the task is empty: say what the agent is to do, after the front matter"));
    }
    let files = folder.join(FILES);
    let files = files.symlink_metadata().is_ok().then_some(files);
    findings.extend(files.as_deref().and_then(unusable_folder).map(|message| Finding::at("", message)));
    findings.extend(misspelt(folder));
    let has_table = config::line_of(&front, &[CHECK]).is_some();
    let check = match planned(folder, table, if has_table { Sight::Seen } else { Sight::Unseen }) {
        Ok(check) => check,
        Err(found) => {
            findings.extend(found);
            None
        }
    };
    findings.extend(profile.problems().iter().map(|problem| Finding::of_profile("", problem)));
    findings.extend(ceilings.problems().iter().map(Finding::of_ceiling));
    problems.extend(findings.into_iter().map(|finding| problem_at(&front, finding)));
    if problems.is_empty() {
        return Ok(TaskFolder { task: task.to_owned(), files, profile, ceilings, check });
    }
    Err(fail(sorted(problems)))
}

/// The front matter, with as many lines before it as the file has, and the task.
fn split(text: &str) -> Result<(String, &str), (usize, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    match first.trim_end() {
        FENCE => {}
        "---" => {
            let message = format!("front matter is TOML between two lines of `{FENCE}`, and this is YAML's `---`");
            return Err((1, message));
        }
        _ => {
            let message = format!(
                "there is no front matter: begin with a line `{FENCE}`, then `arm = \"python\"` and what else the task needs, then `{FENCE}`"
            );
            return Err((1, message));
        }
    }
    let mut at = first.len();
    for line in lines {
        if line.trim_end() == FENCE {
            return Ok((
                format!("\n{}", &text[first.len()..at]),
                text[at + line.len()..].trim_start_matches(['\r', '\n']),
            ));
        }
        at += line.len();
    }
    Err((1, format!("the front matter has no end: close it with a line `{FENCE}`")))
}

/// Entries whose names were likely meant to be others, which would be passed over without a word.
fn misspelt(folder: &Path) -> Vec<Finding> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let near = |name: &String| {
        let meant = nearest(name, &[FILES, CHECK]).filter(|meant| meant != name)?;
        let missing = !folder.join(meant).exists();
        missing.then(|| Finding::at("", format!("`{name}` says nothing in a task folder: did you mean `{meant}`?")))
    };
    names.iter().filter_map(near).collect()
}

fn planned(folder: &Path, table: CheckTable, seen: Sight) -> Result<Option<PlannedCheck>, Vec<Finding>> {
    let files = folder.join(CHECK);
    let mut findings = Vec::new();
    let there = files.symlink_metadata().is_ok();
    if !there {
        return match seen {
            Sight::Unseen => Ok(None),
            Sight::Seen => Err(vec![Finding::at(
                CHECK,
                format!("{} is missing: make it, with what the agent never sees, or remove `check`", files.display()),
            )]),
        };
    }
    findings.extend(unusable_folder(&files).map(|message| Finding::at(CHECK, message)));
    let command = match &table.command {
        Some(command) if command.trim().is_empty() || command.contains('\0') => {
            findings
                .push(Finding::at("check.command", "`check.command` is empty or holds a NUL byte: write a command"));
            String::new()
        }
        Some(command) => command.clone(),
        None => {
            let run = files.join(CHECK_RUN);
            let state = std::fs::metadata(&run).map(|found| found.is_file() && found.permissions().mode() & 0o111 != 0);
            let problem = match state {
                Ok(true) => None,
                Ok(false) => {
                    Some(format!("{} is not executable: `chmod +x` it, or state `check.command`", run.display()))
                }
                Err(_) => Some(format!(
                    "nothing says how to check: state `check.command`, or make {} an executable file",
                    run.display()
                )),
            };
            findings.extend(problem.map(|message| Finding::at(CHECK, message)));
            format!("exec \"$GG_CHECK/{CHECK_RUN}\"")
        }
    };
    for (name, value, least, most) in table.rows() {
        if !(least..=most).contains(&value) {
            let message = format!("`check.{name}` is {value}: it must be between {least} and {most}");
            findings.push(Finding::at(&format!("check.{name}"), message));
        }
    }
    for path in table.read_only_paths.iter().filter(|path| !path.starts_with('/')) {
        let message = format!("`check.readOnlyPaths` holds `{path}`, which is not absolute: write it from the root");
        findings.push(Finding::at("check.readOnlyPaths", message).of_item(path));
    }
    if findings.is_empty() { Ok(Some(PlannedCheck { files, command, table })) } else { Err(findings) }
}

#[cfg(test)]
mod tests;
