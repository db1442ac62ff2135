//! `gg-source strip FILE FOLDER [--then COMPILER ARGUMENT…]`: writes what the guest runs of a TypeScript source into the
//! folder, then becomes the compiler that checks it. One process is confined for both: stripping takes some microseconds,
//! and a process of its own would take milliseconds.
//!
//! The folder gets `NAME.js`, beside it `NAME.places.json` where lines or columns moved, or `NAME.refused.json` where there
//! is nothing to run. Which of these counts is for the compiler to say, but where a bound was passed: then it is not asked.

use super::{Kind, Lowered, Refused, lower};
use crate::stack;
use std::os::unix::process::CommandExt;
use std::path::Path;

/// Does what the subcommand does.
pub fn strip(file: &Path, folder: &Path, then: &[&str]) -> Result<(), String> {
    let then = match then {
        [] => None,
        ["--then", compiler, arguments @ ..] => Some((compiler, arguments)),
        _ => return Err("after the folder comes --then with a compiler, or nothing".to_owned()),
    };
    let (Asked::Compiler, Some((compiler, arguments))) = (write(file, folder)?, then) else { return Ok(()) };
    #[expect(clippy::disallowed_methods, reason = "this process becomes the compiler, confined as it is")]
    let mut compiling = std::process::Command::new(compiler);
    let error = compiling.args(arguments).exec();
    Err(format!("{compiler} does not start: {error}"))
}

/// Who has the last word on a source.
enum Asked {
    /// Its compiler.
    Compiler,
    /// Nobody: it passed a bound.
    Nobody,
}

fn write(file: &Path, folder: &Path) -> Result<Asked, String> {
    let source = std::fs::read_to_string(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    // A panic of the parser's is about this source, and the compiler has not said anything of it yet.
    let lowered = stack::on_a_large_one(|| lower(&source))
        .unwrap_or_else(|why| Lowered::Refused(Refused { kind: Kind::Syntax, message: why, line: 1, column: 1 }));
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let path = |extension: &str| folder.join(format!("{name}.{extension}"));
    // Another source of this name may have been here before.
    for extension in ["js", "places.json", "refused.json"] {
        let _ = std::fs::remove_file(path(extension));
    }
    let write = |extension: &str, bytes: &[u8]| {
        let path = path(extension);
        std::fs::write(&path, bytes).map_err(|error| format!("{} cannot be written: {error}", path.display()))
    };
    match lowered {
        Lowered::Stripped(text) => write("js", text.as_bytes())?,
        Lowered::Moved(text, places) => {
            write("places.json", &json(&places)?)?;
            write("js", text.as_bytes())?;
        }
        Lowered::Refused(refused) => {
            write("refused.json", &json(&refused)?)?;
            if refused.kind == Kind::Bound {
                return Ok(Asked::Nobody);
            }
        }
    }
    Ok(Asked::Compiler)
}

fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(value).map_err(|error| error.to_string())
}
