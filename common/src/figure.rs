//! Figures of benchmarks: a value, and the bound that it is held to. `worker bench` and `coordinator bench` give the same
//! rows.

use serde::{Serialize, Serializer};
use std::time::Duration;

/// What a figure is held to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
    /// Nothing: it informs.
    None,
}

impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Bound::None => serializer.serialize_none(),
            bound => serializer.collect_str(&bound.text()),
        }
    }
}

impl Bound {
    fn text(self) -> String {
        match self {
            Bound::AtMost(most) => format!("<= {most}"),
            Bound::AtLeast(least) => format!(">= {least}"),
            Bound::None => String::new(),
        }
    }
}

/// One row.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// `ratio`, `s`.
    pub unit: &'static str,
    /// What it is held to.
    pub bound: Bound,
    /// What was compared with what, with the absolute values.
    pub note: String,
}

impl Figure {
    /// The headings of [`Figure::cells`].
    pub const HEADINGS: [&str; 6] = ["figure", "value", "unit", "bound", "holds", "note"];

    /// Whether the bound holds; none where there is none.
    pub fn holds(&self) -> Option<bool> {
        match self.bound {
            Bound::AtMost(most) => Some(self.value <= most),
            Bound::AtLeast(least) => Some(self.value >= least),
            Bound::None => None,
        }
    }

    /// The row as a person reads it.
    pub fn cells(&self) -> [String; 6] {
        let holds = match self.holds() {
            Some(true) => "yes",
            Some(false) => "NO",
            None => "",
        };
        let value = format!("{:.3}", self.value);
        [self.name.to_owned(), value, self.unit.to_owned(), self.bound.text(), holds.to_owned(), self.note.clone()]
    }

    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "name": self.name,
            "value": (self.value * 1000.0).round() / 1000.0,
            "unit": self.unit,
            "bound": self.bound,
            "holds": self.holds(),
            "note": self.note,
        })
    }
}

/// The rows as one JSON object.
pub fn json(figures: &[Figure]) -> String {
    let rows: Vec<_> = figures.iter().map(Figure::json).collect();
    serde_json::json!({ "figures": rows }).to_string()
}

/// Which figures are wanted: all, or those whose names begin so.
#[derive(Debug, Clone)]
pub struct Wanted(pub Option<String>);

impl Wanted {
    /// Whether a figure is.
    pub fn has(&self, name: &str) -> bool {
        self.0.as_deref().is_none_or(|only| name.starts_with(only))
    }
}

/// The median of some times.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Milliseconds.
pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_whether_its_bound_holds() {
        let figure = |value, bound| Figure { name: "turn", value, unit: "ms", bound, note: "why".to_owned() };
        let rows =
            [figure(1.0, Bound::AtMost(1.0)), figure(0.79, Bound::AtLeast(0.8)), figure(f64::NAN, Bound::AtMost(1.0))];
        assert_eq!(rows.iter().map(Figure::holds).collect::<Vec<_>>(), [Some(true), Some(false), Some(false)]);
        assert_eq!(rows[1].cells(), ["turn", "0.790", "ms", ">= 0.8", "NO", "why"]);
        let json: serde_json::Value = serde_json::from_str(&json(&[figure(2.0 / 3.0, Bound::None)])).expect("json");
        let row = serde_json::json!({
            "name": "turn", "value": 0.667, "unit": "ms", "bound": null, "holds": null, "note": "why",
        });
        assert_eq!(json["figures"][0], row);
    }

    #[test]
    fn names_are_wanted_by_how_they_begin() {
        assert!(Wanted(None).has("turn_x") && Wanted(Some("turn".to_owned())).has("turn_x"));
        assert!(!Wanted(Some("turns".to_owned())).has("turn_x"));
    }
}
