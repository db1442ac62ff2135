//! What an agent has come to: a fold of its run's events.

use gg_common::content::ContentKey;
use gg_common::event::{Ending, EventBody};
use gg_common::job::{Body, Effect};
use gg_common::money::{Money, Prices};
use gg_common::operation::{Operation, TABLE};
use gg_common::outcome::Outcome;
use gg_common::profile::Profile;
use gg_common::state::{Memories, ProgramEntry, State, ThreadEntry};

/// Where a run stands, as far as its going on depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// Turns that were closed.
    pub turns: u64,
    /// Error turns since the last turn that was none.
    pub consecutive_error_turns: u64,
    /// Error turns in all.
    pub error_turns: u64,
    /// Tokens that the model read, as its provider counts them.
    pub input_tokens: u64,
    /// Tokens that the model wrote, as its provider counts them.
    pub output_tokens: u64,
    /// What the model's calls cost, as far as its prices are known.
    pub cost: Money,
    /// The ending that the last turn set, or the farm's failure.
    pub ending: Option<Ending>,
}

impl Progress {
    /// Closes a turn. An ending counts only where the program completed; the farm's failure counts against nothing.
    pub fn close_turn(&mut self, outcome: &Outcome, effects: &[Effect]) {
        self.turns += 1;
        if outcome.is_error_turn() {
            self.consecutive_error_turns += 1;
            self.error_turns += 1;
        } else {
            self.consecutive_error_turns = 0;
        }
        self.ending = match outcome {
            Outcome::Completed => effects.iter().rev().find_map(ending),
            Outcome::Internal { error_text, .. } => Some(Ending::InternalError { message: error_text.clone() }),
            Outcome::Failed { .. } | Outcome::Rejected { .. } => None,
        };
    }
}

/// The ending that an effect sets, if it sets one.
fn ending(effect: &Effect) -> Option<Ending> {
    match effect {
        Effect::Finish { summary } => Some(Ending::Finished { summary: summary.clone() }),
        Effect::Approve { summary } => Some(Ending::Approved { summary: summary.clone() }),
        Effect::RequestChanges { items } => Some(Ending::ChangesRequested { items: items.clone() }),
        _ => None,
    }
}

/// What an agent has come to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AgentState {
    /// Where its run stands.
    pub progress: Progress,
    /// Its tree.
    pub tree: Option<ContentKey>,
    /// What the model's tokens cost, where that is known.
    prices: Option<Prices>,
    /// How long the run had been driven at the last event that says so, in milliseconds.
    pub elapsed_ms: u64,
    /// What it keeps between its turns.
    pub kept: State,
    /// Which of it is for nobody, since the profile grants no call that reads it.
    keeps: Keeps,
    /// The reply of the open turn, as an entry of the library once it ran.
    open: Option<ProgramEntry>,
}

/// What is kept of an agent's turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Keeps {
    programs: bool,
    thread: bool,
}

impl Keeps {
    fn of(profile: &Profile) -> Keeps {
        let reads_programs = [Operation::ProgramsHistory, Operation::ProgramsGet];
        let keeps = |granted: &dyn Fn(Operation) -> bool| {
            TABLE.iter().map(|row| row.operation).any(|operation| granted(operation) && profile.grants_call(operation))
        };
        Keeps {
            programs: keeps(&|operation| reads_programs.contains(&operation)),
            thread: keeps(&|operation| operation == Operation::ContextArchiveThread),
        }
    }
}

impl AgentState {
    /// Applies an event.
    pub fn apply(&mut self, event: &EventBody) {
        match event {
            EventBody::RunStarted { tree, profile, memories, model, .. } => {
                self.prices = model.as_ref().and_then(|model| model.prices);
                self.tree = *tree;
                self.keeps = Keeps::of(profile);
                self.kept.memories = Memories::of(memories.clone());
            }
            EventBody::Reply { turn, text, usage, elapsed_ms, .. } => {
                self.progress.input_tokens = self.progress.input_tokens.saturating_add(usage.input_tokens);
                self.progress.output_tokens = self.progress.output_tokens.saturating_add(usage.output_tokens);
                if let Some(prices) = &self.prices {
                    self.progress.cost = self.progress.cost.plus(prices.of(usage));
                }
                self.open = Some(entry(*turn, text));
                self.elapsed_ms = *elapsed_ms;
            }
            EventBody::TurnStarted { .. }
            | EventBody::RunResumed { .. }
            | EventBody::Checked { .. }
            | EventBody::RunEnded { .. } => {}
            EventBody::CodeExecution { turn, worker, outcome, effects, followed, tree, elapsed_ms, .. } => {
                self.elapsed_ms = *elapsed_ms;
                self.progress.close_turn(outcome, effects);
                self.tree = *tree;
                for effect in effects {
                    self.kept.apply(*turn, effect);
                }
                if let Some(mut program) = self.open.take()
                    && worker.is_some()
                    && self.keeps.programs
                {
                    if let Some(rerun) = followed.iter().rfind(|run| run.is_rerun()) {
                        // What ran in the reply's place is what a later program asks for.
                        program = entry(*turn, &rerun.source);
                        (program.lines, program.chars) = (rerun.lines, rerun.chars);
                    }
                    program.ok = *outcome == Outcome::Completed;
                    program.error = outcome.error_type();
                    self.kept.programs.push(program);
                }
            }
        }
    }

    /// Whether the sources of programs are kept as objects, for programs that ask for them.
    pub fn keeps_programs(&self) -> bool {
        self.keeps.programs
    }

    /// Whether the messages of turns are kept as objects, for a search of the archive.
    pub fn keeps_thread(&self) -> bool {
        self.keeps.thread
    }

    /// Adds a closed turn to the thread, with the objects that hold its messages.
    pub fn turn_shown(&mut self, entry: ThreadEntry) {
        if self.keeps.thread {
            self.kept.thread.entries.push(entry);
        }
    }
}

fn entry(turn: u32, text: &Body) -> ProgramEntry {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let (source, lines, chars) = match text {
        Body::Inline(text) => {
            (ContentKey::of(text.as_bytes()), count(text.lines().count()), count(text.chars().count()))
        }
        // Its size is filled in by who holds the text: see `AgentState::measure`.
        Body::Object { key, .. } => (*key, 0, 0),
    };
    ProgramEntry { turn, lines, chars, ok: false, error: None, source }
}

impl AgentState {
    /// Measures the open turn's program where the log holds it as an object.
    pub fn measure(&mut self, text: &str) {
        if let Some(open) = &mut self.open {
            open.lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
            open.chars = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::events::logs;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_events_fold_the_same_in_one_go_and_in_pieces(log in logs(), cut in any::<prop::sample::Index>()) {
            let mut whole = AgentState::default();
            log.iter().for_each(|event| whole.apply(&event.event));
            let mut pieces = AgentState::default();
            let (first, second) = log.split_at(cut.index(log.len()));
            first.iter().for_each(|event| pieces.apply(&event.event));
            // Between the pieces, what was filled is stored, as when a job is made.
            let mut pages = pieces.kept.take_unsaved();
            second.iter().for_each(|event| pieces.apply(&event.event));
            pages.extend(pieces.kept.take_unsaved());
            prop_assert_eq!(whole.kept.take_unsaved(), pages);
            prop_assert_eq!(whole, pieces);
        }
    }
}
