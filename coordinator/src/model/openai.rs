//! The chat completions of the OpenAI protocol, as OpenAI and many servers speak it.

use super::protocol::{Answer, Protocol, string, texts, tokens};
use super::secret::Secret;
use crate::window::{Message, Speaker};
use gg_common::event::Usage;
use gg_common::model::ModelBinding;
use gg_common::reply::FinishReason;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde_json::{Map, Value, json};

/// The protocol.
#[derive(Debug, Clone, Copy)]
pub(super) struct Openai;

impl Protocol for Openai {
    fn path(&self) -> &'static str {
        "chat/completions"
    }

    fn headers(&self, key: Option<&Secret>) -> HeaderMap {
        key.map(|key| (AUTHORIZATION, key.header("Bearer "))).into_iter().collect()
    }

    fn body(&self, binding: &ModelBinding, messages: &[Message]) -> Map<String, Value> {
        let message = |message: &Message| {
            let role = match message.speaker {
                Speaker::System => "system",
                Speaker::User => "user",
                Speaker::Model => "assistant",
            };
            json!({ "role": role, "content": &*message.text })
        };
        let settings = [
            ("temperature", binding.temperature.map(Value::from)),
            ("top_p", binding.top_p.map(Value::from)),
            ("max_tokens", binding.max_tokens.map(Value::from)),
            ("seed", binding.seed.map(Value::from)),
        ];
        let mut body = Map::new();
        body.insert("model".to_owned(), binding.model.clone().into());
        body.insert("messages".to_owned(), messages.iter().map(message).collect());
        body.extend(settings.into_iter().filter_map(|(field, value)| Some((field.to_owned(), value?))));
        body
    }

    fn reserved(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("model", "it is the field `model` of the table"),
            ("messages", "it is what the agent reads"),
            ("stream", "answers are read whole"),
            ("n", "a turn has one reply"),
            ("temperature", "it is the field `temperature` of the table"),
            ("top_p", "it is the field `topP` of the table"),
            ("max_tokens", "it is the field `maxTokens` of the table"),
            ("seed", "it is the field `seed` of the table"),
        ]
    }

    fn read(&self, answer: &Value) -> Result<Answer, String> {
        let Some(choices) = answer.get("choices").and_then(Value::as_array) else {
            return Err("it has no list `choices`".to_owned());
        };
        let mut read = Answer {
            usage: usage(answer),
            model: string(answer, "model"),
            id: string(answer, "id"),
            fingerprint: string(answer, "system_fingerprint"),
            ..Answer::default()
        };
        let Some(choice) = choices.first() else {
            read.finish = FinishReason::NoChoice;
            return Ok(read);
        };
        let Some(message) = choice.get("message").filter(|message| message.is_object()) else {
            return Err("its first choice has no `message`".to_owned());
        };
        read.text = texts(message.get("content").unwrap_or(&Value::Null))?;
        read.finish_word = string(choice, "finish_reason");
        read.refusal = string(message, "refusal").filter(|text| !text.is_empty());
        read.finish = match read.finish_word.as_deref() {
            _ if read.refusal.is_some() => FinishReason::Refusal,
            Some("stop") => FinishReason::Stop,
            Some("length") => FinishReason::Length,
            Some("content_filter") => FinishReason::ContentFilter,
            _ => FinishReason::Other,
        };
        Ok(read)
    }
}

