//! What model calls cost, in whatever currency a binding states its prices in.

use crate::event::Usage;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// An amount of money, held in millionths so that sums are exact, and written as a plain number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, JsonSchema)]
#[schemars(with = "f64")]
pub struct Money {
    /// Millionths of the currency's unit.
    pub micros: u64,
}

impl Money {
    /// The sum, or as much as can be held.
    pub fn plus(self, other: Money) -> Money {
        Money { micros: self.micros.saturating_add(other.micros) }
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.micros / 1_000_000, self.micros % 1_000_000);
        let digits = format!("{rest:06}");
        // Cents, and what is smaller where there is any.
        let shown = digits.trim_end_matches('0').len().max(2);
        write!(f, "{whole}.{}", &digits[..shown])
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.micros as f64 / 1e6)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Money, D::Error> {
        let amount = f64::deserialize(deserializer)?;
        if !(0.0..=1e12).contains(&amount) {
            return Err(serde::de::Error::custom(format!("an amount of {amount}: it must be between 0 and 1e12")));
        }
        Ok(Money { micros: (amount * 1e6).round() as u64 })
    }
}

/// What a model's tokens cost, a million of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prices {
    /// Tokens read.
    pub input_per_million: Money,
    /// Tokens read that the provider had cached. Default: as those that it had not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_per_million: Option<Money>,
    /// Tokens written, those of reasoning among them.
    pub output_per_million: Money,
}

impl Prices {
    /// What a call cost.
    pub fn of(&self, usage: &Usage) -> Money {
        let cached = usage.cached_tokens.unwrap_or(0).min(usage.input_tokens);
        let at = |tokens: u64, price: Money| u128::from(tokens) * u128::from(price.micros);
        let total = at(usage.input_tokens - cached, self.input_per_million)
            + at(cached, self.cached_per_million.unwrap_or(self.input_per_million))
            + at(usage.output_tokens, self.output_per_million);
        // Rounded up: a bound that is reached by a hair is reached.
        Money { micros: u64::try_from(total.div_ceil(1_000_000)).unwrap_or(u64::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact_and_written_as_numbers() {
        let money: Money = serde_json::from_str("0.3").expect("money");
        assert_eq!(money.micros, 300_000);
        assert_eq!(serde_json::to_string(&money).expect("json"), "0.3");
        let shown = |micros| Money { micros }.to_string();
        assert_eq!(
            [shown(300_000), shown(2_000_000), shown(1_234_567), shown(40)],
            ["0.30", "2.00", "1.234567", "0.00004"]
        );
        assert!(serde_json::from_str::<Money>("-1").is_err());
    }

    #[test]
    fn a_call_costs_what_its_tokens_do() {
        let prices: Prices =
            serde_json::from_str(r#"{"inputPerMillion": 3, "cachedPerMillion": 0.3, "outputPerMillion": 15}"#)
                .expect("prices");
        let usage =
            Usage { input_tokens: 10_000, output_tokens: 1_000, cached_tokens: Some(8_000), ..Usage::default() };
        assert_eq!(prices.of(&usage).to_string(), "0.0234");
        let plain = Prices { cached_per_million: None, ..prices };
        assert_eq!(plain.of(&usage).to_string(), "0.045");
    }
}
