//! Each turn in a line, above the live line where there is one.

use super::live::{Activity, Live};
use super::progress::say;
use crate::agent::{Closed, Observer, Stage};
use gg_common::outcome::Outcome;
use gg_common::plain::printable;

/// Tells each turn in a line when it is closed, and what is done until then on a terminal.
#[derive(Debug)]
pub(super) struct Lines {
    /// How many turns the run may take.
    pub ceiling: u64,
    /// What is drawn on a terminal.
    pub live: Option<Live>,
}

impl Observer for Lines {
    fn stage(&self, stage: &Stage<'_>) {
        let (turn, activity, tokens) = match *stage {
            Stage::Asking(turn, tokens) => (turn, Activity::AskingTheModel, tokens),
            Stage::Running(turn, tokens) => (turn, Activity::RunningTheProgram, tokens),
            Stage::Storing(turn, tokens) => (turn, Activity::Storing, tokens),
            Stage::Checking(turn, tokens) => (turn, Activity::CheckingTheTree, tokens),
            Stage::Closed(ref closed) => return say(&line(closed)),
        };
        if let Some(live) = &self.live {
            live.at(turn, self.ceiling, activity, tokens);
        }
    }
}

fn line(closed: &Closed<'_>) -> String {
    let Closed { turn, outcome, views, timings } = closed;
    let result = match outcome {
        Outcome::Completed => "completed".to_owned(),
        Outcome::Failed { .. } | Outcome::Rejected { .. } | Outcome::Internal { .. } => {
            let first =
                outcome.model_text().and_then(gist).map(|text| format!(": {}", printable(text))).unwrap_or_default();
            format!("{}{first}", outcome.error_type().unwrap_or_default())
        }
    };
    let shown = match views {
        0 => String::new(),
        1 => ", 1 view".to_owned(),
        views => format!(", {views} views"),
    };
    let compiled = timings.compile_ms.map(|took| format!(", compiled in {took:.1} ms")).unwrap_or_default();
    format!("turn {turn}: {result}{shown} ({:.1} ms{compiled})", timings.duration_ms)
}

/// The line of an error that says what it is: a traceback's last at the margin, any other text's first.
fn gist(text: &str) -> Option<&str> {
    let mut lines = text.lines().filter(|line| line.starts_with(|c: char| !c.is_whitespace()));
    if text.starts_with("Traceback") { lines.next_back() } else { lines.next() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::job::Timings;
    use gg_common::outcome::ProgramError;

    #[test]
    fn a_turn_is_told_in_a_line() {
        let timings = Timings { duration_ms: 1.25, ..Timings::default() };
        let told = |outcome: &Outcome, views| line(&Closed { turn: 2, outcome, views, timings });
        assert_eq!(told(&Outcome::Completed, 2), "turn 2: completed, 2 views (1.2 ms)");
        let compiled = Timings { compile_ms: Some(230.04), ..timings };
        let closed = Closed { turn: 1, outcome: &Outcome::Completed, views: 0, timings: compiled };
        assert_eq!(line(&closed), "turn 1: completed (1.2 ms, compiled in 230.0 ms)");
        let failed = Outcome::Failed {
            error_type: ProgramError::Error,
            error_text: "Traceback (most recent call last):\n  …\nKeyError: 'a'\n".into(),
            location: None,
            exit_code: None,
        };
        assert_eq!(told(&failed, 0), "turn 2: program_error: KeyError: 'a' (1.2 ms)");
        assert_eq!(gist("ApiError: x\n    at walk (program.js:6:50) {\n  code: 'other'\n}"), Some("ApiError: x"));
    }
}
