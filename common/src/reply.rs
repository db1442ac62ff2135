//! What a reply must be before it is taken as a program.

use crate::outcome::{Outcome, Rejection};

/// Why the model stopped, as its provider says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// It was done.
    #[default]
    Stop,
    /// It was cut off at its length limit: the program is not whole and never runs.
    Length,
    /// Its provider withheld the rest: the program is not whole and never runs.
    ContentFilter,
    /// It refused to answer.
    Refusal,
    /// Its provider answered without any reply.
    NoChoice,
    /// Anything else.
    Other,
}

/// The reply as a program: its bytes, unchanged. Rejected where it is none (a refusal, nothing at all), not whole (cut off,
/// withheld), empty, longer than `reply_bytes` or not UTF-8; the rejection's text is what the model reads.
pub fn as_program(reply: &[u8], finish: FinishReason, reply_bytes: u64) -> Result<&str, Outcome> {
    let reject = |error_type, error_text: String| Err(Outcome::Rejected { error_type, error_text });
    let told = |error_type, text: &str| reject(error_type, text.to_owned());
    match finish {
        FinishReason::Stop | FinishReason::Other => {}
        FinishReason::Length => {
            return told(
                Rejection::ReplyTruncated,
                "The reply was cut off before its end, so it was not run. Answer with a shorter program; more can follow in the next turn.",
            );
        }
        FinishReason::ContentFilter => {
            return told(
                Rejection::ReplyFiltered,
                "The reply was withheld by a content filter before its end, so it was not run. Answer with one whole program.",
            );
        }
        FinishReason::Refusal => {
            return told(
                Rejection::ReplyRefused,
                "The reply was a refusal and no program, so nothing ran. Answer with one whole program; where the task cannot be done, let the program say so.",
            );
        }
        FinishReason::NoChoice => {
            return told(Rejection::ReplyMissing, "There was no reply, so nothing ran. Answer with one whole program.");
        }
    }
    if reply.len() as u64 > reply_bytes {
        return reject(
            Rejection::ReplyTooLarge,
            format!(
                "The reply holds {} bytes, more than the {reply_bytes} that a program may have (limit replyBytes), so it was not run. Answer with a shorter program.",
                reply.len()
            ),
        );
    }
    let text = match std::str::from_utf8(reply) {
        Ok(text) => text,
        Err(error) => {
            return reject(
                Rejection::ReplyNotUtf8,
                format!(
                    "The reply is not UTF-8: the byte at offset {} cannot stand there, so it was not run. Answer with a program in UTF-8.",
                    error.valid_up_to()
                ),
            );
        }
    };
    if text.chars().all(|c| c.is_whitespace() || c == '\u{feff}') {
        return reject(
            Rejection::ReplyEmpty,
            "The reply was empty, so nothing ran. Answer with one whole program.".to_owned(),
        );
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejection(reply: &[u8], finish: FinishReason) -> Option<Rejection> {
        match as_program(reply, finish, 16) {
            Err(Outcome::Rejected { error_type, .. }) => Some(error_type),
            _ => None,
        }
    }

    #[test]
    fn each_kind_of_bad_reply_has_its_own_rejection_and_a_good_one_keeps_its_bytes() {
        assert_eq!(as_program(b"print(1)\r\n\0", FinishReason::Stop, 16), Ok("print(1)\r\n\0"));
        assert_eq!(rejection(b" \n\t", FinishReason::Stop), Some(Rejection::ReplyEmpty));
        assert_eq!(rejection(b"", FinishReason::Stop), Some(Rejection::ReplyEmpty));
        assert_eq!(rejection(b"print(1)", FinishReason::Length), Some(Rejection::ReplyTruncated));
        assert_eq!(rejection(b"print(1)", FinishReason::ContentFilter), Some(Rejection::ReplyFiltered));
        assert_eq!(rejection(b"print(1)", FinishReason::Refusal), Some(Rejection::ReplyRefused));
        assert_eq!(rejection(b"", FinishReason::NoChoice), Some(Rejection::ReplyMissing));
        assert_eq!(rejection(b"print(1)", FinishReason::Other), None);
        assert_eq!(rejection(b"0123456789abcdefg", FinishReason::Stop), Some(Rejection::ReplyTooLarge));
        assert_eq!(rejection(b"print('\xff')", FinishReason::Stop), Some(Rejection::ReplyNotUtf8));
    }
}
