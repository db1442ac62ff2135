//! The seam: what a protocol writes and reads. All else about an endpoint is the same whatever it speaks.

use super::failure::{Failure, of_status};
use super::secret::Secret;
use super::wire::Heard;
use crate::window::Message;
use gg_common::event::Usage;
use gg_common::model::{ModelBinding, ModelFailure};
use gg_common::reply::FinishReason;
use reqwest::header::HeaderMap;
use serde_json::{Map, Value};

/// What an endpoint answered, in this project's terms.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Answer {
    /// The reply, verbatim.
    pub(super) text: String,
    /// Why the model stopped.
    pub(super) finish: FinishReason,
    /// The same, in the endpoint's word.
    pub(super) finish_word: Option<String>,
    /// What it said instead of a reply.
    pub(super) refusal: Option<String>,
    /// What the call used.
    pub(super) usage: Usage,
    /// The model that answered.
    pub(super) model: Option<String>,
    /// The answer's name.
    pub(super) id: Option<String>,
    /// What the model ran on.
    pub(super) fingerprint: Option<String>,
}

impl Answer {
    /// Whether anything that is recorded of it holds the key.
    fn holds(&self, key: &Secret) -> bool {
        let names = [&self.finish_word, &self.refusal, &self.model, &self.id, &self.fingerprint];
        std::iter::once(&self.text).chain(names.into_iter().flatten()).any(|text| key.is_in(text))
    }
}

/// How an endpoint is spoken to: one file each.
pub(super) trait Protocol: std::fmt::Debug + Send + Sync {
    /// The path of a chat, after the base address.
    fn path(&self) -> &'static str;

    /// The headers, with the key where there is one.
    fn headers(&self, key: Option<&Secret>) -> HeaderMap;

    /// The body of a request. The binding's `extra` fields are added by who calls.
    fn body(&self, binding: &ModelBinding, messages: &[Message]) -> Map<String, Value>;

    /// Fields that `extra` may not set, each with why.
    fn reserved(&self) -> &'static [(&'static str, &'static str)];

    /// What an answer says; a sentence about what it lacks where it is none of this protocol.
    fn read(&self, answer: &Value) -> Result<Answer, String>;
}

/// What was heard, as an answer or as a failure. No message holds the key: it is masked before a text is cut.
pub(super) fn judge(protocol: &dyn Protocol, heard: &Heard, key: Option<&Secret>) -> Result<Answer, Failure> {
    let failed = |kind, message: String| {
        Err(Failure { kind, status: Some(heard.status), message, retry_after: heard.retry_after })
    };
    let body = serde_json::from_slice::<Value>(&heard.body);
    if !(200..300).contains(&heard.status) {
        let (code, text) = match &body {
            Ok(body) => error_of(body, key).unwrap_or_else(|| (String::new(), gist(&heard.body, key))),
            Err(_) => (String::new(), gist(&heard.body, key)),
        };
        let text = match (text.is_empty(), &heard.location) {
            (_, Some(location)) => format!("it sends on to {}", shown(location, LINE_CHARS, key)),
            (true, None) => "without a word".to_owned(),
            (false, None) => text,
        };
        return failed(of_status(heard.status, &code), format!("it answered {}: {text}", status_line(heard.status)));
    }
    if let Some(kind) = heard.content_type.as_deref().filter(|kind| !is_json(kind)) {
        let text = format!(
            "it answered with `{}` and not with JSON: {}",
            shown(kind, WORD_CHARS, key),
            gist(&heard.body, key)
        );
        return failed(ModelFailure::Unreadable, text);
    }
    let body = match body {
        Ok(body) => body,
        Err(error) if error.is_eof() => {
            return failed(ModelFailure::Outage, format!("its answer broke off after {} bytes", heard.body.len()));
        }
        Err(error) => return failed(ModelFailure::Unreadable, format!("its answer is not JSON: {error}")),
    };
    if let Some((code, text)) = body.get("error").filter(|error| !error.is_null()).and_then(|_| error_of(&body, key)) {
        // Gateways pass on an error of the provider behind them under a status of success.
        return failed(of_code(&code), format!("it answered with an error: {text}"));
    }
    match protocol.read(&body) {
        // Verbatim, it would be recorded with the key in it.
        Ok(answer) if key.is_some_and(|key| answer.holds(key)) => {
            failed(ModelFailure::Unreadable, "its answer repeats the key, so nothing of it is kept".to_owned())
        }
        Ok(answer) => Ok(answer),
        Err(lacks) => failed(ModelFailure::Unreadable, format!("its answer is none: {lacks}")),
    }
}

