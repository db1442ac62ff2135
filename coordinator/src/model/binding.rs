//! From a `[model]` table to who answers: everything that is wrong with it is told at once, before a run begins.

use super::anthropic::Anthropic;
use super::limiter::Limiter;
use super::openai::Openai;
use super::protocol::Protocol;
use super::retry::Policy;
use super::secret::Secret;
use super::wire::{Timeouts, Wire};
use super::{Model, ModelError, ModelReply, Remote, Request, Scripted};
use async_trait::async_trait;
use gg_common::config::Allowed;
use gg_common::model::{ModelBinding, ModelKind};
use reqwest::Url;
use std::time::Duration;

/// A field and what is wrong with it.
pub type Finding = (&'static str, String);

/// Who answers, ready to be asked.
#[derive(Debug)]
pub enum Binding {
    /// Replies that were written beforehand.
    Scripted(Scripted),
    /// An endpoint.
    Remote(Box<Remote>),
}

#[async_trait]
impl Model for Binding {
    async fn reply(&self, request: Request<'_>) -> Result<Option<ModelReply>, ModelError> {
        match self {
            Binding::Scripted(script) => script.reply(request).await,
            Binding::Remote(remote) => remote.reply(request).await,
        }
    }

    fn binding(&self) -> Option<ModelBinding> {
        match self {
            Binding::Scripted(script) => script.binding(),
            Binding::Remote(remote) => remote.binding(),
        }
    }
}

/// The wait before a request is made again for the first time.
const FIRST_RETRY_WAIT: Duration = Duration::from_secs(1);

impl Binding {
    /// Who answers by this table; `replies` is the field that names the replies of a script. Otherwise everything that is
    /// wrong, each with its field. `environment` gives the value of a variable.
    pub fn open(
        table: ModelBinding,
        replies: &'static str,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Binding, Vec<Finding>> {
        let protocol: Box<dyn Protocol> = match table.kind {
            ModelKind::Scripted => return script(table, replies).map(Binding::Scripted),
            ModelKind::Openai => Box::new(Openai),
            ModelKind::Anthropic => Box::new(Anthropic),
        };
        remote(table, protocol, environment).map(|remote| Binding::Remote(Box::new(remote)))
    }
}

/// The fields that only an endpoint has a use for.
const OF_ENDPOINTS: [&str; 16] = [
    "model.baseUrl",
    "model.model",
    "model.apiKeyFile",
    "model.apiKeyEnv",
    "model.connectTimeoutSecs",
    "model.firstByteTimeoutSecs",
    "model.totalTimeoutSecs",
    "model.retries",
    "model.maxRetryWaitSecs",
    "model.requestsPerMinute",
    "model.tokensPerMinute",
    "model.temperature",
    "model.topP",
    "model.maxTokens",
    "model.seed",
    "model.extra",
];

/// A field without its table.
fn short(field: &'static str) -> &'static str {
    field.strip_prefix("model.").unwrap_or(field)
}

fn script(table: ModelBinding, field: &'static str) -> Result<Scripted, Vec<Finding>> {
    let said = serde_json::to_value(&table).unwrap_or_default();
    let mut findings: Vec<Finding> = OF_ENDPOINTS
        .into_iter()
        .filter(|field| said.get(short(field)).is_some())
        .map(|field| (field, format!("`{}` says nothing to a scripted model: remove it", short(field))))
        .collect();
    let Some(path) = table.replies.clone() else {
        findings.push(("model.replies", "a scripted model needs `replies`: name a folder or a .jsonl file".to_owned()));
        return Err(findings);
    };
    match Scripted::read(&path) {
        Ok(script) if findings.is_empty() => Ok(script.bound_by(table)),
        Ok(_) => Err(findings),
        Err(errors) => {
            findings.extend(errors.iter().map(|error| (field, error.to_string())));
            Err(findings)
        }
    }
}

fn remote(
    table: ModelBinding,
    protocol: Box<dyn Protocol>,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Remote, Vec<Finding>> {
    let mut findings = out_of_range(&table);
    let kind = table.kind.id();
    if table.replies.is_some() {
        let text = format!("`replies` is for a scripted model, and this one is `{kind}`: remove it");
        findings.push(("model.replies", text));
    }
    if table.model.as_deref().unwrap_or_default().trim().is_empty() {
        findings
            .push(("model.model", "`model` is missing: write the model's name, as the endpoint knows it".to_owned()));
    }
    if table.kind == ModelKind::Anthropic {
        if table.max_tokens.is_none() {
            findings.push(("model.maxTokens", "`maxTokens` is missing, and this protocol needs it: add it".to_owned()));
        }
        if table.seed.is_some() {
            findings.push(("model.seed", "this protocol has no seed: remove `seed`".to_owned()));
        }
    }
    for (field, why) in protocol.reserved() {
        if table.extra.contains_key(*field) {
            findings.push(("model.extra", format!("`extra` may not set `{field}`: {why}")));
        }
    }
    let url = match address(table.base_url.as_deref(), protocol.path()) {
        Ok(url) => Some(url),
        Err(message) => {
            findings.push(("model.baseUrl", message));
            None
        }
    };
    let key = match Secret::of(&table, environment) {
        Ok(key) => key,
        Err(finding) => {
            findings.push(finding);
            None
        }
    };
    let Some(url) = url.filter(|_| findings.is_empty()) else { return Err(findings) };
    let seconds = |given: Option<u64>, default| Duration::from_secs(given.unwrap_or(default));
    let timeouts = Timeouts {
        connect: seconds(table.connect_timeout_secs, 10),
        first_byte: seconds(table.first_byte_timeout_secs, 300),
        total: seconds(table.total_timeout_secs, 600),
    };
    let policy = Policy {
        retries: table.retries.unwrap_or(5),
        first: FIRST_RETRY_WAIT,
        most: seconds(table.max_retry_wait_secs, 120),
    };
    let wire =
        Wire::new(url, protocol.headers(key.as_ref()), timeouts).map_err(|message| vec![("model.baseUrl", message)])?;
    let limiter = Limiter::new(table.requests_per_minute, table.tokens_per_minute);
    Ok(Remote { binding: table, protocol, wire, key, policy, limiter })
}

/// What each number of a table may be.
pub fn allowed() -> Vec<Allowed> {
    let nothing = ModelBinding::of(ModelKind::Openai);
    let whole = whole(&nothing).map(|(field, _, least, most)| Allowed { name: short(field), least, most });
    let parts = parts(&nothing).map(|(field, _, most)| Allowed { name: short(field), least: 0, most });
    whole.into_iter().chain(parts).collect()
}

/// The whole numbers of a table: the field, what it says, the least and the most.
fn whole(table: &ModelBinding) -> [(&'static str, Option<u64>, u64, u64); 8] {
    const DAY_SECS: u64 = 24 * 3_600;
    [
        ("model.connectTimeoutSecs", table.connect_timeout_secs, 1, DAY_SECS),
        ("model.firstByteTimeoutSecs", table.first_byte_timeout_secs, 1, DAY_SECS),
        ("model.totalTimeoutSecs", table.total_timeout_secs, 1, DAY_SECS),
        ("model.retries", table.retries.map(u64::from), 0, 100),
        ("model.maxRetryWaitSecs", table.max_retry_wait_secs, 1, DAY_SECS),
        ("model.requestsPerMinute", table.requests_per_minute, 1, 1_000_000),
        ("model.tokensPerMinute", table.tokens_per_minute, 1, 1_000_000_000_000),
        ("model.maxTokens", table.max_tokens, 1, 1_000_000_000),
    ]
}

/// The other numbers of a table: the field, what it says, the most; the least is 0.
fn parts(table: &ModelBinding) -> [(&'static str, Option<f64>, u64); 2] {
    [("model.temperature", table.temperature, 100), ("model.topP", table.top_p, 1)]
}

/// Every number that is out of its range.
fn out_of_range(table: &ModelBinding) -> Vec<Finding> {
    let outside = |(field, value, least, most): (&'static str, Option<u64>, u64, u64)| {
        let value = value.filter(|value| !(least..=most).contains(value))?;
        Some((field, format!("`{}` is {value}: it must be between {least} and {most}", short(field))))
    };
    let apart = |(field, value, most): (&'static str, Option<f64>, u64)| {
        let value = value.filter(|value| !(0.0..=most as f64).contains(value))?;
        Some((field, format!("`{}` is {value}: it must be between 0 and {most}", short(field))))
    };
    let whole = whole(table).into_iter().filter_map(outside);
    whole.chain(parts(table).into_iter().filter_map(apart)).collect()
}

/// Where requests go. No message repeats what the field holds: it may have a password in it.
fn address(base: Option<&str>, path: &str) -> Result<Url, String> {
    let example = "write the endpoint up to its version, as http://127.0.0.1:8000/v1";
    let Some(base) = base.map(str::trim).filter(|base| !base.is_empty()) else {
        return Err(format!("`baseUrl` is missing: {example}"));
    };
    let url = Url::parse(base).map_err(|error| format!("`baseUrl` is no address ({error}): {example}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(format!("`baseUrl` is no http or https address: {example}"));
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        return Err("`baseUrl` holds a user, a password, a query or a fragment, and is recorded: \
                    take it out, and put a key into `apiKeyFile` or `apiKeyEnv`"
            .to_owned());
    }
    let base = url.as_str().trim_end_matches('/');
    if base.ends_with(&format!("/{path}")) {
        return Err(format!("`baseUrl` ends with `/{path}`, which is added to it: leave that out"));
    }
    Url::parse(&format!("{base}/{path}")).map_err(|error| format!("`baseUrl` is no address ({error}): {example}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn table(value: serde_json::Value) -> ModelBinding {
        serde_json::from_value(value).expect("a table")
    }

    fn findings(value: serde_json::Value) -> Vec<Finding> {
        Binding::open(table(value), "model.replies", |_| None).expect_err("wrong")
    }

    #[test]
    fn everything_that_is_wrong_with_an_endpoint_is_told_at_once_with_its_field() {
        let found = findings(json!({
            "kind": "openai", "replies": "r", "model": " ", "retries": 101, "totalTimeoutSecs": 0,
            "temperature": -1.0, "topP": 1.5, "maxTokens": 0, "requestsPerMinute": 0, "apiKeyEnv": "NOT_SET",
            "extra": { "stream": true, "n": 2, "top_k": 3 },
        }));
        let wanted = [
            ("model.totalTimeoutSecs", "between 1 and 86400"),
            ("model.retries", "between 0 and 100"),
            ("model.requestsPerMinute", "between 1 and"),
            ("model.maxTokens", "between 1 and"),
            ("model.temperature", "between 0 and 100"),
            ("model.topP", "between 0 and 1"),
            ("model.replies", "remove it"),
            ("model.model", "`model` is missing"),
            ("model.extra", "`stream`: answers are read whole"),
            ("model.extra", "`n`: a turn has one reply"),
            ("model.baseUrl", "`baseUrl` is missing"),
            ("model.apiKeyEnv", "is not set"),
        ];
        assert_eq!(found.len(), wanted.len(), "{found:#?}");
        for ((field, message), (wanted, part)) in found.iter().zip(wanted) {
            assert!(*field == wanted && message.contains(part), "{wanted} {part}: {found:#?}");
        }
    }

    #[test]
    fn an_address_with_a_secret_or_a_wrong_end_is_refused_without_being_repeated() {
        for (base, part) in [
            ("http://me:hunter2@h/v1", "take it out"),
            ("http://h/v1?key=hunter2", "take it out"),
            ("hunter2", "no address"),
            ("ftp://hunter2/v1", "no http or https"),
            ("http://hunter2/v1/chat/completions", "leave that out"),
        ] {
            let found = findings(json!({ "kind": "openai", "model": "m", "baseUrl": base }));
            assert!(found.len() == 1 && found[0].1.contains(part), "{base}: {found:?}");
            assert!(!found[0].1.contains("hunter2"), "{found:?}");
        }
        let url = |base| address(Some(base), "chat/completions").expect("address").to_string();
        assert_eq!(url("http://h:1/v1"), "http://h:1/v1/chat/completions");
        assert_eq!(url("http://h:1/v1/"), "http://h:1/v1/chat/completions");
    }

    #[test]
    fn a_protocol_says_what_it_needs_and_a_script_takes_its_replies_alone() {
        let base = json!({ "kind": "anthropic", "model": "m", "baseUrl": "http://h/v1", "seed": 1 });
        let fields: Vec<_> = findings(base).into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["model.maxTokens", "model.seed"]);
        let found = findings(json!({ "kind": "scripted", "seed": 1, "extra": { "a": 1 } }));
        let fields: Vec<_> = found.into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["model.seed", "model.extra", "model.replies"]);
    }

    #[test]
    fn every_field_of_an_endpoint_is_known_here() {
        let full = json!({
            "kind": "openai", "replies": "r", "baseUrl": "b", "model": "m", "apiKeyFile": "f", "apiKeyEnv": "E",
            "connectTimeoutSecs": 1, "firstByteTimeoutSecs": 1, "totalTimeoutSecs": 1, "retries": 1,
            "maxRetryWaitSecs": 1, "requestsPerMinute": 1, "tokensPerMinute": 1, "temperature": 1.0, "topP": 1.0,
            "maxTokens": 1, "seed": 1, "extra": { "a": 1 },
        });
        let said = serde_json::to_value(table(full)).expect("json");
        let mut fields: Vec<_> = said.as_object().expect("object").keys().map(String::as_str).collect();
        fields.retain(|field| !matches!(*field, "kind" | "replies"));
        let mut known: Vec<_> = OF_ENDPOINTS.iter().map(|field| short(field)).collect();
        known.sort_unstable();
        fields.sort_unstable();
        assert_eq!(fields, known);
    }
}
