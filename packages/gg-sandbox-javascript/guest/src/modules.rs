//! What can be imported: by a program, the SDK's modules and the code modules in scope,
//! and nothing else; by a code module, the SDK's modules; by the SDK and the prelude,
//! each other and the guest's own bindings, while the guest is built.

use std::cell::RefCell;

use crate::bindings::gg::sandbox::feedback;
use crate::failure;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Exception, Module};

/// The modules that a program may import, in the order of the documentation.
const PUBLIC: &[&str] = &[
    "core",
    "files",
    "shell",
    "board",
    "tasks",
    "memories",
    "docs",
    "views",
    "context",
    "delegation",
    "skills",
    "programs",
    "session",
];

macro_rules! sources {
    ($($name:literal => $path:literal),* $(,)?) => { &[$(($name, include_str!($path))),*] };
}

/// Every module that the guest carries; the last one holds the prelude's hooks. All
/// are named `gg/…`, which keeps their frames out of backtraces (engine/quickjs.patch).
pub const SOURCES: &[(&str, &str)] = sources! {
    "gg/core" => "../../sdk/core.js",
    "gg/internal/check" => "../../sdk/internal/check.js",
    "gg/files" => "../../sdk/files.js",
    "gg/shell" => "../../sdk/shell.js",
    "gg/board" => "../../sdk/board.js",
    "gg/tasks" => "../../sdk/tasks.js",
    "gg/memories" => "../../sdk/memories.js",
    "gg/docs" => "../../sdk/docs.js",
    "gg/views" => "../../sdk/views.js",
    "gg/context" => "../../sdk/context.js",
    "gg/delegation" => "../../sdk/delegation.js",
    "gg/skills" => "../../sdk/skills.js",
    "gg/programs" => "../../sdk/programs.js",
    "gg/session" => "../../sdk/session.js",
    "gg/prelude/inspect" => "prelude/inspect.js",
    "gg/prelude/console" => "prelude/console.js",
    "gg/prelude/timers" => "prelude/timers.js",
    "gg/prelude/encoding" => "prelude/encoding.js",
    "gg/prelude/clone" => "prelude/clone.js",
    "gg/prelude/crypto" => "prelude/crypto.js",
    "gg/prelude/url" => "prelude/url.js",
    "gg/prelude/errors" => "prelude/errors.js",
    "gg/prelude/absent" => "prelude/absent.js",
    "gg/prelude/hooks" => "prelude/hooks.js",
};

/// Resolves while the guest is built.
pub struct Inside;

impl Resolver for Inside {
    fn resolve<'js>(
        &mut self,
        _: &Ctx<'js>,
        _base: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        Ok(name.to_owned())
    }
}

impl Loader for Inside {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        match SOURCES.iter().find(|(known, _)| *known == name) {
            Some((_, source)) => Module::declare(ctx.clone(), name, *source),
            None => Err(Exception::throw_message(ctx, &format!("the guest carries no module {name}"))),
        }
    }
}

/// What code modules are imported by: this, and their key.
const LIB: &str = "lib/";

thread_local! {
    /// The code modules in scope: key and source.
    static SCOPE: RefCell<Vec<(String, Vec<u8>)>> = const { RefCell::new(Vec::new()) };
}

/// Lets the program import these code modules.
pub fn bring_into_scope(modules: Vec<(String, Vec<u8>)>) {
    SCOPE.set(modules);
}

fn in_scope(key: &str) -> Option<Vec<u8>> {
    SCOPE.with_borrow(|scope| scope.iter().find(|(known, _)| known == key).map(|(_, source)| source.clone()))
}

fn keys_in_scope() -> Vec<String> {
    SCOPE.with_borrow(|scope| scope.iter().map(|(key, _)| format!("{LIB}{key}")).collect())
}

/// Resolves what a program imports. The SDK's modules are loaded already, and a name that
/// is not resolved is never looked for. A code module reaches the SDK, and no other of
/// its kind: what it needs of one it takes as an argument.
pub struct Program;

impl Resolver for Program {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        let is_known = match (name.strip_prefix("gg/"), name.strip_prefix(LIB)) {
            (Some(module), _) => PUBLIC.contains(&module),
            (_, Some(key)) => !base.starts_with(LIB) && in_scope(key).is_some(),
            _ => false,
        };
        if is_known { Ok(name.to_owned()) } else { Err(Exception::throw_message(ctx, &refusal(base, name))) }
    }
}

impl Loader for Program {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        let Some((key, source)) = name.strip_prefix(LIB).and_then(|key| Some((key, in_scope(key)?))) else {
            return Err(Exception::throw_message(ctx, &refusal("", name)));
        };
        Module::declare(ctx.clone(), name, source).inspect_err(|_| {
            let thrown = ctx.catch();
            let told = failure::describe(ctx, thrown.clone(), false, name, "");
            feedback::module_error(key, &told.into_failure());
            let _ = ctx.throw(thrown);
        })
    }
}

/// How each refusal begins; `failure.rs` finds the import's place in the source by it.
pub const REFUSAL: &str = "Cannot find module '";

/// Why `name` cannot be imported, and what to write instead.
fn refusal(base: &str, name: &str) -> String {
    let all = || PUBLIC.iter().map(|module| format!("gg/{module}")).collect::<Vec<_>>().join(", ");
    if let Some(key) = name.strip_prefix(LIB) {
        let advice = if in_scope(key).is_some() {
            "A code module imports no other: what it needs of one, its caller gives it.".to_owned()
        } else {
            match &keys_in_scope()[..] {
                [] => "No code module is in scope: reading a skill or a memory that has code brings its module into \
                       scope for the programs that run after."
                    .to_owned(),
                keys => format!("In scope are {}.", keys.join(", ")),
            }
        };
        return format!("{REFUSAL}{name}'. {advice}");
    }
    let bare = name.strip_prefix("node:").unwrap_or(name);
    let advice = match bare {
        "gg" | "gg/" | "gg/index" | "gg/index.js" => {
            format!(
                "gg is imported by module, for example: import * as files from \"gg/files\". The modules are {}.",
                all()
            )
        }
        "fs" | "fs/promises" | "path" => {
            "There is no Node.js here. For files write: import * as files from \"gg/files\".".to_owned()
        }
        "child_process" => {
            "There is no Node.js here. For commands write: import { shell } from \"gg/shell\".".to_owned()
        }
        _ => match name.strip_prefix("gg/").map(|module| module.trim_end_matches(".js")) {
            Some(module) if PUBLIC.contains(&module) => format!("Write \"gg/{module}\"."),
            _ if PUBLIC.contains(&bare) => format!("Write \"gg/{bare}\"."),
            _ if base.starts_with(LIB) => format!("A code module can import {} and nothing else.", all()),
            _ => {
                let lib: String = keys_in_scope().iter().map(|key| format!(", {key}")).collect();
                format!("A program can import {}{lib} and nothing else.", all())
            }
        },
    };
    format!("{REFUSAL}{name}'. {advice}")
}