fn usage(answer: &Value) -> Usage {
    let count = |pointer| tokens(answer, pointer);
    Usage {
        input_tokens: count("/usage/prompt_tokens").unwrap_or(0),
        output_tokens: count("/usage/completion_tokens").unwrap_or(0),
        cached_tokens: count("/usage/prompt_tokens_details/cached_tokens"),
        reasoning_tokens: count("/usage/completion_tokens_details/reasoning_tokens"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::model::ModelKind;

    fn read(answer: Value) -> Answer {
        Openai.read(&answer).expect("an answer")
    }

    #[test]
    fn a_request_says_what_the_binding_says_and_nothing_else() {
        let messages = [
            Message { speaker: Speaker::System, text: "rules".into(), tokens: 1 },
            Message { speaker: Speaker::User, text: "task\n".into(), tokens: 1 },
            Message { speaker: Speaker::Model, text: "".into(), tokens: 1 },
        ];
        let bare = ModelBinding { model: Some("m".into()), ..ModelBinding::of(ModelKind::Openai) };
        let spoken = json!([
            { "role": "system", "content": "rules" },
            { "role": "user", "content": "task\n" },
            { "role": "assistant", "content": "" },
        ]);
        assert_eq!(Value::Object(Openai.body(&bare, &messages)), json!({ "model": "m", "messages": spoken }));
        let set =
            ModelBinding { temperature: Some(0.0), top_p: Some(0.5), max_tokens: Some(7), seed: Some(-1), ..bare };
        let body = Value::Object(Openai.body(&set, &messages[..0]));
        let wanted =
            json!({ "model": "m", "messages": [], "temperature": 0.0, "top_p": 0.5, "max_tokens": 7, "seed": -1 });
        assert_eq!(body, wanted);
    }

    #[test]
    fn an_answer_is_taken_verbatim_with_what_its_provider_says_of_it() {
        let answer = read(json!({
            "id": "c-1", "model": "m-2026", "system_fingerprint": "fp",
            "choices": [{ "index": 0, "finish_reason": "stop",
                "message": { "role": "assistant", "content": "```\r\n\u{0}é", "refusal": null, "reasoning_content": "hm" } }],
            "usage": { "prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25,
                "prompt_tokens_details": { "cached_tokens": 16 }, "completion_tokens_details": { "reasoning_tokens": 3 } },
        }));
        assert_eq!(answer.text, "```\r\n\u{0}é");
        assert_eq!((answer.finish, answer.finish_word.as_deref()), (FinishReason::Stop, Some("stop")));
        let usage = Usage { input_tokens: 20, output_tokens: 5, cached_tokens: Some(16), reasoning_tokens: Some(3) };
        assert_eq!(answer.usage, usage);
        assert_eq!((answer.model.as_deref(), answer.id.as_deref()), (Some("m-2026"), Some("c-1")));
        assert_eq!((answer.fingerprint.as_deref(), answer.refusal), (Some("fp"), None));
    }

    #[test]
    fn each_way_of_stopping_is_what_it_is() {
        let stopped = |reason: Value, message: Value| {
            read(json!({ "choices": [{ "finish_reason": reason, "message": message }] }))
        };
        for (reason, finish) in [
            (json!("length"), FinishReason::Length),
            (json!("content_filter"), FinishReason::ContentFilter),
            (json!("tool_calls"), FinishReason::Other),
            (Value::Null, FinishReason::Other),
        ] {
            let answer = stopped(reason.clone(), json!({ "content": "x" }));
            assert_eq!((answer.finish, answer.finish_word.as_deref()), (finish, reason.as_str()));
            assert_eq!(answer.usage, Usage::default());
        }
        let refused = stopped(json!("stop"), json!({ "content": null, "refusal": "I cannot." }));
        assert_eq!((refused.finish, refused.refusal.as_deref()), (FinishReason::Refusal, Some("I cannot.")));
        assert_eq!(read(json!({ "choices": [] })).finish, FinishReason::NoChoice);
        let parts = json!([{ "type": "text", "text": "a" }, { "type": "image" }, { "type": "text", "text": "b" }]);
        assert_eq!(stopped(json!("stop"), json!({ "content": parts })).text, "ab");
    }

    #[test]
    fn what_is_no_answer_says_what_it_lacks() {
        for (answer, part) in [
            (json!([]), "no list `choices`"),
            (json!({ "choices": {} }), "no list `choices`"),
            (json!({ "choices": [{ "text": "x" }] }), "no `message`"),
            (json!({ "choices": [{ "message": { "content": 3 } }] }), "`content`"),
        ] {
            let lacks = Openai.read(&answer).expect_err("no answer");
            assert!(lacks.contains(part), "{lacks}");
        }
    }
}
