//! The README as its reader follows it: its shell blocks are executed literally, one after the other, by one shell that
//! stands where the README says that one stands, and what it shows is compared with what is printed.
//!
//! Blocks say what they are: `sh` is executed and must succeed, `console` is executed (what stands behind `$ `) and prints
//! what is shown, `toml` is a profile that can be read. Comments that no reader sees say what is not so: `walk: status N`
//! before a block whose commands exit with that, `walk: not executed` before one that cannot be executed here.
#![cfg(feature = "embedded")]
#![expect(clippy::disallowed_methods, reason = "the shell is started as a reader starts it")]

use gg_common::folders::CacheRoot;
use regex::Regex;
use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What no walk can execute: it installs, or runs this test.
const NOT_EXECUTED: [&str; 3] = ["sudo apt-get install --yes git make", "make demo", "make test"];

/// A fenced block.
#[derive(Debug)]
struct Block {
    /// Its first line in the file, from 1.
    line: usize,
    kind: String,
    text: String,
    /// What the comment before it says.
    mark: Option<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut mark = None;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let inner: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            let (kind, text) = (kind.to_owned(), inner.join("\n") + "\n");
            blocks.push(Block { line: index + 2, kind, text, mark: mark.take() });
        } else {
            let said = line.strip_prefix("<!-- walk: ").and_then(|rest| rest.strip_suffix(" -->"));
            mark = said.map(str::to_owned);
        }
    }
    blocks
}

/// The commands of a block, without what is said about them.
fn commands(block: &Block) -> Vec<&str> {
    let commands = block.text.lines().map(|line| line.split(" #").next().unwrap_or(line).trim());
    commands.filter(|command| !command.is_empty()).collect()
}

/// Something that the shell executes.
#[derive(Debug)]
struct Step {
    line: usize,
    command: String,
    status: i32,
    /// What is printed; none where it is not shown.
    shown: Option<String>,
}

fn steps(block: &Block) -> Result<Vec<Step>, String> {
    let status = match block.mark.as_deref().map(|mark| mark.strip_prefix("status ").map(str::parse)) {
        None => 0,
        Some(Some(Ok(status))) => status,
        Some(_) => return Err(format!("line {}: nobody knows the mark {:?}", block.line, block.mark)),
    };
    let step = |command: String, shown| Step { line: block.line, command, status, shown };
    match block.kind.as_str() {
        "sh" => Ok(vec![step(block.text.clone(), None)]),
        "console" => {
            let mut steps: Vec<Step> = Vec::new();
            for line in block.text.lines() {
                match (line.strip_prefix("$ "), steps.last_mut()) {
                    (Some(command), _) => steps.push(step(format!("{command}\n"), Some(String::new()))),
                    (None, Some(Step { shown: Some(shown), .. })) => shown.push_str(&format!("{line}\n")),
                    (None, _) => return Err(format!("line {}: output before any command", block.line)),
                }
            }
            Ok(steps)
        }
        "toml" => {
            let profile = format!("cat >profile.toml <<'END'\n{}END\n", block.text);
            Ok(vec![step(profile, None), step("coordinator prompt --profile profile.toml\n".to_owned(), None)])
        }
        other => Err(format!("line {}: a block is sh, console or toml, and this one is {other:?}", block.line)),
    }
}

/// What of a text is the same whenever it is printed.
fn shape(text: &str) -> String {
    let runs = Regex::new(r"\d{8}T\d{6}\.\d{3}-[0-9a-f]{8}").expect("a pattern");
    let times = Regex::new(r"\d+\.\d ms").expect("a pattern");
    times.replace_all(&runs.replace_all(text.trim_end(), "RUN"), "N ms").into_owned()
}

