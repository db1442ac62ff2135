//! Exit statuses: the same meanings for every command.

use crate::session::Left;
use gg_common::event::Ending;
use std::process::ExitCode;

/// What the help says of them.
pub(super) const HELP: &str = "\
Exit status:
    0  the agent finished
    1  a ceiling was reached, or the script of replies came to its end
    2  the command line or a configuration file is wrong
    3  the farm failed, or the model did not answer
  130  interrupted; the run can be resumed";

/// The statuses, each with its meaning.
pub(crate) fn statuses() -> impl Iterator<Item = (u8, &'static str)> {
    let lines = HELP.lines().skip(1).filter_map(|line| line.trim().split_once("  "));
    lines.filter_map(|(status, meaning)| Some((status.parse().ok()?, meaning)))
}

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The agent finished.
    Finished,
    /// A ceiling was reached, or the script of replies came to its end.
    Unfinished,
    /// The command line or a configuration file is wrong.
    Usage,
    /// The farm failed, or the model did not answer.
    Failed,
    /// Interrupted.
    Interrupted,
}

impl Exit {
    /// The status.
    pub fn status(self) -> u8 {
        match self {
            Exit::Finished => 0,
            Exit::Unfinished => 1,
            Exit::Usage => 2,
            Exit::Failed => 3,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.status())
    }
}

impl From<&Left> for Exit {
    fn from(left: &Left) -> Exit {
        match left {
            Left::Ended(Ending::Finished { .. } | Ending::Approved { .. } | Ending::ChangesRequested { .. }) => {
                Exit::Finished
            }
            Left::Ended(Ending::Ceiling { .. } | Ending::ScriptEnded) => Exit::Unfinished,
            Left::Ended(Ending::ModelFailed { .. } | Ending::InternalError { .. }) | Left::Failed(_) => Exit::Failed,
            Left::Interrupted => Exit::Interrupted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_states_every_status() {
        let all = [Exit::Finished, Exit::Unfinished, Exit::Usage, Exit::Failed, Exit::Interrupted];
        assert_eq!(statuses().map(|(status, _)| status).collect::<Vec<_>>(), all.map(Exit::status));
    }
}
