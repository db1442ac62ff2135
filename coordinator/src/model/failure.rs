//! What can go wrong between a request and its answer, and whether it may pass.

use gg_common::model::ModelFailure;
use std::time::Duration;

/// One request that brought no answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Failure {
    /// Why.
    pub(super) kind: ModelFailure,
    /// The HTTP status, where one came.
    pub(super) status: Option<u16>,
    /// What happened.
    pub(super) message: String,
    /// How long the endpoint asks to wait.
    pub(super) retry_after: Option<Duration>,
}

impl Failure {
    /// A failure without a status.
    pub(super) fn new(kind: ModelFailure, message: impl Into<String>) -> Failure {
        Failure { kind, status: None, message: message.into(), retry_after: None }
    }

    /// Whether the same request may be answered later.
    pub(super) fn may_pass(&self) -> bool {
        match self.kind {
            ModelFailure::RateLimited | ModelFailure::Outage | ModelFailure::TimedOut => true,
            ModelFailure::QuotaExhausted
            | ModelFailure::Unauthorized
            | ModelFailure::Rejected
            | ModelFailure::Unreadable => false,
        }
    }
}

/// What a person can do about it.
pub(super) fn advice(kind: ModelFailure) -> &'static str {
    match kind {
        ModelFailure::RateLimited => {
            "set `requestsPerMinute` and `tokensPerMinute` to what the endpoint allows, or raise `retries`"
        }
        ModelFailure::QuotaExhausted => "the account's quota or balance is used up: raise it at the provider",
        ModelFailure::Outage => "see whether the endpoint is up and `baseUrl` is its address, then run again",
        ModelFailure::TimedOut => "raise the time-out if the model needs longer",
        ModelFailure::Unauthorized => "see whether `apiKeyFile` or `apiKeyEnv` names the right key",
        ModelFailure::Rejected => "see whether `baseUrl`, `model` and the other fields are what the endpoint takes",
        ModelFailure::Unreadable => "see whether `baseUrl` is that of an endpoint of this kind",
    }
}

/// What an error status means. `code` is what the endpoint calls the error, where it says so.
pub(super) fn of_status(status: u16, code: &str) -> ModelFailure {
    match status {
        402 => ModelFailure::QuotaExhausted,
        429 if is_out_of_quota(code) => ModelFailure::QuotaExhausted,
        429 => ModelFailure::RateLimited,
        401 | 403 => ModelFailure::Unauthorized,
        // The request itself was well: 408 took too long to arrive, 425 came too early, 409 met another.
        408 | 409 | 425 | 500..=599 => ModelFailure::Outage,
        _ => ModelFailure::Rejected,
    }
}

/// Providers answer 429 both where waiting helps and where only paying does.
fn is_out_of_quota(code: &str) -> bool {
    let code = code.to_lowercase();
    ["insufficient_quota", "billing", "credit_balance", "spend_limit", "usage_limit"]
        .iter()
        .any(|part| code.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_limit_an_outage_and_what_will_not_pass_are_told_apart() {
        for (status, code, kind, passes) in [
            (429, "rate_limit_exceeded", ModelFailure::RateLimited, true),
            (429, "", ModelFailure::RateLimited, true),
            (429, "insufficient_quota", ModelFailure::QuotaExhausted, false),
            (402, "", ModelFailure::QuotaExhausted, false),
            (500, "", ModelFailure::Outage, true),
            (503, "overloaded", ModelFailure::Outage, true),
            (529, "overloaded_error", ModelFailure::Outage, true),
            (408, "", ModelFailure::Outage, true),
            (401, "invalid_api_key", ModelFailure::Unauthorized, false),
            (403, "", ModelFailure::Unauthorized, false),
            (400, "context_length_exceeded", ModelFailure::Rejected, false),
            (404, "model_not_found", ModelFailure::Rejected, false),
            (307, "", ModelFailure::Rejected, false),
        ] {
            let found = of_status(status, code);
            assert_eq!((found, Failure::new(found, "x").may_pass()), (kind, passes), "{status} {code}");
        }
    }
}
