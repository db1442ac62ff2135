//! Texts that teach the agent something, some with code.
#![doc(alias = "ggmodule:skills")]

use crate::bindings::gg::sandbox::skills as host;
use crate::core::{ApiError, called};

/// Reads a skill's body, keeps it in the model's window, and loads its code where it has some.
///
/// # Arguments
///
/// * `name` - The skill.
///
/// # Errors
///
/// [`ApiError`]: `NotFound` where there is no such skill; the message lists near names.
#[doc(alias = "ggop:skills.read_skill")]
#[track_caller]
pub fn read_skill(name: &str) -> Result<String, ApiError> {
    called(host::read_skill(name))
}
