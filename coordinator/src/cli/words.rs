//! What a run came to, in words.

use gg_common::event::Ending;
use gg_common::money::Money;

/// An ending in words.
pub(super) fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Finished { summary } => format!("finished: {summary}"),
        Ending::Approved { summary } if summary.is_empty() => "approved".to_owned(),
        Ending::Approved { summary } => format!("approved: {summary}"),
        Ending::ChangesRequested { items } => format!("changes requested:\n  - {}", items.join("\n  - ")),
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
