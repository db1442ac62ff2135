//! One figure: a value, and the bound that it is held to.

use crate::cli::{Problem, out};
use comfy_table::{Table, presets};
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
    /// Whether the bound holds; none where there is none.
    pub fn holds(&self) -> Option<bool> {
        match self.bound {
            Bound::AtMost(most) => Some(self.value <= most),
            Bound::AtLeast(least) => Some(self.value >= least),
            Bound::None => None,
        }
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

/// Prints the rows.
pub fn print(figures: &[Figure], json: bool) -> Result<(), Problem> {
    if json {
        let rows: Vec<_> = figures.iter().map(Figure::json).collect();
        return out(&format!("{}\n", serde_json::json!({ "figures": rows })));
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["figure", "value", "unit", "bound", "holds", "note"]);
    for figure in figures {
        let holds = match figure.holds() {
            Some(true) => "yes",
            Some(false) => "NO",
            None => "",
        };
        table.add_row([
            figure.name.to_owned(),
            format!("{:.3}", figure.value),
            figure.unit.to_owned(),
            figure.bound.text(),
            holds.to_owned(),
            figure.note.clone(),
        ]);
    }
    out(&format!("{table}\n"))
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
