//! What binds a run to a model: the protocol, the address, and the settings that travel with each request. A binding says
//! where a key lies and never holds one, so that it can be recorded.

use crate::money::Prices;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How a model is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    /// Replies that were written beforehand.
    Scripted,
    /// A chat endpoint of the OpenAI protocol, whoever serves it.
    Openai,
    /// A messages endpoint of the Anthropic protocol.
    Anthropic,
}

impl ModelKind {
    /// Its name, as files write it.
    pub fn id(self) -> &'static str {
        match self {
            ModelKind::Scripted => "scripted",
            ModelKind::Openai => "openai",
            ModelKind::Anthropic => "anthropic",
        }
    }
}

/// The `[model]` table of a run file or a model file: who answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelBinding {
    /// `scripted`, `openai` or `anthropic`.
    pub kind: ModelKind,
    /// `scripted` only: a folder with a file a reply, or a file of JSON lines, as `replies` of a run file.
    /// Default: none, and needed there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replies: Option<PathBuf>,
    /// The endpoint up to its version, as `http://127.0.0.1:8000/v1`; `scripted` takes neither this nor anything below.
    /// Default: none, and needed but for `scripted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The model's name, as the endpoint knows it. Default: none, and needed but for `scripted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// A file that holds the key and nothing else. Default: no key is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_file: Option<PathBuf>,
    /// The name of an environment variable that holds the key. Default: no key is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// How long connecting may take, in seconds. Default: 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connect_timeout_secs: Option<u64>,
    /// How long the first byte of an answer may take from when it is asked for, in seconds. Most endpoints send it when
    /// the model is done. Default: 300.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_byte_timeout_secs: Option<u64>,
    /// How long one request may take in all, in seconds. Default: 600.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_timeout_secs: Option<u64>,
    /// How often a request is made again after a rate limit, an outage or a time-out. Default: 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<u32>,
    /// The longest wait before a request is made again, in seconds; an endpoint that asks for more (Retry-After) is not
    /// asked again. Default: 120.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_retry_wait_secs: Option<u64>,
    /// How many requests may be made in any minute. Default: no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u64>,
    /// How many tokens, read and written, the requests of any minute may take. Default: no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u64>,
    /// The sampling temperature. Default: the endpoint's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Nucleus sampling: the probability mass that is sampled from. Default: the endpoint's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// How many tokens the model may write (`max_tokens` on the wire). Default: the endpoint's; `anthropic` needs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The seed of the sampling, recorded with each reply; not of `anthropic`. Default: none is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// What the model's tokens cost. Default: nothing is known, and no cost is counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// Any other fields of the request, sent as they are. Default: none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, serde_json::Value>,
}

impl ModelBinding {
    /// A binding of this kind that says nothing else.
    pub fn of(kind: ModelKind) -> ModelBinding {
        ModelBinding {
            kind,
            replies: None,
            base_url: None,
            model: None,
            api_key_file: None,
            api_key_env: None,
            connect_timeout_secs: None,
            first_byte_timeout_secs: None,
            total_timeout_secs: None,
            retries: None,
            max_retry_wait_secs: None,
            requests_per_minute: None,
            tokens_per_minute: None,
            prices: None,
            temperature: None,
            top_p: None,
            max_tokens: None,
            seed: None,
            extra: BTreeMap::new(),
        }
    }

    /// Replies from a folder or a file.
    pub fn scripted(replies: PathBuf) -> ModelBinding {
        ModelBinding { replies: Some(replies), ..ModelBinding::of(ModelKind::Scripted) }
    }
}

/// Why a model did not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelFailure {
    /// Too much was asked in a time: it would answer later.
    RateLimited,
    /// The account may ask no more until somebody pays or raises its bound.
    QuotaExhausted,
    /// It is down, cannot be reached, or broke off its answer.
    Outage,
    /// It took longer than a time-out allows.
    TimedOut,
    /// It does not take the key.
    Unauthorized,
    /// It does not take the request.
    Rejected,
    /// What it answers is no answer of its protocol.
    Unreadable,
}

/// A request that was made again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelRetry {
    /// Why.
    pub failure: ModelFailure,
    /// The HTTP status; null where none came.
    pub status: Option<u16>,
    /// What happened.
    pub message: String,
    /// How long the request took until it failed, in milliseconds.
    pub latency_ms: f64,
    /// How long was waited before the next, in milliseconds.
    pub waited_ms: f64,
}

/// How a model call went, beside its text and what it used.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ModelCall {
    /// The model that answered, as its provider names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The answer's name at its provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What the model ran on, where its provider says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
    /// Why the model stopped, in its provider's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// What the model said instead of a reply, where it refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The seed that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// From the request that was answered to the answer's first byte, in milliseconds.
    pub first_byte_ms: f64,
    /// From the request that was answered to the answer's last byte, in milliseconds.
    pub latency_ms: f64,
    /// Waiting for the binding's own limits on requests and tokens a minute, in milliseconds.
    pub limit_wait_ms: f64,
    /// The requests that failed before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub retries: Vec<ModelRetry>,
}
