//! Whose fault a compiler's death is. A program can bring one about, so the arm's own program is prepared after it: where
//! that passes, the program is under suspicion; where it fails, the compiler is broken.

use super::{PrepareError, Prepared};
use gg_common::outcome::Suspect;

/// What came of a preparation.
#[derive(Debug)]
pub struct Judged {
    /// What it gave; a death is marked where the program is suspected of it.
    pub prepared: Result<Prepared, PrepareError>,
    /// Why the arm is of no use on this worker, where it is not.
    pub broken: Option<PrepareError>,
}

/// Prepares a program, and after a compiler's death the canary by the same way.
pub fn judge(
    program: &str,
    canary: &str,
    mut prepare: impl FnMut(&str) -> Result<Prepared, PrepareError>,
) -> Judged {
    let mut failure = match prepare(program) {
        Err(PrepareError::Toolchain(failure)) if failure.end.is_death() => failure,
        prepared => return Judged { prepared, broken: None },
    };
    let broken = prepare(canary).err();
    if broken.is_none() {
        failure.suspect = Some(Suspect::Program);
    }
    Judged { prepared: Err(PrepareError::Toolchain(failure)), broken }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{ToolchainEnd, ToolchainFailure};

    fn died(end: ToolchainEnd) -> PrepareError {
        PrepareError::Toolchain(ToolchainFailure {
            compiler: "testc".into(),
            end,
            tail: String::new(),
            suspect: None,
        })
    }

    fn judged(of_program: Result<Prepared, PrepareError>, of_canary: Result<Prepared, PrepareError>) -> (Judged, u32) {
        let mut asked = 0;
        let judged = judge("program", "canary", |source| {
            asked += 1;
            if source == "program" { of_program.clone() } else { of_canary.clone() }
        });
        (judged, asked)
    }

    #[test]
    fn a_death_is_the_programs_where_the_canary_lives_and_the_compilers_where_it_does_not() {
        let fine = Ok(Prepared::Source(Vec::new()));
        for end in [ToolchainEnd::Signalled(11), ToolchainEnd::Garbled, ToolchainEnd::Bound, ToolchainEnd::Exited(1)] {
            let (suspected, asked) = judged(Err(died(end)), fine.clone());
            let Err(PrepareError::Toolchain(failure)) = suspected.prepared else { panic!("{end:?}") };
            assert_eq!((failure.suspect, suspected.broken, asked), (Some(Suspect::Program), None, 2), "{end:?}");
            let (unfit, asked) = judged(Err(died(end)), Err(died(end)));
            let Err(PrepareError::Toolchain(failure)) = unfit.prepared else { panic!("{end:?}") };
            assert_eq!((failure.suspect, unfit.broken, asked), (None, Some(died(end)), 2), "{end:?}");
        }
    }

    #[test]
    fn what_no_program_can_bring_about_asks_no_canary() {
        let fine = Ok(Prepared::Source(Vec::new()));
        assert_eq!(judged(fine.clone(), fine.clone()).1, 1);
        assert_eq!(judged(Err(died(ToolchainEnd::NotStarted)), fine).1, 1);
    }
}
