//! The messages of the Anthropic protocol.

use super::protocol::{Answer, Protocol, string, texts, tokens};
use super::secret::Secret;
use crate::window::{Message, Speaker};
use gg_common::event::Usage;
use gg_common::model::ModelBinding;
use gg_common::reply::FinishReason;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value, json};

/// The protocol.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anthropic;

/// The form of requests and answers that this file writes and reads.
const VERSION: &str = "2023-06-01";

/// What stands for a blank text, which the protocol refuses.
const BLANK: &str = "(blank)";

impl Protocol for Anthropic {
    fn path(&self) -> &'static str {
        "messages"
    }

    fn headers(&self, key: Option<&Secret>) -> HeaderMap {
        let version = (HeaderName::from_static("anthropic-version"), HeaderValue::from_static(VERSION));
        let key = key.map(|key| (HeaderName::from_static("x-api-key"), key.header("")));
        [version].into_iter().chain(key).collect()
    }

    fn body(&self, binding: &ModelBinding, messages: &[Message]) -> Map<String, Value> {
        let (mut system, mut spoken) = (String::new(), Vec::new());
        for message in messages {
            let text = if message.text.trim().is_empty() { BLANK } else { &*message.text };
            match message.speaker {
                Speaker::System => system.push_str(text),
                Speaker::User => spoken.push(json!({ "role": "user", "content": text })),
                Speaker::Model => spoken.push(json!({ "role": "assistant", "content": text })),
            }
        }
        let settings = [
            ("max_tokens", binding.max_tokens.map(Value::from)),
            ("temperature", binding.temperature.map(Value::from)),
            ("top_p", binding.top_p.map(Value::from)),
            ("system", (!system.is_empty()).then(|| system.into())),
        ];
        let mut body = Map::new();
        body.insert("model".to_owned(), binding.model.clone().into());
        body.insert("messages".to_owned(), spoken.into());
        body.extend(settings.into_iter().filter_map(|(field, value)| Some((field.to_owned(), value?))));
        body
    }

    fn reserved(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("model", "it is the field `model` of the table"),
            ("messages", "it is what the agent reads"),
            ("system", "it is what the agent reads"),
            ("stream", "answers are read whole"),
            ("temperature", "it is the field `temperature` of the table"),
            ("top_p", "it is the field `topP` of the table"),
            ("max_tokens", "it is the field `maxTokens` of the table"),
        ]
    }

    fn read(&self, answer: &Value) -> Result<Answer, String> {
        let Some(content) = answer.get("content").filter(|content| content.is_array()) else {
            return Err("it has no list `content`".to_owned());
        };
        let text = texts(content)?;
        let finish_word = string(answer, "stop_reason");
        let finish = match finish_word.as_deref() {
            Some("end_turn" | "stop_sequence") => FinishReason::Stop,
            Some("max_tokens" | "model_context_window_exceeded") => FinishReason::Length,
            Some("refusal") => FinishReason::Refusal,
            _ => FinishReason::Other,
        };
        // What a refusal says is its text; a refusal in the middle leaves what was written before.
        let refusal = (finish == FinishReason::Refusal).then(|| text.clone());
        Ok(Answer {
            text,
            finish,
            finish_word,
            refusal,
            usage: usage(answer),
            model: string(answer, "model"),
            id: string(answer, "id"),
            fingerprint: None,
        })
    }
}

/// Its `input_tokens` are those that no cache had a part in.
fn usage(answer: &Value) -> Usage {
    let count = |pointer| tokens(answer, pointer);
    let (cached, stored) = (count("/usage/cache_read_input_tokens"), count("/usage/cache_creation_input_tokens"));
    Usage {
        input_tokens: count("/usage/input_tokens").unwrap_or(0) + cached.unwrap_or(0) + stored.unwrap_or(0),
        output_tokens: count("/usage/output_tokens").unwrap_or(0),
        cached_tokens: cached,
        reasoning_tokens: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::model::ModelKind;

    #[test]
    fn the_rules_travel_apart_and_no_text_is_blank() {
        let message = |speaker, text: &str| Message { speaker, text: text.into(), tokens: 1 };
        let messages = [
            message(Speaker::System, "rules"),
            message(Speaker::User, "task"),
            message(Speaker::Model, " \n"),
            message(Speaker::User, "Reply rejected"),
        ];
        let binding = ModelBinding {
            model: Some("m".into()),
            max_tokens: Some(9),
            temperature: Some(1.0),
            ..ModelBinding::of(ModelKind::Anthropic)
        };
        let wanted = json!({
            "model": "m", "max_tokens": 9, "temperature": 1.0, "system": "rules",
            "messages": [
                { "role": "user", "content": "task" },
                { "role": "assistant", "content": "(blank)" },
                { "role": "user", "content": "Reply rejected" },
            ],
        });
        assert_eq!(Value::Object(Anthropic.body(&binding, &messages)), wanted);
        let headers = Anthropic.headers(Some(&Secret::new("the-key").expect("key")));
        assert_eq!(
            (&headers["anthropic-version"], &headers["x-api-key"]),
            (&"2023-06-01".parse().unwrap(), &"the-key".parse().unwrap())
        );
        assert!(headers["x-api-key"].is_sensitive());
    }

    #[test]
    fn an_answer_is_read_with_its_ways_of_stopping() {
        let answer = |reason: &str| {
            let read = Anthropic.read(&json!({
                "id": "msg_1", "type": "message", "role": "assistant", "model": "m-1",
                "content": [{ "type": "thinking", "thinking": "hm" }, { "type": "text", "text": "x = 1\n" }],
                "stop_reason": reason,
                "usage": { "input_tokens": 4, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 6, "output_tokens": 2 },
            }));
            read.expect("an answer")
        };
        let stopped = answer("end_turn");
        assert_eq!((stopped.text.as_str(), stopped.finish, stopped.refusal), ("x = 1\n", FinishReason::Stop, None));
        let usage = Usage { input_tokens: 40, output_tokens: 2, cached_tokens: Some(30), reasoning_tokens: None };
        assert_eq!(stopped.usage, usage);
        assert_eq!(answer("max_tokens").finish, FinishReason::Length);
        assert_eq!(answer("pause_turn").finish, FinishReason::Other);
        let refused = answer("refusal");
        assert_eq!((refused.finish, refused.refusal.as_deref()), (FinishReason::Refusal, Some("x = 1\n")));
        assert!(Anthropic.read(&json!({ "type": "message" })).expect_err("none").contains("`content`"));
    }
}
