//! The live line of a run on a terminal: the turn, what it is at and for how long, and the tokens so far.

use super::progress::keep_below;
use crate::agent::Tokens;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt;
use std::time::Duration;

/// How often it is drawn while nothing happens but time: the seconds must be seen to pass.
const DRAWN_EVERY: Duration = Duration::from_millis(100);

/// What a run is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activity {
    AskingTheModel,
    RunningTheProgram,
    Storing,
    CheckingTheTree,
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Activity::AskingTheModel => "asking the model",
            Activity::RunningTheProgram => "running the program",
            Activity::Storing => "storing",
            Activity::CheckingTheTree => "checking the final tree",
        })
    }
}

/// The live line, for as long as this is kept.
#[derive(Debug)]
pub(super) struct Live {
    line: ProgressBar,
}

impl Live {
    /// A live line on standard error; none where that is no terminal, or one that cannot move its cursor (`TERM=dumb`).
    pub(super) fn on_stderr() -> Option<Live> {
        let target = ProgressDrawTarget::stderr();
        if target.is_hidden() {
            return None;
        }
        let live = Live::on(target);
        live.line.enable_steady_tick(DRAWN_EVERY);
        keep_below(Some(live.line.clone()));
        Some(live)
    }

    fn on(target: ProgressDrawTarget) -> Live {
        let line = ProgressBar::with_draw_target(None, target);
        // It has no colour, so there is nothing that NO_COLOR could take away.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {elapsed}{wide_msg}") {
            line.set_style(style);
        }
        line.set_prefix("starting");
        Live { line }
    }

    /// The run is at this from now on.
    pub(super) fn at(&self, turn: u32, ceiling: u64, activity: Activity, tokens: Tokens) {
        self.line.reset_elapsed();
        self.line.set_message(told(tokens));
        self.line.set_prefix(format!("turn {turn} of {ceiling}: {activity}"));
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        keep_below(None);
        self.line.finish_and_clear();
    }
}

/// Tokens as the provider counts them; where nobody counts, what is in the window.
fn told(tokens: Tokens) -> String {
    match tokens {
        Tokens { input: 0, output: 0, window } => format!(" · {} tokens in the window", HumanCount(window)),
        Tokens { input, output, .. } => {
            format!(" · {} tokens read, {} written", HumanCount(input), HumanCount(output))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// A terminal that keeps what is on it: the lines above the cursor's, and that one.
    #[derive(Debug, Clone, Default)]
    struct Screen(Arc<Mutex<Vec<String>>>);

    impl Screen {
        fn lines(&self) -> Vec<String> {
            self.0.lock().expect("lock").clone()
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, n: usize) -> io::Result<()> {
            assert_eq!(n, 0, "the live line is one line");
            Ok(())
        }
        fn move_cursor_down(&self, _n: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _n: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _n: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)?;
            self.0.lock().expect("lock").push(String::new());
            Ok(())
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            let mut lines = self.0.lock().expect("lock");
            match lines.last_mut() {
                Some(line) => line.push_str(text),
                None => lines.push(text.to_owned()),
            }
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            if let Some(line) = self.0.lock().expect("lock").last_mut() {
                line.clear();
            }
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn it_says_the_turn_what_it_is_at_and_the_tokens_stays_below_and_leaves_nothing() {
        let screen = Screen::default();
        let live = Live::on(ProgressDrawTarget::term_like(Box::new(screen.clone())));
        let tokens = Tokens { input: 12_345, output: 678, window: 9 };
        live.at(3, 50, Activity::AskingTheModel, tokens);
        live.line.suspend(|| screen.write_line("turn 2: completed (1.2 ms)")).expect("written");
        let lines = screen.lines();
        assert_eq!(lines[0], "turn 2: completed (1.2 ms)", "{lines:?}");
        assert!(lines[1].contains("turn 3 of 50: asking the model 0s · 12,345 tokens read, 678 written"), "{lines:?}");
        assert_eq!(lines.len(), 2, "{lines:?}");
        drop(live);
        assert_eq!(screen.lines(), ["turn 2: completed (1.2 ms)", ""]);
    }

    #[test]
    fn where_no_provider_counts_the_window_is_told() {
        assert_eq!(told(Tokens { input: 0, output: 0, window: 2_345 }), " · 2,345 tokens in the window");
    }
}
