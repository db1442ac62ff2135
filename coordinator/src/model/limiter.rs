//! The binding's own limits: how many requests and tokens there may be in any minute, over all calls of the binding.
//!
//! A window that slides, not a bucket that fills: a full bucket lets twice its limit through in its first minute, and
//! endpoints count by the minute. Tokens are estimated when a request is let through and corrected when its answer says
//! what it used.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// What a minute is.
const MINUTE: Duration = Duration::from_secs(60);

/// A request that was let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ticket(u64);

#[derive(Debug)]
struct Entry {
    ticket: Ticket,
    at: Instant,
    tokens: u64,
}

#[derive(Debug, Default)]
struct Minute {
    entries: VecDeque<Entry>,
    next: u64,
    /// Nobody is let through before.
    closed_until: Option<Instant>,
}

/// Lets requests through at the pace of the limits, in the order in which they came.
#[derive(Debug)]
pub(super) struct Limiter {
    requests: Option<u64>,
    tokens: Option<u64>,
    /// Who is first in the line; the lock is fair.
    line: tokio::sync::Mutex<()>,
    minute: Mutex<Minute>,
}

impl Limiter {
    pub(super) fn new(requests: Option<u64>, tokens: Option<u64>) -> Limiter {
        Limiter { requests, tokens, line: tokio::sync::Mutex::default(), minute: Mutex::default() }
    }

    /// Waits until a request that will take about this many tokens may be made. Who stops waiting leaves no trace.
    pub(super) async fn admit(&self, tokens: u64) -> Ticket {
        let _first = self.line.lock().await;
        loop {
            let wait = {
                let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
                match self.wait(&mut minute, Instant::now(), tokens) {
                    None => return minute.enter(Instant::now(), tokens),
                    Some(wait) => wait,
                }
            };
            tokio::time::sleep(wait).await;
        }
    }

    /// How long until a request may be made; none where it may be now.
    fn wait(&self, minute: &mut Minute, now: Instant, tokens: u64) -> Option<Duration> {
        if let Some(until) = minute.closed_until.filter(|until| *until > now) {
            return Some(until - now);
        }
        minute.entries.retain(|entry| entry.at + MINUTE > now);
        // A request that is larger than the limit would never pass: it has a minute of its own.
        let tokens = self.tokens.map_or(tokens, |limit| tokens.min(limit));
        let fits = |skip: usize| {
            let left = minute.entries.iter().skip(skip);
            let requests = self.requests.is_none_or(|limit| (left.clone().count() as u64) < limit.max(1));
            let taken = left.map(|entry| entry.tokens).fold(tokens, u64::saturating_add);
            requests && self.tokens.is_none_or(|limit| taken <= limit)
        };
        if fits(0) {
            return None;
        }
        // When enough of the oldest have gone.
        let last = (1..=minute.entries.len()).find(|skip| fits(*skip))? - 1;
        Some((minute.entries[last].at + MINUTE).saturating_duration_since(now))
    }

    /// Says what a request really took.
    pub(super) fn settle(&self, ticket: Ticket, tokens: u64) {
        let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = minute.entries.iter_mut().find(|entry| entry.ticket == ticket) {
            entry.tokens = tokens;
        }
    }

    /// Lets nobody through for this long: the endpoint said that it is too much.
    pub(super) fn close_for(&self, wait: Duration) {
        let mut minute = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        minute.closed_until = minute.closed_until.max(Some(Instant::now() + wait));
    }
}

impl Minute {
    fn enter(&mut self, at: Instant, tokens: u64) -> Ticket {
        let ticket = Ticket(self.next);
        self.next += 1;
        self.entries.push_back(Entry { ticket, at, tokens });
        ticket
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tokio::task::JoinSet;

    /// When each of these requests was let through, in milliseconds, all asked for at once by one task each.
    async fn paces(limiter: Arc<Limiter>, tokens: &[u64]) -> Vec<u64> {
        let begun = Instant::now();
        let mut asking = JoinSet::new();
        for tokens in tokens.iter().copied() {
            let limiter = limiter.clone();
            asking.spawn(async move {
                limiter.admit(tokens).await;
                begun.elapsed().as_millis() as u64
            });
        }
        let mut times = asking.join_all().await;
        times.sort_unstable();
        times
    }

    #[tokio::test(start_paused = true)]
    async fn no_minute_holds_more_requests_than_the_limit() {
        let times = paces(Arc::new(Limiter::new(Some(3), None)), &[0; 8]).await;
        assert_eq!(&times[..3], &[0, 0, 0]);
        for (first, fourth) in times.iter().zip(&times[3..]) {
            assert!(fourth - first >= 60_000, "{times:?}");
        }
        assert!(*times.last().expect("times") < 121_000, "and no more is waited than that: {times:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_count_as_estimated_until_the_answer_says_what_they_were() {
        let limiter = Arc::new(Limiter::new(None, Some(100)));
        let first = limiter.admit(60).await;
        let begun = Instant::now();
        limiter.settle(first, 20);
        limiter.admit(80).await;
        assert_eq!(begun.elapsed(), Duration::ZERO, "20 and 80 are no more than 100");
        limiter.admit(30).await;
        assert!(begun.elapsed() >= MINUTE, "20, 80 and 30 are");
        let begun = Instant::now();
        limiter.admit(1_000).await;
        assert!(begun.elapsed() >= MINUTE, "one that is larger than the limit waits for a minute of its own");
        assert!(begun.elapsed() < 2 * MINUTE, "and passes");
    }

    #[tokio::test(start_paused = true)]
    async fn without_limits_nobody_waits_but_while_the_endpoint_wants_none() {
        let limiter = Arc::new(Limiter::new(None, None));
        assert_eq!(paces(limiter.clone(), &[1_000_000; 5]).await, [0; 5]);
        limiter.close_for(Duration::from_secs(7));
        limiter.close_for(Duration::from_secs(2));
        let times = paces(limiter, &[1; 3]).await;
        assert!(times.iter().all(|ms| (7_000..7_100).contains(ms)), "{times:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn who_stops_waiting_leaves_no_trace() {
        let limiter = Limiter::new(Some(1), None);
        limiter.admit(0).await;
        let begun = Instant::now();
        tokio::time::timeout(Duration::from_secs(1), limiter.admit(0)).await.expect_err("it waits");
        limiter.admit(0).await;
        assert!((60_000..60_100).contains(&(begun.elapsed().as_millis() as u64)), "{:?}", begun.elapsed());
    }
}
