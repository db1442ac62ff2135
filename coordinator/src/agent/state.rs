//! What an agent has come to: a fold of its run's events.

use gg_common::content::ContentKey;
use gg_common::event::{Ending, EventBody};
use gg_common::job::{Body, Effect, ProgramEntry};
use gg_common::outcome::Outcome;

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
        Effect::ViewOpened { .. } | Effect::SkillPinned { .. } => None,
    }
}

/// What an agent has come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AgentState {
    /// Where its run stands.
    pub progress: Progress,
    /// Its tree.
    pub tree: Option<ContentKey>,
    /// How long the run had been driven at the last event that says so, in milliseconds.
    pub elapsed_ms: u64,
    /// The programs that ran, oldest first.
    pub programs: Vec<ProgramEntry>,
    /// The reply of the open turn, as an entry of the library once it ran.
    open: Option<ProgramEntry>,
}

impl AgentState {
    /// Applies an event.
    pub fn apply(&mut self, event: &EventBody) {
        match event {
            EventBody::RunStarted { tree, .. } => self.tree = *tree,
            EventBody::Reply { turn, text, usage, elapsed_ms, .. } => {
                self.progress.input_tokens = self.progress.input_tokens.saturating_add(usage.input_tokens);
                self.progress.output_tokens = self.progress.output_tokens.saturating_add(usage.output_tokens);
                self.open = Some(entry(*turn, text));
                self.elapsed_ms = *elapsed_ms;
            }
            EventBody::TurnStarted { .. } | EventBody::RunResumed { .. } | EventBody::RunEnded { .. } => {}
            EventBody::CodeExecution { worker, outcome, effects, tree, elapsed_ms, .. } => {
                self.elapsed_ms = *elapsed_ms;
                self.progress.close_turn(outcome, effects);
                self.tree = *tree;
                if let Some(mut program) = self.open.take()
                    && worker.is_some()
                {
                    program.ok = *outcome == Outcome::Completed;
                    program.error = outcome.error_type();
                    self.programs.push(program);
                }
            }
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
