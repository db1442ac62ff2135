//! The seam: what an arm supplies so that its programs can be prepared and run. One file an arm, and an exhaustive
//! registry, so that a half-registered arm does not compile.

mod javascript;
mod python;

use gg_common::arm::Arm;

/// What the sandbox runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prepared {
    /// A program's own bytes, for the arm's prebuilt guest.
    Source(Vec<u8>),
}

/// One program language.
pub trait ProgramLanguage: Sync {
    /// Which.
    fn arm(&self) -> Arm;

    /// The name that the language's own users give the thing that judges a program; none where nothing does before it
    /// runs.
    fn checker(&self) -> Option<&'static str>;

    /// From a reply's bytes to what the sandbox runs. The bytes are the program: nothing is added to them.
    fn prepare_program(&self, source: &str) -> Prepared;

    /// A program that exercises the arm, for the self-check: it must complete and show a text view labelled `selfcheck`
    /// that holds `ok`.
    fn selfcheck_program(&self) -> &'static str;

    /// The smallest program that prints a line, for benchmarks.
    fn hello_program(&self) -> &'static str;
}

/// The language of an arm.
pub fn language(arm: Arm) -> &'static dyn ProgramLanguage {
    match arm {
        Arm::Javascript => &javascript::Javascript,
        Arm::Python => &python::Python,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_arm_is_registered_as_itself_and_its_preparation_keeps_the_programs_bytes() {
        for arm in Arm::ALL {
            let language = language(arm);
            assert_eq!(language.arm(), arm);
            let program = "\u{feff}odd\r\n\tbytes \0 é\u{2028}";
            assert_eq!(language.prepare_program(program), Prepared::Source(program.as_bytes().to_vec()));
        }
    }
}
