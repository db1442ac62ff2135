//! Python: the reply is a module, and CPython in the guest is the first to parse it.

use super::seam::Places;
use super::{OpenError, Prepare, ProgramLanguage, Verbatim};
use crate::artifacts::ArtifactSet;
use gg_common::arm::Arm;

/// The Python arm.
#[derive(Debug)]
pub struct Python;

impl ProgramLanguage for Python {
    fn arm(&self) -> Arm {
        Arm::Python
    }

    fn checker(&self) -> Option<&'static str> {
        None
    }

    fn open(&self, _: &ArtifactSet, _: &Places) -> Result<Box<dyn Prepare>, OpenError> {
        Ok(Box::new(Verbatim))
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
