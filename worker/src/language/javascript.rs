//! JavaScript: the reply is an ECMAScript module, and QuickJS-ng in the guest is the first to parse it.

use super::seam::Places;
use super::{OpenError, Prepare, ProgramLanguage, Verbatim};
use crate::artifacts::ArtifactSet;
use gg_common::arm::Arm;

/// The JavaScript arm.
#[derive(Debug)]
pub struct Javascript;

impl ProgramLanguage for Javascript {
    fn arm(&self) -> Arm {
        Arm::Javascript
    }

    fn checker(&self) -> Option<&'static str> {
        None
    }

    fn open(&self, _: &ArtifactSet, _: &Places) -> Result<Box<dyn Prepare>, OpenError> {
        Ok(Box::new(Verbatim))
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
