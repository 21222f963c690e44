//! The rows of an experiment: a line for each point, in the order of the points.

use super::plan::Plan;
use crate::args::sweep::RowFormat;
use crate::metrics;
use experiment::csv;
use experiment::store::Outcome;
use serde::{Serialize, Serializer};
use serde_json::{Number, Value};

/// Names and values, as a JSON object that keeps their order.
#[derive(Clone, Debug)]
pub struct Pairs(pub Vec<(String, Value)>);

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The rows.
pub struct Rows<'a> {
    /// The points.
    pub plan: &'a Plan<'a>,
    /// Result of each point, if the store has it.
    pub outcomes: &'a [Option<Outcome>],
    /// Names of the metrics; empty for all.
    pub columns: Vec<String>,
    /// Whether the rows have the host time, which differs between runs.
    pub host_time: bool,
}

impl Rows<'_> {
    /// Returns the names of the columns and the first `most` rows.
    pub fn table(&self, most: usize) -> (Vec<String>, Vec<Vec<Value>>) {
        let rows: Vec<Vec<(String, Value)>> =
            (0..self.outcomes.len().min(most)).map(|i| self.row(i)).collect();
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in rows.iter().flatten() {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        // Columns of variants come after those of the factors, not at their first use.
        let fixed = |name: &&str| ["field", "value", "ideal"].contains(name);
        let after = names.iter().position(|name| *name == "verdict").unwrap_or(names.len());
        let variants: Vec<&str> = names.iter().copied().filter(fixed).collect();
        let rest = |part: &[&'_ str]| {
            part.iter().filter(|name| !fixed(name)).map(|n| (*n).to_owned()).collect::<Vec<_>>()
        };
        let names: Vec<String> =
            [rest(&names[..after]), variants.into_iter().map(str::to_owned).collect(), rest(&names[after..])]
                .concat();
        let value = |row: &[(String, Value)], name: &String| {
            row.iter().find(|(other, _)| other == name).map_or(Value::Null, |(_, value)| value.clone())
        };
        let table = rows.iter().map(|row| names.iter().map(|name| value(row, name)).collect());
        (names.clone(), table.collect())
    }

    /// Returns the rows as text.
    pub fn text(&self, format: RowFormat) -> String {
        let (names, rows) = self.table(usize::MAX);
        let mut out = String::new();
        if format == RowFormat::Csv {
            out += &csv::line(names.iter().map(String::as_str));
        }
        for row in rows {
            match format {
                RowFormat::Csv => {
                    let texts: Vec<String> = row.iter().map(plain).collect();
                    out += &csv::line(texts.iter().map(String::as_str));
                }
                RowFormat::Jsonl => {
                    let object = Pairs(names.iter().cloned().zip(row).collect());
                    out += &serde_json::to_string(&object).expect("string keys and finite numbers only");
                    out.push('\n');
                }
            }
        }
        out
    }

    /// Returns the columns of a point. A point without a result has empty columns.
    fn row(&self, number: usize) -> Vec<(String, Value)> {
        let planned = &self.plan.points[number];
        let point = &planned.point;
        let mut row = vec![
            ("point".to_owned(), Value::from(number)),
            ("kernel".to_owned(), Value::from(self.plan.kernel(point).name.clone())),
            ("chip".to_owned(), Value::from(self.plan.chip(point).name.clone())),
        ];
        row.extend(self.plan.values(point));
        let outcome = self.outcomes[number].as_ref();
        let text = |text: Option<&String>| text.map_or(Value::Null, |text| Value::from(text.clone()));
        row.push(("verdict".to_owned(), text(outcome.map(|outcome| &outcome.verdict))));
        row.push(("message".to_owned(), text(outcome.map(|outcome| &outcome.message))));
        for (i, metric) in metrics::ALL.iter().enumerate() {
            if self.columns.is_empty() || self.columns.iter().any(|name| name == metric.name) {
                let number: Option<Number> = outcome.and_then(|outcome| outcome.metrics[i].clone());
                row.push((metric.name.to_owned(), number.map_or(Value::Null, Value::Number)));
            }
        }
        row.push(("digest".to_owned(), Value::from(planned.digest.clone())));
        if self.host_time {
            let seconds = outcome.and_then(|outcome| Number::from_f64(outcome.host_seconds));
            row.push(("host_seconds".to_owned(), seconds.map_or(Value::Null, Value::Number)));
        }
        row
    }
}

/// Returns a value as it is written in a CSV file.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}
