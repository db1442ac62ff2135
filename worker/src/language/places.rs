//! Where the parts of a rewritten source stood in what was written: what a failure names is put back there.

use crate::executor::protocol::{Done, Failure, MAX_MESSAGE_BYTES};
use regex::{Captures, Regex};
use serde::Deserialize;
use std::sync::LazyLock;

/// Places of a rewritten source, in its order, and where each stood: lines and columns from 1, columns in UTF-16 units.
/// What lies between two places belongs to the first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<[u32; 4]>")]
pub struct Places(Vec<[u32; 4]>);

impl From<Vec<[u32; 4]>> for Places {
    fn from(mut places: Vec<[u32; 4]>) -> Places {
        places.sort_by_key(|[line, column, ..]| (*line, *column));
        Places(places)
    }
}

impl Places {
    /// Where a line and column of the rewritten source stood; none before the first place.
    pub fn original(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let after = self.0.partition_point(|[at, start, ..]| (*at, *start) <= (line, column));
        self.0[..after].last().map(|[.., line, column]| (*line, *column))
    }
}

/// A place in a file, as an engine writes it.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"([\w./]+):(\d{1,9}):(\d{1,9})\b").expect("the pattern is fixed"));

/// Puts what a guest says of a failure back to where it stood. `places` are by the names that it calls the files by; the
/// place of the failure itself is in the first of them.
pub fn correct(places: &[(String, Places)], done: &mut Done) {
    let Some(Failure { message, location, .. }) = &mut done.failure else { return };
    if places.is_empty() {
        return;
    }
    let of = |name: &str| places.iter().find(|(known, _)| known == name).map(|(_, places)| places);
    let placed = PLACE.replace_all(message, |found: &Captures<'_>| {
        let number = |group: usize| found[group].parse().unwrap_or(u32::MAX);
        match of(&found[1]).and_then(|places| places.original(number(2), number(3))) {
            Some((line, column)) => format!("{}:{line}:{column}", &found[1]),
            None => found[0].to_owned(),
        }
    });
    // A few digits more may be too many.
    *message = placed[..placed.floor_char_boundary(MAX_MESSAGE_BYTES)].to_owned();
    let program = places.iter().find(|(name, _)| !name.starts_with("lib/"));
    if let (Some((line, column)), Some((_, places))) = (location, program)
        && let Some((stood, at)) = places.original(*line, column.unwrap_or(u32::MAX))
    {
        (*line, *column) = (stood, column.map(|_| at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::feedback::FailureKind;
    use std::time::Duration;

    fn places() -> Places {
        Places::from(vec![[3, 1, 2, 5], [1, 1, 1, 1], [3, 10, 2, 1]])
    }

    #[test]
    fn a_place_is_that_of_the_part_that_it_lies_in() {
        let places = places();
        let rows = [((1, 1), (1, 1)), ((2, 7), (1, 1)), ((3, 9), (2, 5)), ((3, 10), (2, 1)), ((9, 9), (2, 1))];
        for (written, stood) in rows {
            assert_eq!(places.original(written.0, written.1), Some(stood), "{written:?}");
        }
        assert_eq!(Places::default().original(1, 1), None);
    }

    #[test]
    fn a_failure_is_told_at_its_places_in_what_was_written() {
        let mut done = Done::unlinkable("", Duration::ZERO);
        let message = "Error: no\n    at f (program.ts:3:9)\n    at g (lib/tools:3:12)\n    at lib/other:3:12";
        let failure = Failure {
            kind: FailureKind::Error,
            code: None,
            exit_code: None,
            message: message.to_owned(),
            location: Some((3, Some(9))),
        };
        done.failure = Some(failure.clone());
        correct(&[], &mut done);
        assert_eq!(done.failure.as_ref(), Some(&failure), "nothing moved");
        correct(&[("program.ts".to_owned(), places()), ("lib/tools".to_owned(), places())], &mut done);
        let told = done.failure.expect("a failure");
        let expected = "Error: no\n    at f (program.ts:2:5)\n    at g (lib/tools:2:1)\n    at lib/other:3:12";
        assert_eq!((told.message.as_str(), told.location), (expected, Some((2, Some(5)))));
    }
}
