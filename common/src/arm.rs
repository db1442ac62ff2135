//! The program languages. The enum grows as arms come, and exhaustive matches make a half-registered arm fail to compile.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One registered program language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// ECMAScript modules, run by QuickJS-ng in a prebuilt guest.
    Javascript,
    /// CPython 3.14 in a prebuilt guest.
    Python,
    /// TypeScript, checked by tsc and run by QuickJS-ng in the guest of the JavaScript arm.
    Typescript,
    /// Rust, compiled by rustc into a component a program.
    Rust,
}

impl Arm {
    /// Every registered arm, in the order that tables show them.
    pub const ALL: [Arm; 4] = [Arm::Javascript, Arm::Python, Arm::Typescript, Arm::Rust];

    /// The identifier that profiles, queues and folders use.
    pub const fn id(self) -> &'static str {
        match self {
            Arm::Javascript => "javascript",
            Arm::Python => "python",
            Arm::Typescript => "typescript",
            Arm::Rust => "rust",
        }
    }

    /// The name that the language's own users write.
    pub const fn display_name(self) -> &'static str {
        match self {
            Arm::Javascript => "JavaScript",
            Arm::Python => "Python",
            Arm::Typescript => "TypeScript",
            Arm::Rust => "Rust",
        }
    }

    /// The file name that a program of this arm goes by in its own diagnostics.
    pub const fn program_name(self) -> &'static str {
        match self {
            Arm::Javascript => "program.js",
            Arm::Python => "program.py",
            Arm::Typescript => "program.ts",
            Arm::Rust => "program.rs",
        }
    }
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// An identifier that names no registered arm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no arm `{given}`: write one of {}", Arm::ALL.map(Arm::id).join(", "))]
pub struct UnknownArm {
    /// What was given.
    pub given: String,
}

impl FromStr for Arm {
    type Err = UnknownArm;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Arm::ALL.into_iter().find(|arm| arm.id() == s).ok_or_else(|| UnknownArm { given: s.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_reads_back_and_an_unknown_one_names_the_choices() {
        for arm in Arm::ALL {
            assert_eq!(arm.id().parse::<Arm>(), Ok(arm));
            assert_eq!(serde_json::to_string(&arm).expect("json"), format!("\"{}\"", arm.id()));
        }
        let error = "cobol".parse::<Arm>().expect_err("unknown").to_string();
        assert_eq!(error, "there is no arm `cobol`: write one of javascript, python, typescript, rust");
    }
}
