//! `gg-source strip PROGRAM OUTPUT [--then COMPILER ARGUMENT…]`: writes what the guest runs of a TypeScript program into
//! the folder OUTPUT, then becomes the compiler that checks it. One process is confined for both: stripping takes some
//! microseconds, a process of its own would take a millisecond.
//!
//! OUTPUT gets `program.js`, beside it `places.json` where the lines or columns moved, or `refused.json` where there is
//! nothing to run. Which of these counts is for the compiler to say: it is asked in every case.

use super::on_a_large_stack;
use crate::typescript::{self, Lowered};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

pub(super) fn run(arguments: &[OsString]) -> Result<(), String> {
    let [program, output, rest @ ..] = arguments else { return Err("strip takes a program and a folder".to_owned()) };
    let then = match rest {
        [] => None,
        [then, compiler, arguments @ ..] if then == "--then" => Some((compiler, arguments)),
        _ => return Err("after the folder comes --then and a compiler, or nothing".to_owned()),
    };
    strip(Path::new(program), Path::new(output))?;
    match then {
        None => Ok(()),
        Some((compiler, arguments)) => {
            let error = std::process::Command::new(compiler).args(arguments).exec();
            Err(format!("{} does not start: {error}", PathBuf::from(compiler).display()))
        }
    }
}

fn strip(program: &Path, output: &Path) -> Result<(), String> {
    let source = std::fs::read_to_string(program).map_err(|error| format!("{} cannot be read: {error}", program.display()))?;
    // A panic of the parser's is about this program, and the compiler has not said anything of it yet.
    let lowered = on_a_large_stack(|| typescript::lower(&source)).unwrap_or_else(|why| {
        Lowered::Refused(typescript::Refused { jsx: false, message: why, line: 1, column: 1 })
    });
    let write = |name: &str, bytes: &[u8]| {
        let path = output.join(name);
        std::fs::write(&path, bytes).map_err(|error| format!("{} cannot be written: {error}", path.display()))
    };
    match lowered {
        Lowered::Stripped(text) => write("program.js", text.as_bytes()),
        Lowered::Moved(text, places) => {
            write("places.json", &json(&places)?)?;
            write("program.js", text.as_bytes())
        }
        Lowered::Refused(refused) => write("refused.json", &json(&refused)?),
    }
}

fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(value).map_err(|error| error.to_string())
}
