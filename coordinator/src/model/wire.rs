//! One request within its time-outs: what came back, or why nothing did.

use super::failure::Failure;
use crate::clock::{Clock, SystemClock};
use gg_common::model::ModelFailure;
use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, DATE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use std::error::Error;
use std::net::IpAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::{Instant, timeout};

/// The time-outs of a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Timeouts {
    /// Connecting.
    pub(super) connect: Duration,
    /// From the request to the first byte of its answer.
    pub(super) first_byte: Duration,
    /// From the request to the last byte.
    pub(super) total: Duration,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Heard {
    pub(super) status: u16,
    pub(super) content_type: Option<String>,
    /// How long the endpoint asks to wait.
    pub(super) retry_after: Option<Duration>,
    /// Where the endpoint sends on to.
    pub(super) location: Option<String>,
    pub(super) body: Vec<u8>,
    /// From the request to the first byte.
    pub(super) first_byte: Duration,
    /// From the request to the last byte.
    pub(super) latency: Duration,
}

/// The longest answer that is read, in bytes: an endpoint that never ends its answer must not fill the memory.
const MOST_ANSWER_BYTES: usize = 64 << 20;

/// How long a connection is kept between requests: endpoints drop theirs after a minute or so without a word.
const KEEP_CONNECTION: Duration = Duration::from_secs(30);

/// Where requests go.
pub(super) struct Wire {
    client: reqwest::Client,
    url: Url,
    headers: HeaderMap,
    timeouts: Timeouts,
}

impl Wire {
    /// A wire to an address. Otherwise a sentence about what it lacks.
    pub(super) fn new(url: Url, mut headers: HeaderMap, timeouts: Timeouts) -> Result<Wire, String> {
        // Another part of the process may have chosen it already: either serves.
        let _ = rustls::crypto::ring::default_provider().install_default();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let mut client = reqwest::Client::builder()
            .user_agent(concat!("gg-farm/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(timeouts.connect)
            .pool_idle_timeout(KEEP_CONNECTION)
            .referer(false)
            // The key goes to the address that was written down and to no other.
            .redirect(reqwest::redirect::Policy::none());
        if url.scheme() == "http" {
            // A machine without certificates can still be spoken to.
            client = client.tls_certs_only([]);
        }
        if is_here(&url) {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| format!("no connection can be prepared: {}", causes(&error)))?;
        Ok(Wire { client, url, headers, timeouts })
    }

    /// Where requests go.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// Makes a request.
    pub(super) async fn post(&self, body: Vec<u8>) -> Result<Heard, Failure> {
        match timeout(self.timeouts.total, self.exchange(body)).await {
            Ok(heard) => heard,
            Err(_) => Err(late("its whole answer", "totalTimeoutSecs", self.timeouts.total)),
        }
    }

    async fn exchange(&self, body: Vec<u8>) -> Result<Heard, Failure> {
        let asked = Instant::now();
        let sent = self.client.post(self.url.clone()).headers(self.headers.clone()).body(body).send();
        let mut response = match timeout(self.timeouts.first_byte, sent).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) if error.is_timeout() && error.is_connect() => {
                return Err(late("a connection", "connectTimeoutSecs", self.timeouts.connect));
            }
            Ok(Err(error)) if error.is_connect() => {
                return Err(outage(format!("it cannot be reached: {}", causes(&error))));
            }
            Ok(Err(error)) => return Err(outage(format!("the connection broke: {}", causes(&error)))),
            Err(_) => {
                return Err(late("the first byte of its answer", "firstByteTimeoutSecs", self.timeouts.first_byte));
            }
        };
        let mut heard =
            Heard { first_byte: asked.elapsed(), ..read_head(response.status().as_u16(), response.headers()) };
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if heard.body.len() + chunk.len() > MOST_ANSWER_BYTES => {
                    let text = format!("its answer is longer than {} MiB", MOST_ANSWER_BYTES >> 20);
                    return Err(Failure { status: Some(heard.status), ..Failure::new(ModelFailure::Unreadable, text) });
                }
                Ok(Some(chunk)) => heard.body.extend_from_slice(&chunk),
                Ok(None) => break,
                Err(error) => {
                    let text = format!("its answer broke off after {} bytes: {}", heard.body.len(), causes(&error));
                    let Heard { status, retry_after, .. } = heard;
                    return Err(Failure { status: Some(status), retry_after, ..outage(text) });
                }
            }
        }
        heard.latency = asked.elapsed();
        Ok(heard)
    }
}

