//! Metrics: single numbers of a run, read from the reports of its launches.
//!
//! `table` is the registry, `groups` has the groups of metrics and the metrics of sim-core's
//! counters, `related` finds related metrics.
//!
//! Invariant `every-value-is-explained`: Every value of a chip is explained in docs/CONFIG.md, and
//! every metric in docs/METRICS.md.

mod groups;
mod related;
mod table;

use crate::exit::Failure;
use isa::diag::nearest;
use serde_json::{Number, Value as Json};
use sim_core::stats::{Report, WarpState};
use std::borrow::Cow;

pub use groups::Group;
pub use related::{quoted, related};
pub use table::ALL;

/// Returns the names of all metrics, in the order of the registry.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|metric| metric.name).collect()
}

/// A metric: one number of a run.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Name, as in the columns of a sweep.
    pub name: &'static str,
    /// Unit; empty for plain counts.
    pub unit: &'static str,
    /// Source of the value.
    pub value: Value,
    /// Meaning.
    pub about: &'static str,
    /// Group of the page and of the text report.
    pub group: Group,
    /// Formula over other metrics; empty if the value is a counter or a share of counters.
    formula: &'static str,
    /// Advice that usually improves the metric; empty if there is none. Names of metrics are in
    /// backticks.
    pub improve: &'static str,
}

/// Source of a metric, and the rule that makes one number of several launches. Texts are paths into
/// the report: names separated by dots. In a list of pairs the first element of a pair is its name,
/// and `*` is the sum over a list.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// The number of launches.
    Launches,
    /// The sum over the launches.
    Sum(&'static str),
    /// The mean, each launch weighted by the second; if all weights are 0, the value of the first
    /// launch.
    Mean(&'static str, &'static str),
    /// The sum of the first divided by the sum of the second; 0 if that is 0.
    Share(&'static str, &'static str),
    /// The value of the last launch, usually the same for all launches.
    Same(&'static str),
}

impl Metric {
    /// Returns the formula: over metrics, over fields of the report (with dots), or the word
    /// "counter".
    pub fn formula(&self) -> Cow<'static, str> {
        match self.value {
            _ if !self.formula.is_empty() => self.formula.into(),
            Value::Launches => "number of launches".into(),
            Value::Share(part, whole) => {
                let of = |path| ALL.iter().find(|m| m.is_counter_at(path)).map_or(path, |m| m.name);
                format!("{} / {}", of(part), of(whole)).into()
            }
            Value::Sum(_) => "counter".into(),
            Value::Same(_) | Value::Mean(..) => "value of the report".into(),
        }
    }

    /// Whether the metric is a field of the report, without a formula.
    #[cfg(test)]
    const fn is_field(&self) -> bool {
        self.formula.is_empty() && matches!(self.value, Value::Sum(_) | Value::Same(_) | Value::Mean(..))
    }

    /// Returns the field of the report; for a share, the numerator. `None` for the number of
    /// launches.
    pub const fn field(&self) -> Option<&'static str> {
        match self.value {
            Value::Launches => None,
            Value::Sum(path) | Value::Same(path) | Value::Mean(path, _) | Value::Share(path, _) => Some(path),
        }
    }

    /// Returns the rule that makes one number of several launches.
    pub fn of_launches(&self) -> String {
        match self.value {
            Value::Launches | Value::Sum(_) => "sum over the launches".to_owned(),
            Value::Mean(_, weight) => format!("mean over the launches, weighted by {weight}"),
            Value::Share(..) => "sum of the numerators / sum of the denominators".to_owned(),
            Value::Same(_) => "value of the last launch".to_owned(),
        }
    }

    /// Whether the metric is the sum of this field.
    fn is_counter_at(&self, path: &str) -> bool {
        matches!(self.value, Value::Sum(field) if field == path)
    }
}

/// Returns the name of a warp state in reports.
pub fn name_of(state: WarpState) -> String {
    let name = serde_json::to_value(state).expect("a state is a word");
    name.as_str().expect("a state is a word").to_owned()
}

/// Returns the metrics of these names, or all metrics without names. The error for an unknown name
/// has the nearest ones.
pub fn chosen(names: &[String]) -> Result<Vec<&'static Metric>, Failure> {
    if names.is_empty() {
        return Ok(ALL.iter().collect());
    }
    let mut chosen: Vec<&'static Metric> = Vec::new();
    for name in names {
        let metric = find(name.trim())?;
        if chosen.iter().any(|m| m.name == metric.name) {
            return Err(Failure::input(format!("error: the metric `{}` is named twice", metric.name)));
        }
        chosen.push(metric);
    }
    Ok(chosen)
}

