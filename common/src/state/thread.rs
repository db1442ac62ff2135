//! The thread: the turns that were closed, and which of them were archived.

use super::Paged;
use crate::content::ContentKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A closed turn: its two messages are objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ThreadEntry {
    /// The turn, from 1.
    pub turn: u32,
    /// The model's reply.
    pub reply: ContentKey,
    /// What the model read of it when it was closed.
    pub shown: ContentKey,
    /// Tokens of both without the views, by the shared estimator: what archiving the turn reclaims.
    pub tokens: u32,
}

/// Turns in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnRange {
    /// The first.
    pub first: u32,
    /// The last, which belongs to them.
    pub last: u32,
}

/// A set of turns: ranges in order that do not touch.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TurnRanges(Vec<TurnRange>);

impl TurnRanges {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the turn is among them.
    pub fn contains(&self, turn: u32) -> bool {
        self.0.iter().any(|range| range.first <= turn && turn <= range.last)
    }

    /// The ranges, in order.
    pub fn iter(&self) -> impl Iterator<Item = &TurnRange> {
        self.0.iter()
    }

    /// Adds turns.
    pub fn add(&mut self, turns: &TurnRanges) {
        let mut all = std::mem::take(&mut self.0);
        all.extend(&turns.0);
        all.sort_unstable();
        for range in all {
            match self.0.last_mut() {
                Some(before) if range.first <= before.last.saturating_add(1) => {
                    before.last = before.last.max(range.last);
                }
                _ => self.0.push(range),
            }
        }
    }
}

impl FromIterator<TurnRange> for TurnRanges {
    fn from_iter<I: IntoIterator<Item = TurnRange>>(ranges: I) -> TurnRanges {
        let mut these = TurnRanges::default();
        these.add(&TurnRanges(ranges.into_iter().filter(|range| range.first <= range.last).collect()));
        these
    }
}

impl std::fmt::Display for TurnRanges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, range) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            match range {
                TurnRange { first, last } if first == last => write!(f, "{comma}{first}")?,
                TurnRange { first, last } => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// The turns that were closed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Thread {
    /// All of them, oldest first.
    #[serde(skip_serializing_if = "Paged::is_empty")]
    pub entries: Paged<ThreadEntry>,
    /// Those that left the window and can be searched.
    #[serde(skip_serializing_if = "TurnRanges::is_empty")]
    pub archived: TurnRanges,
}

impl Thread {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.archived.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(pairs: &[(u32, u32)]) -> TurnRanges {
        pairs.iter().map(|&(first, last)| TurnRange { first, last }).collect()
    }

    #[test]
    fn ranges_join_where_they_meet() {
        let mut turns = ranges(&[(7, 9), (1, 2), (3, 3), (5, 4)]);
        assert_eq!(turns.to_string(), "1-3, 7-9");
        turns.add(&ranges(&[(5, 8), (11, 11)]));
        assert_eq!(turns.to_string(), "1-3, 5-9, 11");
        assert!(turns.contains(6) && !turns.contains(4) && !turns.contains(10));
    }
}
