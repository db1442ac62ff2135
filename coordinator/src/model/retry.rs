//! Whether a request is made again, and when: a decision, not a deed.

use super::failure::Failure;
use std::time::Duration;

/// The rules of a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Policy {
    /// How often a request is made again.
    pub(super) retries: u32,
    /// The wait before the first of them; it doubles from one to the next.
    pub(super) first: Duration,
    /// No wait is longer, and an endpoint that asks for more is not asked again.
    pub(super) most: Duration,
}

/// What is done about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The request is made again after this long.
    Again(Duration),
    /// It would fail again.
    Hopeless,
    /// It was made often enough.
    TriedEnough,
    /// The endpoint asks to be left alone for longer than the binding waits.
    AskedTooMuch(Duration),
}

impl Policy {
    /// What is done about `failure`, after `retried` requests that were made again. `chance` spreads the waits of many, so
    /// that they do not come back together.
    pub(super) fn judge(&self, failure: &Failure, retried: u32, chance: u64) -> Verdict {
        if !failure.may_pass() {
            return Verdict::Hopeless;
        }
        if retried >= self.retries {
            return Verdict::TriedEnough;
        }
        let share = (chance >> 11) as f64 / (1_u64 << 53) as f64;
        if let Some(asked) = failure.retry_after {
            if asked > self.most {
                return Verdict::AskedTooMuch(asked);
            }
            // Never sooner than asked.
            let spread = (asked / 10).max(self.first / 4);
            return Verdict::Again(asked + spread.mul_f64(share));
        }
        let whole = self.first.saturating_mul(2_u32.saturating_pow(retried)).min(self.most);
        Verdict::Again(whole / 2 + (whole / 2).mul_f64(share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::model::ModelFailure;
    use proptest::prelude::*;

    const POLICY: Policy = Policy { retries: 5, first: Duration::from_secs(1), most: Duration::from_secs(60) };

    fn outage() -> Failure {
        Failure::new(ModelFailure::Outage, "down")
    }

    fn asked(seconds: u64) -> Failure {
        Failure { retry_after: Some(Duration::from_secs(seconds)), ..outage() }
    }

    #[test]
    fn waits_double_up_to_the_longest_and_end_with_the_retries() {
        let waits: Vec<_> = (0..5).map(|retried| POLICY.judge(&outage(), retried, u64::MAX)).collect();
        for (wait, seconds) in waits.iter().zip([1.0, 2.0, 4.0, 8.0, 16.0]) {
            let Verdict::Again(wait) = wait else { panic!("{waits:?}") };
            assert!((wait.as_secs_f64() - seconds).abs() < 1e-6, "{waits:?}");
        }
        assert_eq!(POLICY.judge(&outage(), 5, 0), Verdict::TriedEnough);
        let patient = Policy { retries: 99, ..POLICY };
        assert_eq!(patient.judge(&outage(), 60, 0), Verdict::Again(Duration::from_secs(30)));
    }

    #[test]
    fn what_will_not_pass_is_not_asked_again_and_an_endpoint_is_left_alone_as_long_as_it_asks() {
        assert_eq!(POLICY.judge(&Failure::new(ModelFailure::Unauthorized, "no"), 0, 0), Verdict::Hopeless);
        assert_eq!(POLICY.judge(&asked(7), 0, 0), Verdict::Again(Duration::from_secs(7)));
        assert_eq!(POLICY.judge(&asked(61), 0, 0), Verdict::AskedTooMuch(Duration::from_secs(61)));
        assert_eq!(POLICY.judge(&asked(0), 5, 0), Verdict::TriedEnough);
    }

    proptest! {
        #[test]
        fn no_wait_is_shorter_than_asked_or_than_half_and_many_are_spread(
            chance: u64, retried in 0_u32..5, seconds in 0_u64..60,
        ) {
            let Verdict::Again(wait) = POLICY.judge(&asked(seconds), retried, chance) else { panic!("again") };
            prop_assert!(wait >= Duration::from_secs(seconds) && wait <= Duration::from_secs(seconds * 2 + 1));
            let Verdict::Again(wait) = POLICY.judge(&outage(), retried, chance) else { panic!("again") };
            let whole = Duration::from_secs(1 << retried);
            prop_assert!(wait >= whole / 2 && wait <= whole);
            prop_assert_ne!(POLICY.judge(&outage(), retried, chance), POLICY.judge(&outage(), retried, !chance));
        }
    }
}
