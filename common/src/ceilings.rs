//! Bounds on a whole run. Each names itself when it ends a run.

use crate::config::Allowed;
use crate::money::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bounds on a whole run. The names are those that endings and notices use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Ceilings {
    /// How many turns the agent may take. Default: 50.
    pub turns: u64,
    /// How many error turns may follow each other (a program that failed, a reply that was rejected). Default: 5.
    pub consecutive_error_turns: u64,
    /// How many error turns there may be in all. Default: 20.
    pub error_turns: u64,
    /// How long the run may take, in seconds; the time that models and workers take is counted. Default: 3,600.
    pub wall_clock_secs: u64,
    /// How many tokens the model may read in all its calls, as its provider counts them. Default: no bound.
    pub input_tokens: Option<u64>,
    /// How many tokens the model may write in all its calls, as its provider counts them. Default: no bound.
    pub output_tokens: Option<u64>,
    /// What the model's calls may cost together, in the currency of `model.prices`. Default: no bound.
    pub cost: Option<Money>,
}

impl Default for Ceilings {
    fn default() -> Self {
        Ceilings {
            turns: 50,
            consecutive_error_turns: 5,
            error_turns: 20,
            wall_clock_secs: 3_600,
            input_tokens: None,
            output_tokens: None,
            cost: None,
        }
    }
}

/// A ceiling out of its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`ceilings.{name}` is {value}: it must be between {least} and {most}")]
pub struct CeilingError {
    /// The ceiling's name, as a run file writes it.
    pub name: &'static str,
    /// What was given.
    pub value: u64,
    /// The smallest that works.
    pub least: u64,
    /// The largest that is allowed.
    pub most: u64,
}

impl Ceilings {
    /// What each ceiling may be.
    pub fn allowed() -> Vec<Allowed> {
        let rows = Ceilings::default().rows().into_iter();
        // An amount of money has a range of its own, and is no whole number.
        rows.filter(|(name, ..)| *name != "cost").map(|(name, _, most)| Allowed { name, least: 1, most }).collect()
    }

    /// Every ceiling that is out of its range.
    pub fn problems(&self) -> Vec<CeilingError> {
        self.rows()
            .into_iter()
            .filter(|(_, value, most)| *value < 1 || value > most)
            .map(|(name, value, most)| CeilingError { name, value, least: 1, most })
            .collect()
    }

    /// Each ceiling: its name, its value, the most.
    fn rows(&self) -> Vec<(&'static str, u64, u64)> {
        vec![
            ("turns", self.turns, 100_000),
            ("consecutiveErrorTurns", self.consecutive_error_turns, 100_000),
            ("errorTurns", self.error_turns, 100_000),
            ("wallClockSecs", self.wall_clock_secs, 30 * 24 * 3_600),
            ("inputTokens", self.input_tokens.unwrap_or(1), u64::MAX),
            ("outputTokens", self.output_tokens.unwrap_or(1), u64::MAX),
            ("cost", self.cost.map_or(1, |cost| cost.micros), u64::MAX),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_in_range_and_a_ceiling_out_of_range_is_named() {
        assert_eq!(Ceilings::default().problems(), []);
        let ceilings = Ceilings { turns: 0, wall_clock_secs: u64::MAX, ..Ceilings::default() };
        let names: Vec<_> = ceilings.problems().iter().map(|p| p.name).collect();
        assert_eq!(names, ["turns", "wallClockSecs"]);
        assert_eq!(ceilings.problems()[0].to_string(), "`ceilings.turns` is 0: it must be between 1 and 100000");
    }
}