/// Returns the metric of a name.
pub fn find(name: &str) -> Result<&'static Metric, Failure> {
    ALL.iter().find(|m| m.name == name).ok_or_else(|| {
        let names = || ALL.iter().map(|m| m.name);
        let nearest = nearest(name, names());
        let alike = names().filter(|n| !name.is_empty() && n.contains(name) && nearest != Some(n));
        let near: Vec<&str> = nearest.into_iter().chain(alike).collect();
        let hint = if near.is_empty() {
            format!("\nMetrics: {}", names().collect::<Vec<_>>().join(", "))
        } else {
            format!(
                "; did you mean {}?",
                near.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" or ")
            )
        };
        Failure::input(format!("error: there is no metric `{name}`{hint}"))
    })
}

/// The reports of the launches of a run, from which metrics are read.
pub struct Reports(Vec<Json>);

impl Reports {
    /// Reports of these launches.
    pub fn new(reports: &[Report]) -> Self {
        let json = |r| serde_json::to_value(r).expect("a report has string keys only");
        Self(reports.iter().map(json).collect())
    }

    /// Launches read from a report file: the entries of its `runs`.
    pub fn read(runs: Vec<Json>) -> Self {
        Self(runs)
    }

    /// Returns the number at a path of the last launch's report: names separated by dots.
    pub fn at(&self, path: &str) -> Option<Number> {
        at(self.0.last()?, path)
    }

    /// Returns the value of a metric; `None` if no launch has it.
    pub fn value(&self, metric: &Metric) -> Option<Number> {
        let all = |path| self.0.iter().map(move |report| at(report, path)).collect::<Option<Vec<Number>>>();
        match metric.value {
            Value::Launches => Some(self.0.len().into()),
            Value::Sum(path) => sum(&all(path)?),
            Value::Same(path) => at(self.0.last()?, path),
            Value::Mean(path, weight) => {
                let (values, weights) = (all(path)?, all(weight)?);
                match (values.as_slice(), sum(&weights)?.as_f64()?) {
                    ([one], _) => Some(one.clone()),
                    (_, 0.0) => values.first().cloned(),
                    (_, whole) => {
                        let weighted =
                            values.iter().zip(&weights).map(|(v, w)| Some(v.as_f64()? * w.as_f64()?));
                        Number::from_f64(weighted.sum::<Option<f64>>()? / whole)
                    }
                }
            }
            Value::Share(part, whole) => {
                let (part, whole) = (sum(&all(part)?)?.as_f64()?, sum(&all(whole)?)?.as_f64()?);
                Number::from_f64(if whole == 0.0 { 0.0 } else { part / whole })
            }
        }
    }
}

/// Returns the sum; the sum of whole numbers is a whole number.
fn sum(numbers: &[Number]) -> Option<Number> {
    let whole = numbers.iter().try_fold(0u64, |total, n| total.checked_add(n.as_u64()?));
    match whole {
        Some(total) => Some(total.into()),
        None => Number::from_f64(numbers.iter().map(Number::as_f64).sum::<Option<f64>>()?),
    }
}

/// Parts of `timing` that a report omits if the kernel does not use their unit.
const OMITTED: [&str; 2] = ["texture", "mapped"];

/// Returns the number at a path of a report. A name that is missing in a list of pairs has the
/// value 0, because reports omit states without cycles. So do the parts for units that the kernel
/// does not use.
fn at(report: &Json, path: &str) -> Option<Number> {
    if path.is_empty() {
        return report.as_number().cloned();
    }
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    match report {
        Json::Object(fields) => match fields.get(step) {
            Some(field) => at(field, rest),
            None => OMITTED.contains(&step).then(|| 0.into()),
        },
        Json::Array(items) if step == "*" => {
            let second = |item: &'_ Json| at(item.get(1).unwrap_or(item), rest);
            sum(&items.iter().map(second).collect::<Option<Vec<_>>>()?)
        }
        Json::Array(pairs) => match pairs.iter().find(|pair| pair[0] == step) {
            Some(pair) => at(&pair[1], rest),
            None => Some(0.into()),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests;
