//! Python: the reply is a module, and CPython in the guest is the first to parse it.

use super::interpreted::{Interpreted, is_sdk_module};
use super::keys::snake_case;
use super::seam::Places;
use super::{OpenError, Prepare, ProgramLanguage, Reach};
use crate::artifacts::ArtifactSet;
use gg_common::arm::Arm;

/// The Python arm.
#[derive(Debug)]
pub struct Python;

/// Words that no import can bind.
const RESERVED: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
    "return", "try", "while", "with", "yield",
];

fn module_key(name: &str) -> String {
    snake_case(name, |key| is_sdk_module(key) || RESERVED.contains(&key))
}

fn reach(key: &str) -> Reach {
    Reach { import: format!("from lib import {key}"), prefix: format!("{key}.") }
}

impl ProgramLanguage for Python {
    fn arm(&self) -> Arm {
        Arm::Python
    }

    fn checker(&self) -> Option<&'static str> {
        None
    }

    fn open(&self, _: &ArtifactSet, _: &Places) -> Result<Box<dyn Prepare>, OpenError> {
        Ok(Box::new(Interpreted { grammar: "python", extension: "py", key: module_key, reach }))
    }

    fn selfcheck_program(&self) -> &'static str {
        r#"import asyncio
import json
from gg import views
from gg.core import ApiError

async def total():
    await asyncio.sleep(0)
    return sum(json.loads("[1, 2, 3]"))

try:
    views.open_text("", "a label must not be empty")
    raise SystemExit("an empty label was taken")
except ApiError:
    pass
views.open_text("selfcheck", "ok" if asyncio.run(total()) == 6 else "wrong sum")
"#
    }

    fn hello_program(&self) -> &'static str {
        "print(\"hello\")\n"
    }
}
