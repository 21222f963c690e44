//! Numbers and names of the answers as text.

use crate::study::Pairs;
use report::metrics;
use report::render::number::{self, fixed};
use serde_json::Value;

/// Elasticities below this are not shown.
pub const LEAST: f64 = 0.0005;

/// Gains nearer to 1 than this are not shown.
pub const ALIKE: f64 = 0.005;

/// Formats a number of any size with at most three decimals.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value.abs() >= 1e15 || value.abs() < 1e-3 {
        format!("{value:.3e}")
    } else {
        fixed(value, if value.fract() == 0.0 { 0 } else { 3 })
    }
}

/// Formats a value of a quantity, with its unit if the quantity is a metric that has one.
pub fn quantity(value: f64, name: &str) -> String {
    let metric = metrics::ALL.iter().find(|metric| metric.name == name);
    match metric.map_or("", |metric| metric.unit) {
        "" => number(value),
        unit => format!("{} {unit}", number(value)),
    }
}

/// Formats a share of 1 in percent.
pub fn percent(share: f64) -> String {
    format!("{} %", number::percent(share))
}

/// Returns the values of a point as words.
pub fn described(Pairs(values): &Pairs<String, Value>) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let parts = values.iter().filter(|(_, value)| !value.is_null());
    parts.map(|(name, value)| format!("{name} {}", text(value))).collect::<Vec<_>>().join(", ")
}
