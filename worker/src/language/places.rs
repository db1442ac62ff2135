//! Where the parts of a rewritten program stood in the program that the model wrote: what a failure names is put back there.

use crate::executor::protocol::{Done, Failure, MAX_MESSAGE_BYTES};
use regex::Regex;
use serde::Deserialize;
use std::sync::LazyLock;

/// Places of a rewritten program, in its order, and where each stood: lines and columns from 1, columns in UTF-16 units.
/// What lies between two places on a line belongs to the first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<[u32; 4]>")]
pub struct Places(Vec<[u32; 4]>);

impl From<Vec<[u32; 4]>> for Places {
    fn from(mut places: Vec<[u32; 4]>) -> Places {
        places.sort_by_key(|[line, column, ..]| (*line, *column));
        Places(places)
    }
}

/// A place in the program, as the guest writes it.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(program\.[jt]s):(\d{1,9}):(\d{1,9})\b").expect("the pattern is fixed"));

impl Places {
    /// Where a line and column of the rewritten program stood; none where a later place begins, as before all of them.
    pub fn original(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let after = self.0.partition_point(|[at, start, ..]| (*at, *start) <= (line, column));
        self.0[..after].last().map(|[.., line, column]| (*line, *column))
    }

    /// Puts what the guest says of a failure back to where it stood.
    pub fn correct(&self, done: &mut Done) {
        let Some(Failure { message, location, .. }) = &mut done.failure else { return };
        let placed = PLACE.replace_all(message, |found: &regex::Captures<'_>| {
            let number = |group: usize| found[group].parse().unwrap_or(u32::MAX);
            match self.original(number(2), number(3)) {
                Some((line, column)) => format!("{}:{line}:{column}", &found[1]),
                None => found[0].to_owned(),
            }
        });
        // A few digits more may be too many.
        let placed = placed[..placed.floor_char_boundary(MAX_MESSAGE_BYTES)].to_owned();
        *message = placed;
        if let Some((line, column)) = location
            && let Some((stood, at)) = self.original(*line, column.unwrap_or(u32::MAX))
        {
            (*line, *column) = (stood, column.map(|_| at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Places {
        Places::from(vec![[3, 1, 2, 5], [1, 1, 1, 1], [3, 10, 2, 1]])
    }

    #[test]
    fn a_place_is_that_of_the_part_that_it_lies_in() {
        let places = places();
        for (written, stood) in [((1, 1), (1, 1)), ((2, 7), (1, 1)), ((3, 9), (2, 5)), ((3, 10), (2, 1)), ((9, 9), (2, 1))] {
            assert_eq!(places.original(written.0, written.1), Some(stood), "{written:?}");
        }
        assert_eq!(Places::default().original(1, 1), None);
    }
}
