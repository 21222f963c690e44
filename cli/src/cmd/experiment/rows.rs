//! The rows of an experiment: a line for each point, in the order of the points.

use super::plan::Plan;
use crate::args::sweep::RowFormat;
use crate::metrics;
use experiment::csv;
use experiment::design::Variant;
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
    pub fn table(&self, most: usize) -> (Vec<String>, impl Iterator<Item = Vec<Value>>) {
        let variants = self.variants();
        let metrics: Vec<usize> =
            (0..metrics::ALL.len()).filter(|i| self.has(metrics::ALL[*i].name)).collect();
        let names = self.names(&variants, &metrics);
        let rows = (0..self.outcomes.len().min(most)).map(move |i| self.row(i, &variants, &metrics));
        (names, rows)
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

    /// Whether the rows have a metric.
    fn has(&self, metric: &str) -> bool {
        self.columns.is_empty() || self.columns.iter().any(|name| name == metric)
    }

    /// Returns the columns of the variants that occur.
    fn variants(&self) -> Vec<&'static str> {
        let mut all: Vec<&str> = Vec::new();
        for planned in &self.plan.points {
            let new = columns(&planned.point.variant);
            if new.first().is_some_and(|first| !all.contains(first)) {
                all.extend(new);
            }
        }
        all
    }

    /// Returns the names of the columns.
    fn names(&self, variants: &[&str], metrics: &[usize]) -> Vec<String> {
        let file = &self.plan.loaded.file;
        let mut names: Vec<String> = ["point", "kernel", "chip"].map(str::to_owned).to_vec();
        names.extend(file.factors.iter().map(|factor| factor.name.value.clone()));
        names.extend((!file.seeds.is_empty()).then(|| "seed".to_owned()));
        names.extend(variants.iter().map(|name| (*name).to_owned()));
        names.extend(["verdict", "message"].map(str::to_owned));
        names.extend(metrics.iter().map(|i| metrics::ALL[*i].name.to_owned()));
        names.push("digest".to_owned());
        names.extend(self.host_time.then(|| "host_seconds".to_owned()));
        names
    }

    /// Returns the values of a point. A point without a result has empty values.
    fn row(&self, index: usize, variants: &[&str], metrics: &[usize]) -> Vec<Value> {
        let planned = &self.plan.points[index];
        let point = &planned.point;
        let name = |name: &str| Value::from(name.to_owned());
        let mut row = vec![
            Value::from(planned.number),
            name(&self.plan.kernel(point).name),
            name(&self.plan.chip(point).name),
        ];
        let mut values = self.plan.values(point);
        let of_variant = values.split_off(values.len() - columns(&point.variant).len());
        row.extend(values.into_iter().map(|(_, value)| value));
        for column in variants {
            let found = of_variant.iter().find(|(name, _)| name == column);
            row.push(found.map_or(Value::Null, |(_, value)| value.clone()));
        }
        let outcome = self.outcomes[index].as_ref();
        let text = |text: Option<&String>| text.map_or(Value::Null, |text| name(text));
        row.push(text(outcome.map(|outcome| &outcome.verdict)));
        row.push(text(outcome.map(|outcome| &outcome.message)));
        let number = |number: Option<Number>| number.map_or(Value::Null, Value::Number);
        let metric = |i: &usize| number(outcome.and_then(|outcome| outcome.metrics[*i].clone()));
        row.extend(metrics.iter().map(metric));
        row.push(name(&planned.digest));
        if self.host_time {
            row.push(number(outcome.and_then(|outcome| Number::from_f64(outcome.host_seconds))));
        }
        row
    }
}

/// Returns the columns of a variant, which are the last values of its points.
fn columns(variant: &Variant) -> &'static [&'static str] {
    match variant {
        Variant::Base => &[],
        Variant::Field(_) => &["field", "value"],
        Variant::Ideal(_) => &["ideal"],
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
