//! An endpoint: asks it within its limits, again where that may help, and says what came of it.

use super::failure::{Failure, advice};
use super::limiter::Limiter;
use super::protocol::{Answer, Protocol, clip, judge};
use super::retry::{Policy, Verdict};
use super::secret::Secret;
use super::wire::{Heard, Wire};
use super::{Model, ModelError, ModelReply, Request};
use crate::clock::chance;
use crate::window::Message;
use async_trait::async_trait;
use gg_common::model::{ModelBinding, ModelCall, ModelFailure, ModelRetry};
use std::fmt;
use std::time::Duration;
use tokio::time::Instant;

/// A model behind an address. All calls of one binding share its limits.
pub struct Remote {
    pub(super) binding: ModelBinding,
    pub(super) protocol: Box<dyn Protocol>,
    pub(super) wire: Wire,
    pub(super) key: Option<Secret>,
    pub(super) policy: Policy,
    pub(super) limiter: Limiter,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("binding", &self.binding).field("key", &self.key).finish_non_exhaustive()
    }
}

/// The most of a refusal that is recorded, in characters.
const REFUSAL_CHARS: usize = 16 * 1024;

/// The most of a name that an endpoint gives that is recorded, in characters.
const NAME_CHARS: usize = 200;

impl Remote {
    /// The body of a request.
    fn body(&self, messages: &[Message]) -> Vec<u8> {
        let mut body = self.protocol.body(&self.binding, messages);
        body.extend(self.binding.extra.iter().map(|(field, value)| (field.clone(), value.clone())));
        serde_json::Value::Object(body).to_string().into_bytes()
    }

    /// What a request takes of the tokens of a minute: what is read, and all that may be written where that is bounded.
    fn estimate(&self, messages: &[Message]) -> u64 {
        let read: u64 = messages.iter().map(|message| u64::from(message.tokens)).sum();
        read.saturating_add(self.binding.max_tokens.unwrap_or(0))
    }

    /// Asks once.
    async fn ask(&self, body: Vec<u8>) -> Result<(Heard, Answer), Failure> {
        let heard = self.wire.post(body).await?;
        let answer = judge(&*self.protocol, &heard, self.key.as_ref())?;
        Ok((heard, answer))
    }

    fn masked(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.masked(text))
    }

    fn gave_up(&self, failure: &Failure, verdict: Verdict, asked: usize) -> ModelError {
        let times = if asked == 1 { String::new() } else { format!(", asked {asked} times") };
        let why = match verdict {
            Verdict::AskedTooMuch(wait) => format!(
                ". It asks to wait {} s, longer than `maxRetryWaitSecs` ({} s): run again after that, or raise it",
                wait.as_secs_f64().ceil(),
                self.policy.most.as_secs_f64()
            ),
            Verdict::Again(_) | Verdict::Hopeless | Verdict::TriedEnough => format!("; {}", advice(failure.kind)),
        };
        let message = format!("{}{times}: {}{why}", self.wire.url(), failure.message);
        ModelError { failure: failure.kind, message: self.masked(&message) }
    }
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

#[async_trait]
impl Model for Remote {
    async fn reply(&self, request: Request<'_>) -> Result<Option<ModelReply>, ModelError> {
        let (body, estimate) = (self.body(request.messages), self.estimate(request.messages));
        let mut call = ModelCall { seed: self.binding.seed, ..ModelCall::default() };
        loop {
            let came = Instant::now();
            let ticket = self.limiter.admit(estimate).await;
            call.limit_wait_ms += ms(came.elapsed());
            let asked = Instant::now();
            let failure = match self.ask(body.clone()).await {
                Ok((heard, answer)) => {
                    let used = answer.usage.input_tokens + answer.usage.output_tokens;
                    if used > 0 {
                        self.limiter.settle(ticket, used);
                    }
                    return Ok(Some(reply(call, &heard, answer)));
                }
                Err(failure) => failure,
            };
            // A request that was not answered took no tokens; that it was made still counts.
            self.limiter.settle(ticket, 0);
            let latency_ms = ms(asked.elapsed());
            let retried = u32::try_from(call.retries.len()).unwrap_or(u32::MAX);
            let wait = match self.policy.judge(&failure, retried, chance()) {
                Verdict::Again(wait) => wait,
                verdict => return Err(self.gave_up(&failure, verdict, call.retries.len() + 1)),
            };
            if failure.kind == ModelFailure::RateLimited {
                // What the endpoint refuses one call it refuses the others of the binding.
                self.limiter.close_for(wait);
            }
            let message = self.masked(&failure.message);
            tracing::warn!("turn {}: the model is asked again in {:.1} s: {message}", request.turn, wait.as_secs_f64());
            let Failure { kind: failure, status, .. } = failure;
            call.retries.push(ModelRetry { failure, status, message, latency_ms, waited_ms: ms(wait) });
            tokio::time::sleep(wait).await;
        }
    }

    fn binding(&self) -> Option<ModelBinding> {
        Some(self.binding.clone())
    }
}

fn reply(call: ModelCall, heard: &Heard, answer: Answer) -> ModelReply {
    let name = |name: Option<String>| name.map(|name| clip(&name, NAME_CHARS));
    let call = ModelCall {
        model: name(answer.model),
        id: name(answer.id),
        system_fingerprint: name(answer.fingerprint),
        finish_reason: name(answer.finish_word),
        refusal: answer.refusal.map(|text| text.chars().take(REFUSAL_CHARS).collect()),
        first_byte_ms: ms(heard.first_byte),
        latency_ms: ms(heard.latency),
        ..call
    };
    ModelReply {
        bytes: answer.text.into_bytes(),
        finish_reason: answer.finish,
        usage: answer.usage,
        call: Some(Box::new(call)),
    }
}

#[cfg(test)]
mod tests;
