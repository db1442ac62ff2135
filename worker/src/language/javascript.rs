//! JavaScript: the reply is an ECMAScript module, and QuickJS-ng in the guest is the first to parse it.

use super::interpreted::{Interpreted, is_sdk_module};
use super::keys::camel_case;
use super::seam::Places;
use super::{OpenError, Prepare, ProgramLanguage, Reach};
use crate::artifacts::ArtifactSet;
use gg_common::arm::Arm;

/// The JavaScript arm.
#[derive(Debug)]
pub struct Javascript;

/// Words that no import can bind.
const RESERVED: &[&str] = &[
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// The key of a module: `csvTools`.
pub(super) fn module_key(name: &str) -> String {
    camel_case(name, |key| is_sdk_module(key) || RESERVED.contains(&key))
}

/// How a program reaches it.
pub(super) fn reach(key: &str) -> Reach {
    Reach { import: format!("import * as {key} from \"lib/{key}\";"), prefix: format!("{key}.") }
}

impl ProgramLanguage for Javascript {
    fn arm(&self) -> Arm {
        Arm::Javascript
    }

    fn checker(&self) -> Option<&'static str> {
        None
    }

    fn open(&self, _: &ArtifactSet, _: &Places) -> Result<Box<dyn Prepare>, OpenError> {
        Ok(Box::new(Interpreted { grammar: "javascript", extension: "js", key: module_key, reach }))
    }

    fn selfcheck_program(&self) -> &'static str {
        r#"import { openText } from "gg/views";
import { ApiError } from "gg/core";
const sum = await Promise.resolve([1, 2, 3].reduce((a, b) => a + b, 0));
try {
  openText("", "a label must not be empty");
  throw new Error("an empty label was taken");
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
}
openText("selfcheck", sum === 6 ? "ok" : `the sum is ${sum}`);
"#
    }

    fn hello_program(&self) -> &'static str {
        "console.log(\"hello\");\n"
    }
}