/// A reader's machine: a clone, and a home with the data folder in it.
struct Machine {
    folder: TempDir,
}

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().expect("tempdir");
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository");
        let machine = Machine { folder };
        std::fs::create_dir(machine.clone_folder()).expect("clone");
        symlink(repository.join("examples"), machine.clone_folder().join("examples")).expect("examples");
        // What was built is the tested binaries and the artifacts of this machine; what is recorded is the walk's own.
        let data = machine.home().join(".local/share/gg-farm");
        std::fs::create_dir_all(data.join("target")).expect("data folder");
        let binaries = Path::new(env!("CARGO_BIN_EXE_coordinator")).parent().expect("a folder");
        assert!(binaries.join("worker").exists(), "build the whole workspace: the README calls `worker` too");
        symlink(binaries, data.join("target/debug")).expect("binaries");
        let root = CacheRoot::from_environment().expect("a data folder");
        for place in [root.artifacts(), root.precompiled(), root.toolchains()] {
            // The first to run a guest makes the second.
            DirBuilder::new().mode(0o700).recursive(true).create(&place).expect("what was built");
            symlink(&place, data.join(place.file_name().expect("a name"))).expect("what was built");
        }
        machine
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn clone_folder(&self) -> PathBuf {
        self.folder.path().join("gg-farm")
    }

    /// Has one shell execute all steps; everything that is not as the README says.
    fn walk(&self, steps: &[Step]) -> Vec<String> {
        let place = |index: usize, what: &str| self.folder.path().join(format!("{index}.{what}"));
        let mut script = String::new();
        for (index, step) in steps.iter().enumerate() {
            let [out, status, failed] =
                ["out", "status", "failed"].map(|what| place(index, what).display().to_string());
            // In a block of several commands, each must succeed.
            let trap = format!("trap 'printf \"%s\\n\" \"$BASH_COMMAND\" >>{failed}' ERR\n");
            let trap = if step.status == 0 { trap } else { "trap - ERR\n".to_owned() };
            script.push_str(&format!("exec >>{out} 2>&1\n{trap}{}echo $? >{status}\n", step.command));
        }
        let ran = Command::new("bash")
            .args(["-c", &script])
            .current_dir(self.clone_folder())
            .env_clear()
            .envs([("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LANG", "C.UTF-8"), ("TERM", "dumb")])
            .env("HOME", self.home())
            .stdin(Stdio::null())
            .status()
            .expect("bash starts");
        let mut problems = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let read = |what| std::fs::read_to_string(place(index, what)).unwrap_or_default();
            let (out, failed) = (read("out"), read("failed"));
            let mut problem = |what: String| problems.push(format!("line {}: {}{what}", step.line, step.command));
            match read("status").trim().parse::<i32>() {
                Err(_) => problem(format!("the shell ended before it was done ({ran}):\n{out}")),
                Ok(status) if status != step.status => problem(format!("it exits with {status}:\n{out}")),
                Ok(_) if !failed.is_empty() => problem(format!("this failed: {failed}{out}")),
                Ok(_) => {}
            }
            if let Some(shown) = step.shown.as_ref().filter(|shown| shape(shown) != shape(&out)) {
                problem(format!("the README shows\n{shown}\nand what it prints is\n{out}"));
            }
        }
        problems
    }
}

/// Follows a text; everything that is not as it says.
fn follow(text: &str) -> Vec<String> {
    let executed = blocks(text).into_iter().filter(|block| block.mark.as_deref() != Some("not executed"));
    let mut problems = Vec::new();
    let mut all = Vec::new();
    for block in executed {
        match steps(&block) {
            Ok(steps) => all.extend(steps),
            Err(problem) => problems.push(problem),
        }
    }
    problems.extend(Machine::new().walk(&all));
    problems
}

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    std::fs::read_to_string(path).expect("README.md")
}

#[test]
fn the_readme_does_what_it_says() {
    let problems = follow(&readme());
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

#[test]
fn nothing_else_is_left_out_than_what_cannot_be_executed() {
    let blocks = blocks(&readme());
    let left_out = blocks.iter().filter(|block| block.mark.as_deref() == Some("not executed"));
    assert_eq!(left_out.flat_map(commands).collect::<Vec<_>>(), NOT_EXECUTED);
    assert!(blocks.len() > 8, "the README has lost its blocks: {blocks:#?}");
}

#[test]
fn a_readme_that_is_not_true_is_caught() {
    for (text, part) in [
        ("```sh\nfalse\ntrue\n```\n", "this failed: false"),
        ("```sh\nexit 3\n```\n", "the shell ended"),
        ("```console\n$ echo a\nb\n```\n", "shows\nb\n\nand what it prints is\na"),
        ("<!-- walk: status 1 -->\n```console\n$ true\n```\n", "exits with 0"),
        ("```toml\n[profile]\narm = 'cobol'\n```\n", "cobol"),
        ("```\nls\n```\n", "a block is sh, console or toml"),
        ("<!-- walk: maybe -->\n```sh\ntrue\n```\n", "nobody knows the mark"),
    ] {
        let text = format!("```sh\nexport PATH=\"$HOME/.local/share/gg-farm/target/debug:$PATH\"\n```\n{text}");
        let problems = follow(&text);
        assert!(problems.len() == 1 && problems[0].contains(part), "{text}: {problems:#?}");
    }
    let shown =
        "```console\n$ echo run 20261201T020906.158-1af4e072 1.2 ms\nrun 20261201T020907.158-1af4e073 3.4 ms\n```\n";
    assert_eq!(follow(shown), Vec::<String>::new(), "names of runs and times differ");
}
