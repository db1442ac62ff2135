//! Whether a log can be gone on with: that its events are one run's, in an order in which a run writes them.

use gg_common::check::Verdict;
use gg_common::event::{Event, EventBody};
use gg_common::job::RunId;

/// What a run is at, by its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Before its first event.
    Nothing,
    /// So many turns are closed, and none is open.
    Closed(u32),
    /// This turn is open.
    Open(u32),
    /// As before, and its final tree was checked.
    Checked(u32),
    /// As before, and it ended.
    Ended(u32),
}

/// The first event, by its line, that does not follow from those before it, and why.
pub fn first_wrong(run: &RunId, events: &[Event]) -> Option<(usize, String)> {
    let mut at = At::Nothing;
    for (index, event) in events.iter().enumerate() {
        if event.run != *run {
            return Some((index + 1, format!("it is of the run {}", event.run)));
        }
        let next = follow(at, &event.event);
        match next {
            Some(next) => at = next,
            None => return Some((index + 1, "no run writes this event after those before it".to_owned())),
        }
    }
    None
}

fn follow(at: At, event: &EventBody) -> Option<At> {
    match (at, event) {
        (At::Nothing, EventBody::RunStarted { .. }) => Some(At::Closed(0)),
        (At::Closed(turns), EventBody::Reply { turn, .. }) if turns.checked_add(1) == Some(*turn) => {
            Some(At::Open(*turn))
        }
        (At::Open(open), EventBody::TurnStarted { turn, .. }) if *turn == open => Some(at),
        (At::Open(open), EventBody::CodeExecution { turn, .. }) if *turn == open => Some(At::Closed(open)),
        (At::Closed(turns), EventBody::Checked { .. }) => Some(At::Checked(turns)),
        (At::Closed(turns) | At::Checked(turns), EventBody::RunEnded { .. }) => Some(At::Ended(turns)),
        // A turn whose worker could not be reached stays open when its run ends, and is not checked.
        (At::Open(turn), EventBody::Checked { result }) if result.verdict == Verdict::CouldNotRun => {
            Some(At::Checked(turn))
        }
        (At::Open(turn), EventBody::RunEnded { .. }) => Some(At::Ended(turn)),
        (At::Closed(_) | At::Open(_) | At::Checked(_), EventBody::RunResumed { .. }) => Some(at),
        (At::Ended(turns), EventBody::RunResumed { .. }) => Some(At::Closed(turns)),
        _ => None,
    }
}
