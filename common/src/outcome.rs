//! How a turn ends: four outcomes that never mix, each with its own error types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a program failed. The model's to fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum ProgramError {
    /// An uncaught error of the language.
    #[serde(rename = "program_error")]
    Error,
    /// An uncaught error of a gg call.
    #[serde(rename = "program_api_error")]
    ApiError,
    /// An uncaught error about a name that does not exist, or about a call that is not offered to the agent.
    #[serde(rename = "program_unknown_name")]
    UnknownName,
    /// The program left with a non-zero status.
    #[serde(rename = "program_exit")]
    Exit,
    /// Guest time or wall time ran out.
    #[serde(rename = "program_timeout")]
    Timeout,
    /// Memory ran out.
    #[serde(rename = "program_out_of_memory")]
    OutOfMemory,
    /// The stack ran out.
    #[serde(rename = "program_stack_overflow")]
    StackOverflow,
    /// The engine ended the program.
    #[serde(rename = "program_trap")]
    Trap,
    /// Nothing was left that could wake the program.
    #[serde(rename = "program_deadlock")]
    Deadlock,
    /// A limit on what a program may write or hold was reached.
    #[serde(rename = "program_limit")]
    Limit,
}

/// Why a reply was rejected before it ran. The model's to fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Rejection {
    /// The checker could not parse the program.
    #[serde(rename = "transpile_syntax")]
    TranspileSyntax,
    /// The checker parsed the program and refused it.
    #[serde(rename = "transpile_compile")]
    TranspileCompile,
    /// The program asks for something that the arm does not have.
    #[serde(rename = "transpile_unsupported")]
    TranspileUnsupported,
    /// Nothing but white space.
    #[serde(rename = "reply_empty")]
    ReplyEmpty,
    /// The model was cut off.
    #[serde(rename = "reply_truncated")]
    ReplyTruncated,
    /// Its provider withheld the rest.
    #[serde(rename = "reply_filtered")]
    ReplyFiltered,
    /// The model refused.
    #[serde(rename = "reply_refused")]
    ReplyRefused,
    /// The provider gave no reply.
    #[serde(rename = "reply_missing")]
    ReplyMissing,
    /// Longer than `limits.replyBytes`.
    #[serde(rename = "reply_too_large")]
    ReplyTooLarge,
    /// Not UTF-8.
    #[serde(rename = "reply_not_utf8")]
    ReplyNotUtf8,
}

macro_rules! display_as_serialized {
    ($($type:ty),*) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.serialize(f)
            }
        }
    )*};
}
display_as_serialized!(ProgramError, Rejection);

/// Where in the program something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Location {
    /// 1-based.
    pub line: u32,
    /// 1-based, in the unit that the language's own users know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// Whose fault an unexplained failure of the farm may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Suspect {
    /// The same thing worked with a program of our own: counted apart, repeated at most once.
    Program,
}

/// How one turn's programs ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Outcome {
    /// The program ran to its end.
    Completed,
    /// The program failed while it ran.
    Failed {
        /// Why.
        error_type: ProgramError,
        /// Exactly what the model reads under `Program error`.
        error_text: String,
        /// Where in the program, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        location: Option<Location>,
        /// The status that the program left with, where it left with one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
    },
    /// The reply was rejected before it ran.
    Rejected {
        /// Why.
        error_type: Rejection,
        /// Exactly what the model reads under `Compiler error`, or instead of a program's result.
        error_text: String,
    },
    /// The farm failed: the run ends, the model reads nothing, no ceiling counts it.
    Internal {
        /// What failed, where, and what the operator can do.
        error_text: String,
        /// Set where the farm itself was seen to be well.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        suspect: Option<Suspect>,
    },
}

impl Outcome {
    /// The error type's name as records write it; none where the program completed.
    pub fn error_type(&self) -> Option<String> {
        match self {
            Outcome::Completed => None,
            Outcome::Failed { error_type, .. } => Some(error_type.to_string()),
            Outcome::Rejected { error_type, .. } => Some(error_type.to_string()),
            Outcome::Internal { .. } => Some("internal_error".to_owned()),
        }
    }

    /// What the model reads of the failure; none where the program completed or the farm failed.
    pub fn model_text(&self) -> Option<&str> {
        match self {
            Outcome::Failed { error_text, .. } | Outcome::Rejected { error_text, .. } => Some(error_text),
            Outcome::Completed | Outcome::Internal { .. } => None,
        }
    }

    /// Whether the turn counts against the error ceilings.
    pub fn is_error_turn(&self) -> bool {
        matches!(self, Outcome::Failed { .. } | Outcome::Rejected { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_types_are_written_by_their_names() {
        let failed = Outcome::Failed {
            error_type: ProgramError::OutOfMemory,
            error_text: "x".into(),
            location: None,
            exit_code: None,
        };
        assert_eq!(failed.error_type().as_deref(), Some("program_out_of_memory"));
        assert_eq!(Rejection::ReplyNotUtf8.to_string(), "reply_not_utf8");
        let json = serde_json::to_value(&failed).expect("json");
        assert_eq!(json, serde_json::json!({"outcome":"failed","errorType":"program_out_of_memory","errorText":"x"}));
    }

    #[test]
    fn the_farms_failure_says_nothing_to_the_model_and_counts_against_no_ceiling() {
        let internal = Outcome::Internal { error_text: "disk".into(), suspect: Some(Suspect::Program) };
        assert_eq!(internal.model_text(), None);
        assert!(!internal.is_error_turn());
        assert!(Outcome::Rejected { error_type: Rejection::ReplyEmpty, error_text: String::new() }.is_error_turn());
    }
}