/// The code and the text of an error in a body, however it is put.
fn error_of(body: &Value, key: Option<&Secret>) -> Option<(String, String)> {
    let error = body.get("error").filter(|error| !error.is_null()).unwrap_or(body);
    let word = |field: &str| match error.get(field) {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let code = [word("code"), word("type")].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let text = match error {
        Value::String(text) => text.clone(),
        _ => match ["message", "detail"].iter().find_map(|field| error.get(field)) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => return None,
        },
    };
    let text = shown(&text, TEXT_CHARS, key);
    let text = if code.is_empty() { text } else { format!("{text} ({})", shown(&code, WORD_CHARS, key)) };
    Some((code, text))
}

/// What an error under a status of success means: by the status in its code, else by its words.
fn of_code(code: &str) -> ModelFailure {
    if let Some(status) = code.split(' ').find_map(|word| word.parse::<u16>().ok()) {
        return of_status(status, code);
    }
    let has = |parts: &[&str]| parts.iter().any(|part| code.to_lowercase().contains(part));
    if has(&["rate_limit"]) {
        ModelFailure::RateLimited
    } else if has(&["server_error", "api_error", "overloaded", "timeout", "unavailable"]) {
        ModelFailure::Outage
    } else {
        of_status(if has(&["quota", "billing"]) { 402 } else { 400 }, code)
    }
}

fn status_line(status: u16) -> String {
    let reason = reqwest::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    reason.map_or_else(|| status.to_string(), |reason| format!("{status} {reason}"))
}

fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

/// The most of an endpoint's own words that a message repeats, in characters.
const TEXT_CHARS: usize = 400;

/// The most of a body that is none of the protocol's, or of an address, in characters.
const LINE_CHARS: usize = 200;

/// The most of a word, in characters.
const WORD_CHARS: usize = 80;

/// What a body says, in a line.
fn gist(body: &[u8], key: Option<&Secret>) -> String {
    let text = String::from_utf8_lossy(body);
    let words: Vec<&str> = text.split_whitespace().take(LINE_CHARS).collect();
    shown(&words.join(" "), LINE_CHARS, key)
}

/// An endpoint's own words, as a message repeats them.
fn shown(text: &str, chars: usize, key: Option<&Secret>) -> String {
    match key {
        Some(key) => clip(&key.masked(text), chars),
        None => clip(text, chars),
    }
}

/// The first characters of a text, without control characters: it may end on a terminal.
pub(super) fn clip(text: &str, chars: usize) -> String {
    let mut letters = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut clipped: String = letters.by_ref().take(chars).collect();
    if letters.next().is_some() {
        clipped.push('…');
    }
    clipped
}

/// A string field.
pub(super) fn string(value: &Value, field: &str) -> Option<String> {
    value.get(field)?.as_str().map(str::to_owned)
}

/// More tokens than any call uses: what is said above it is nonsense, and sums must hold.
const MOST_TOKENS: u64 = 1 << 40;

/// A count of tokens, by its path.
pub(super) fn tokens(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer)?.as_u64().map(|count| count.min(MOST_TOKENS))
}

/// The texts of content, put as a string or as parts of which the texts count.
pub(super) fn texts(content: &Value) -> Result<String, String> {
    match content {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        Value::Array(parts) => {
            let text = |part: &Value| (part.get("type")?.as_str()? == "text").then(|| string(part, "text"))?;
            Ok(parts.iter().filter_map(text).collect())
        }
        _ => Err("`content` is neither a text nor a list of parts".to_owned()),
    }
}
