//! What an agent is told of its ceilings before one of them ends its run.

use super::Progress;
use crate::prompts::duration;
use gg_common::ceilings::Ceilings;
use gg_common::money::Money;

/// The notices after `progress`, `elapsed_ms` into the run.
pub fn notices(progress: &Progress, ceilings: &Ceilings, elapsed_ms: u64) -> Vec<String> {
    let mut notices = Vec::new();
    let left = |ceiling: u64, value: u64| ceiling.saturating_sub(value);
    let turns = left(ceilings.turns, progress.turns);
    if turns == 1 {
        notices.push("The next turn is your last.".to_owned());
    } else if turns > 1 && turns <= 3 && progress.turns > 0 {
        notices.push(format!("{turns} turns are left."));
    }
    let in_a_row = left(ceilings.consecutive_error_turns, progress.consecutive_error_turns);
    let in_all = left(ceilings.error_turns, progress.error_turns);
    // One error turn is ordinary: the notice comes when the next would be the last.
    if in_a_row.min(in_all) == 1 && progress.consecutive_error_turns > 0 {
        notices.push("One more error turn ends the run.".to_owned());
    }
    let wall_ms = ceilings.wall_clock_secs.saturating_mul(1_000);
    let wall_left_ms = wall_ms.saturating_sub(elapsed_ms);
    if wall_left_ms < wall_ms / 10 {
        let whole_secs = (wall_left_ms / 1_000).max(1) * 1_000;
        notices.push(format!("{} of the run's time are left.", duration(whole_secs)));
    }
    let spent = [
        ("read", progress.input_tokens, ceilings.input_tokens),
        ("write", progress.output_tokens, ceilings.output_tokens),
    ];
    for (what, used, ceiling) in spent {
        let Some(ceiling) = ceiling else { continue };
        let left = ceiling.saturating_sub(used);
        if left < ceiling / 10 {
            notices.push(format!("{left} of the {ceiling} tokens that you may {what} are left."));
        }
    }
    if let Some(ceiling) = ceilings.cost {
        let left = ceiling.micros.saturating_sub(progress.cost.micros);
        if left <= ceiling.micros / 20 {
            notices.push(format!("{} of the {ceiling} that you may cost are left.", Money { micros: left }));
        }
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_told_before_a_ceiling_ends_its_run() {
        let ceilings = Ceilings {
            turns: 10,
            consecutive_error_turns: 3,
            error_turns: 5,
            wall_clock_secs: 100,
            input_tokens: Some(1_000),
            output_tokens: None,
            cost: Some(Money { micros: 2_000_000 }),
        };
        let told = |turns, consecutive_error_turns, error_turns, elapsed_ms| {
            let progress = Progress { turns, consecutive_error_turns, error_turns, ..Progress::default() };
            notices(&progress, &ceilings, elapsed_ms)
        };
        assert_eq!(told(1, 0, 0, 0), [""; 0]);
        assert_eq!(told(8, 0, 0, 0), ["2 turns are left."]);
        assert_eq!(told(9, 0, 0, 0), ["The next turn is your last."]);
        assert_eq!(told(4, 2, 2, 0), ["One more error turn ends the run."]);
        assert_eq!(told(5, 1, 4, 0), ["One more error turn ends the run."]);
        assert_eq!(told(5, 0, 4, 95_000), ["5 seconds of the run's time are left."]);
        let reads = |input_tokens| notices(&Progress { input_tokens, ..Progress::default() }, &ceilings, 0);
        assert_eq!(reads(900), [""; 0]);
        let cost = Money { micros: 1_900_000 };
        let spent = notices(&Progress { cost, ..Progress::default() }, &ceilings, 0);
        assert_eq!(spent, ["0.10 of the 2.00 that you may cost are left."]);
        assert_eq!(reads(950), ["50 of the 1000 tokens that you may read are left."]);
    }
}
