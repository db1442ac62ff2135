//! Whether a run goes on.

use super::Progress;
use gg_common::ceilings::Ceilings;
use gg_common::event::Ending;

/// What comes next in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The model is asked for this turn's reply.
    Ask {
        /// The turn, from 1.
        turn: u32,
    },
    /// The run ends.
    End(Ending),
}

/// What comes next after `progress`, `elapsed_ms` into the run. An ending that the agent set stands above the ceilings:
/// work that is done is done, though it took the last turn.
pub fn next(progress: &Progress, ceilings: &Ceilings, elapsed_ms: u64) -> Next {
    if let Some(ending) = &progress.ending {
        return Next::End(ending.clone());
    }
    let rows = [
        ("consecutiveErrorTurns", progress.consecutive_error_turns, ceilings.consecutive_error_turns),
        ("errorTurns", progress.error_turns, ceilings.error_turns),
        ("turns", progress.turns, ceilings.turns),
        ("wallClockSecs", elapsed_ms / 1_000, ceilings.wall_clock_secs),
        ("inputTokens", progress.input_tokens, ceilings.input_tokens.unwrap_or(u64::MAX)),
        ("outputTokens", progress.output_tokens, ceilings.output_tokens.unwrap_or(u64::MAX)),
        ("cost", progress.cost.micros, ceilings.cost.map_or(u64::MAX, |cost| cost.micros)),
    ];
    match rows.into_iter().find(|(_, value, limit)| value >= limit) {
        Some((ceiling, _, limit)) => Next::End(Ending::Ceiling { ceiling: ceiling.to_owned(), limit }),
        None => Next::Ask { turn: u32::try_from(progress.turns + 1).unwrap_or(u32::MAX) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::job::Effect;
    use gg_common::money::Money;
    use gg_common::outcome::{Outcome, ProgramError, Rejection};

    fn failed() -> Outcome {
        Outcome::Failed { error_type: ProgramError::Error, error_text: "x".into(), location: None, exit_code: None }
    }

    fn rejected() -> Outcome {
        Outcome::Rejected { error_type: Rejection::ReplyEmpty, error_text: "x".into() }
    }

    fn finish(summary: &str) -> Effect {
        Effect::Finish { summary: summary.into() }
    }

    fn after(turns: &[(Outcome, Vec<Effect>)], ceilings: Ceilings, elapsed_ms: u64) -> Next {
        let mut progress = Progress::default();
        for (outcome, effects) in turns {
            progress.close_turn(outcome, effects);
        }
        next(&progress, &ceilings, elapsed_ms)
    }

    fn ceiling(name: &str, limit: u64) -> Next {
        Next::End(Ending::Ceiling { ceiling: name.into(), limit })
    }

    #[test]
    fn a_run_goes_on_until_something_ends_it() {
        let none = Ceilings::default();
        assert_eq!(after(&[], none, 0), Next::Ask { turn: 1 });
        assert_eq!(after(&[(Outcome::Completed, vec![]), (failed(), vec![])], none, 0), Next::Ask { turn: 3 });
    }

    #[test]
    fn each_ceiling_names_itself() {
        let ceilings = Ceilings {
            turns: 3,
            consecutive_error_turns: 2,
            error_turns: 2,
            wall_clock_secs: 10,
            input_tokens: Some(100),
            output_tokens: Some(20),
            cost: Some(Money { micros: 500 }),
        };
        let ok = || (Outcome::Completed, vec![]);
        assert_eq!(after(&[ok(), ok(), ok()], ceilings, 0), ceiling("turns", 3));
        assert_eq!(
            after(&[(failed(), vec![]), (rejected(), vec![])], ceilings, 0),
            ceiling("consecutiveErrorTurns", 2)
        );
        let apart = [(failed(), vec![]), ok(), (rejected(), vec![])];
        assert_eq!(after(&apart, Ceilings { turns: 9, ..ceilings }, 0), ceiling("errorTurns", 2));
        assert_eq!(after(&[ok()], ceilings, 9_999), Next::Ask { turn: 2 });
        assert_eq!(after(&[ok()], ceilings, 10_000), ceiling("wallClockSecs", 10));
        let used = |input_tokens, output_tokens| {
            next(&Progress { turns: 1, input_tokens, output_tokens, ..Progress::default() }, &ceilings, 0)
        };
        assert_eq!(used(99, 19), Next::Ask { turn: 2 });
        assert_eq!(used(100, 19), ceiling("inputTokens", 100));
        assert_eq!(used(99, 20), ceiling("outputTokens", 20));
        let spent = |micros| next(&Progress { turns: 1, cost: Money { micros }, ..Progress::default() }, &ceilings, 0);
        assert_eq!(spent(499), Next::Ask { turn: 2 });
        assert_eq!(spent(500), ceiling("cost", 500));
    }

    #[test]
    fn the_last_ending_of_a_completed_program_ends_the_run_even_at_a_ceiling() {
        let ceilings = Ceilings { turns: 1, ..Ceilings::default() };
        let turn = (Outcome::Completed, vec![finish("first"), finish("last")]);
        assert_eq!(after(&[turn], ceilings, 0), Next::End(Ending::Finished { summary: "last".into() }));
        let review =
            vec![Effect::Approve { summary: "good".into() }, Effect::RequestChanges { items: vec!["a".into()] }];
        let ended = after(&[(Outcome::Completed, review)], ceilings, 0);
        assert_eq!(ended, Next::End(Ending::ChangesRequested { items: vec!["a".into()] }));
    }

    #[test]
    fn an_ending_is_revoked_when_the_program_fails() {
        assert_eq!(after(&[(failed(), vec![finish("no")])], Ceilings::default(), 0), Next::Ask { turn: 2 });
        assert_eq!(after(&[(rejected(), vec![finish("no")])], Ceilings::default(), 0), Next::Ask { turn: 2 });
    }

    #[test]
    fn the_farms_failure_ends_the_run_and_counts_as_no_error_turn() {
        let internal = Outcome::Internal { error_text: "the disk is full".into(), suspect: None };
        let mut progress = Progress::default();
        progress.close_turn(&internal, &[finish("no")]);
        assert_eq!((progress.error_turns, progress.consecutive_error_turns), (0, 0));
        let ended = next(&progress, &Ceilings { error_turns: 1, ..Ceilings::default() }, u64::MAX);
        assert_eq!(ended, Next::End(Ending::InternalError { message: "the disk is full".into() }));
    }
}