fn read_head(status: u16, headers: &HeaderMap) -> Heard {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    Heard {
        status,
        content_type: text(CONTENT_TYPE),
        retry_after: retry_after(headers, UNIX_EPOCH + Duration::from_millis(SystemClock::default().unix_ms())),
        // Only where it leads, not with what.
        location: text(LOCATION).filter(|_| (300..400).contains(&status)).map(|to| {
            let end = to.find(['?', '#']).unwrap_or(to.len());
            to[..end].to_owned()
        }),
        ..Heard::default()
    }
}

fn outage(message: String) -> Failure {
    Failure::new(ModelFailure::Outage, message)
}

fn late(what: &str, field: &str, limit: Duration) -> Failure {
    let text = format!("{what} did not come within {} s (`{field}`)", limit.as_secs_f64());
    Failure::new(ModelFailure::TimedOut, text)
}

/// An error with its causes, and without the address, which is told beside it.
fn causes(error: &reqwest::Error) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if texts.last() != Some(&text) {
            texts.push(text);
        }
        cause = error.source();
    }
    if texts.is_empty() { "no reason was given".to_owned() } else { texts.join(": ") }
}

/// How long an endpoint asks to wait, in any of the forms: milliseconds, seconds or a date.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| *number >= 0.0);
    if let Some(milliseconds) = text("retry-after-ms").and_then(number) {
        return Duration::try_from_secs_f64(milliseconds / 1_000.0).ok();
    }
    let asked = text(RETRY_AFTER.as_str())?;
    if let Some(seconds) = number(asked) {
        // What no number of seconds can say is longer than any wait.
        return Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }
    let until = httpdate::parse_http_date(asked).ok()?;
    // By the endpoint's own clock where it tells it: ours may differ.
    let now = text(DATE.as_str()).and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or(now);
    Some(until.duration_since(now).unwrap_or_default())
}

/// Whether an address is this machine's own, to which no proxy is the way.
fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_read_in_every_form() {
        let asked = |pairs: &[(&'static str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(*name, HeaderValue::from_str(value).expect("value"));
            }
            let now = httpdate::parse_http_date("Thu, 01 Jan 2026 00:00:00 GMT").expect("date");
            retry_after(&headers, now).map(|wait| wait.as_secs_f64())
        };
        assert_eq!(asked(&[]), None);
        assert_eq!(asked(&[("retry-after", "7")]), Some(7.0));
        assert_eq!(asked(&[("retry-after", "0.25")]), Some(0.25));
        assert_eq!(asked(&[("retry-after", "7"), ("retry-after-ms", "1500")]), Some(1.5));
        assert_eq!(asked(&[("retry-after", "Thu, 01 Jan 2026 00:01:00 GMT")]), Some(60.0));
        let clock = ("date", "Thu, 01 Jan 2026 00:00:50 GMT");
        assert_eq!(asked(&[("retry-after", "Thu, 01 Jan 2026 00:01:00 GMT"), clock]), Some(10.0));
        assert_eq!(asked(&[("retry-after", "Wed, 31 Dec 2025 00:00:00 GMT")]), Some(0.0));
        assert_eq!(asked(&[("retry-after", "soon")]), None);
        assert_eq!(asked(&[("retry-after", "-3")]), None);
        assert!(asked(&[("retry-after", "1e300")]).is_some_and(|wait| wait > 1e12));
    }

    #[test]
    fn this_machine_is_reached_without_a_proxy() {
        let here = |url: &str| is_here(&Url::parse(url).expect("url"));
        assert!(here("http://127.0.0.1:1/v1") && here("http://[::1]:1/") && here("https://localhost/v1"));
        assert!(!here("https://example.com/v1") && !here("http://127.example.com"));
    }
}
