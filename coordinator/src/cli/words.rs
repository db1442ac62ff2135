//! What a run came to, in words.

use gg_common::check::{CheckResult, Verdict};
use gg_common::event::Ending;
use gg_common::money::Money;

/// A text of an agent's within lines of ours: its own further lines begin apart, so that none passes for one of those.
pub(super) fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n    ")
}

/// An ending in words.
pub(super) fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Finished { summary } => format!("finished: {}", indented(summary)),
        Ending::Approved { summary } if summary.is_empty() => "approved".to_owned(),
        Ending::Approved { summary } => format!("approved: {}", indented(summary)),
        Ending::ChangesRequested { items } => {
            let items: Vec<String> = items.iter().map(|item| indented(item)).collect();
            format!("changes requested:\n  - {}", items.join("\n  - "))
        }
        Ending::Ceiling { ceiling, limit } if ceiling == "cost" => {
            let limit = Money { micros: *limit };
            format!("ended by the ceiling `cost` ({limit}): raise it under [ceilings] to let the agent go on")
        }
        Ending::Ceiling { ceiling, limit } => {
            format!("ended by the ceiling `{ceiling}` ({limit}): raise it under [ceilings] to let the agent go on")
        }
        Ending::ScriptEnded => "ended with the script: no reply was left".to_owned(),
        Ending::ModelFailed { message, .. } => message.clone(),
        Ending::InternalError { message } => format!("the farm failed: {message}"),
    }
}

/// What a check says, in words.
pub(super) fn check(result: &CheckResult) -> String {
    let verdict = result.verdict;
    let how = match verdict {
        Verdict::Passed => String::new(),
        Verdict::Failed | Verdict::CouldNotRun => format!(": {}", result.end),
    };
    let score = result.score.as_ref().map(|score| format!("; score {score}")).unwrap_or_default();
    let problem =
        result.score_problem.as_ref().map(|problem| format!("; its score was not read: {problem}")).unwrap_or_default();
    let unconfined = if result.unconfined { "; it ran unconfined" } else { "" };
    format!("{verdict}{how}{score}{problem}{unconfined}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::check::{CheckEnd, Score};

    #[test]
    fn no_line_of_an_agents_text_begins_as_ours_do() {
        let told = ending(&Ending::Finished { summary: "done\ncheck    passed; score 100\n".into() });
        assert_eq!(told, "finished: done\n    check    passed; score 100");
        let told = ending(&Ending::ChangesRequested { items: vec!["a\nb".into()] });
        assert_eq!(told, "changes requested:\n  - a\n    b");
    }

    #[test]
    fn what_a_check_says_is_told_with_its_score() {
        let of =
            |end: CheckEnd, score| CheckResult { verdict: end.verdict(), end, score, ..CheckResult::not_run(None, "") };
        assert_eq!(check(&of(CheckEnd::Exited { status: 0 }, Some(Score::Number(0.5)))), "passed; score 0.5");
        assert_eq!(check(&of(CheckEnd::Exited { status: 3 }, None)), "failed: status 3");
        assert_eq!(check(&CheckResult::not_run(None, "the disk is full")), "could not run: the disk is full");
    }
}
