//! Whose fault a compiler's death is. A program can bring one about, so the arm's own program is prepared after it: where
//! that passes, the program is under suspicion; where it fails, the compiler is broken.

use super::PrepareError;
use gg_common::outcome::Suspect;

/// What came of a preparation.
#[derive(Debug)]
pub struct Judged<T> {
    /// What it gave; a death is marked where the program is suspected of it.
    pub prepared: Result<T, PrepareError>,
    /// Why the arm is of no use on this worker, where it is not.
    pub broken: Option<PrepareError>,
}

/// What a preparation gave, and after a compiler's death what the canary, prepared by the same way, says of it.
pub fn judge<T, C>(prepared: Result<T, PrepareError>, canary: impl FnOnce() -> Result<C, PrepareError>) -> Judged<T> {
    let mut failure = match prepared {
        Err(PrepareError::Toolchain(failure)) if failure.end.is_death() => failure,
        prepared => return Judged { prepared, broken: None },
    };
    let broken = canary().err();
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
        PrepareError::Toolchain(ToolchainFailure { compiler: "testc".into(), end, tail: String::new(), suspect: None })
    }

    fn judged(of_program: Result<(), PrepareError>, of_canary: Result<(), PrepareError>) -> (Judged<()>, u32) {
        let mut asked = 0;
        let judged = judge(of_program, || {
            asked += 1;
            of_canary
        });
        (judged, asked)
    }

    #[test]
    fn a_death_is_the_programs_where_the_canary_lives_and_the_compilers_where_it_does_not() {
        for end in [ToolchainEnd::Signalled(11), ToolchainEnd::Garbled, ToolchainEnd::Bound, ToolchainEnd::Exited(1)] {
            let (suspected, asked) = judged(Err(died(end)), Ok(()));
            let Err(PrepareError::Toolchain(failure)) = suspected.prepared else { panic!("{end:?}") };
            assert_eq!((failure.suspect, suspected.broken, asked), (Some(Suspect::Program), None, 1), "{end:?}");
            let (unfit, asked) = judged(Err(died(end)), Err(died(end)));
            let Err(PrepareError::Toolchain(failure)) = unfit.prepared else { panic!("{end:?}") };
            assert_eq!((failure.suspect, unfit.broken, asked), (None, Some(died(end)), 1), "{end:?}");
        }
    }

    #[test]
    fn what_no_program_can_bring_about_asks_no_canary() {
        assert_eq!(judged(Ok(()), Ok(())).1, 0);
        assert_eq!(judged(Err(died(ToolchainEnd::NotStarted)), Ok(())).1, 0);
    }
}
