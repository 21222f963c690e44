//! Rows as text: CSV (RFC 4180, with a line feed at line ends) or JSON lines.

use super::bench::Row;
use super::space::{Changes, Space};
use crate::args::sweep::RowFormat;
use crate::exit::Failure;
use crate::metrics::Metric;
use crate::provenance::PROGRAM;
use experiment::csv;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Number, Value};

/// Names of the provenance columns.
const ORIGIN: [&str; 3] = ["program", "input_sha256", "chip_sha256"];

/// Provenance of the rows: columns after the metrics.
pub struct Origin {
    /// For each kernel, SHA-256 of the PTX text and, after a blank, of the launch file if there is
    /// one.
    pub input_sha256: Vec<String>,
    /// SHA-256 of each chip of the list of chips, or of the only chip.
    pub chip_sha256: Vec<String>,
}

/// Format and columns of the rows of a sweep.
pub struct Layout<'a> {
    format: RowFormat,
    space: &'a Space,
    metrics: &'a [&'static Metric],
    origin: Option<Origin>,
}

impl<'a> Layout<'a> {
    /// Layout with these columns. Column names must be unique.
    pub fn new(
        format: RowFormat,
        space: &'a Space,
        metrics: &'a [&'static Metric],
        origin: Option<Origin>,
    ) -> Result<Self, Failure> {
        let layout = Self { format, space, metrics, origin };
        let names = layout.names();
        for (i, name) in names.iter().enumerate() {
            if names[..i].contains(name) {
                let hint = "write the whole path, or choose other metrics with --metrics";
                let message = format!("error: two columns have the name `{name}`\nhelp: {hint}");
                return Err(Failure::input(message));
            }
        }
        Ok(layout)
    }

    fn names(&self) -> Vec<&'a str> {
        let axes = self.space.axes.iter().map(|a| a.name.as_str());
        let origin = self.origin.iter().flat_map(|_| ORIGIN);
        axes.chain(["verdict", "message"]).chain(self.metrics.iter().map(|m| m.name)).chain(origin).collect()
    }

    /// Iterates over the provenance columns of a point: names and values.
    fn origin(&self, index: u64) -> impl Iterator<Item = (&'static str, &str)> {
        let places = self.space.places(index);
        let place = |changes| {
            let axis = self.space.axes.iter().position(|axis| axis.changes == changes);
            axis.map_or(0, |axis| places[axis])
        };
        let (kernel, chip) = (place(Changes::Kernel), place(Changes::Chip));
        self.origin.iter().flat_map(move |origin| {
            ORIGIN.into_iter().zip([PROGRAM, &*origin.input_sha256[kernel], &*origin.chip_sha256[chip]])
        })
    }

    /// Returns the text before the rows.
    pub fn head(&self) -> String {
        match self.format {
            RowFormat::Csv => csv::line(self.names().into_iter()),
            RowFormat::Jsonl => String::new(),
        }
    }

    /// Returns the line of a point.
    pub fn line(&self, index: u64, row: &Row) -> String {
        let point = self.space.point(index);
        match self.format {
            RowFormat::Csv => {
                // Plots may need more metrics than the columns show.
                let shown = row.metrics.iter().take(self.metrics.len());
                let numbers: Vec<String> = shown.map(|value| number(value.as_ref())).collect();
                let ends = [row.verdict, &row.message];
                let origin = self.origin(index).map(|(_, value)| value);
                csv::line(
                    point.into_iter().chain(ends).chain(numbers.iter().map(String::as_str)).chain(origin),
                )
            }
            RowFormat::Jsonl => {
                let object = Object { layout: self, index, point, row };
                serde_json::to_string(&object).expect("string keys and finite numbers only") + "\n"
            }
        }
    }
}

fn number(value: Option<&Number>) -> String {
    value.map_or_else(String::new, Number::to_string)
}

/// A row as a JSON object whose fields keep their order.
struct Object<'a> {
    layout: &'a Layout<'a>,
    index: u64,
    point: Vec<&'a str>,
    row: &'a Row,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (axis, value) in self.layout.space.axes.iter().zip(&self.point) {
            // Numbers as JSON numbers, all other values as the user wrote them.
            let value = match serde_json::from_str(value) {
                Ok(number @ Value::Number(_)) => number,
                _ => Value::from(*value),
            };
            map.serialize_entry(&axis.name, &value)?;
        }
        map.serialize_entry("verdict", self.row.verdict)?;
        map.serialize_entry("message", &self.row.message)?;
        for (metric, value) in self.layout.metrics.iter().zip(&self.row.metrics) {
            map.serialize_entry(metric.name, value)?;
        }
        for (name, value) in self.layout.origin(self.index) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::{Axis, Changes};
    use super::*;
    use crate::exit::Code;
    use crate::metrics;

    fn space(name: &str, values: &[&str]) -> Space {
        let values: Vec<String> = values.iter().map(|v| (*v).to_owned()).collect();
        let points = values.len() as u64;
        Space { axes: vec![Axis { name: name.to_owned(), changes: Changes::Set, values }], points }
    }

    fn row(message: &str) -> Row {
        let metrics = vec![Some(7.into()), None];
        Row { verdict: "finished", message: message.to_owned(), code: Code::Fine, metrics }
    }

    #[test]
    fn values_with_commas_and_quotes_are_quoted() {
        let space = space("limits.grid", &["(1, 2, 3)", "16"]);
        let metrics = metrics::chosen(&["cycles".into(), "ipc".into()]).unwrap();
        let csv = Layout::new(RowFormat::Csv, &space, &metrics, None).unwrap();
        assert_eq!(csv.head(), "limits.grid,verdict,message,cycles,ipc\n");
        assert_eq!(csv.line(0, &row("a \"b\"")), "\"(1, 2, 3)\",finished,\"a \"\"b\"\"\",7,\n");
        let jsonl = Layout::new(RowFormat::Jsonl, &space, &metrics, None).unwrap();
        assert_eq!(jsonl.head(), "");
        assert_eq!(
            jsonl.line(1, &row("")),
            "{\"limits.grid\":16,\"verdict\":\"finished\",\"message\":\"\",\"cycles\":7,\"ipc\":null}\n"
        );
        assert!(jsonl.line(0, &row("")).starts_with("{\"limits.grid\":\"(1, 2, 3)\","));
    }

    #[test]
    fn the_provenance_columns_follow_the_metrics() {
        let mut space = space("chip", &["g80", "gt200"]);
        space.axes[0].changes = Changes::Chip;
        let metrics = metrics::chosen(&["cycles".into(), "ipc".into()]).unwrap();
        let origin = || {
            Some(Origin {
                input_sha256: vec!["12 34".to_owned()],
                chip_sha256: vec!["ab".to_owned(), "cd".to_owned()],
            })
        };
        let csv = Layout::new(RowFormat::Csv, &space, &metrics, origin()).unwrap();
        assert_eq!(csv.head(), "chip,verdict,message,cycles,ipc,program,input_sha256,chip_sha256\n");
        assert_eq!(csv.line(1, &row("")), format!("gt200,finished,,7,,{PROGRAM},12 34,cd\n"));
        let jsonl = Layout::new(RowFormat::Jsonl, &space, &metrics, origin()).unwrap();
        let ending =
            format!("\"program\":\"{PROGRAM}\",\"input_sha256\":\"12 34\",\"chip_sha256\":\"ab\"}}\n");
        assert!(jsonl.line(0, &row("")).ends_with(&ending));
    }

    #[test]
    fn column_names_are_unique() {
        let (space, metrics) = (space("cycles", &["1"]), metrics::chosen(&[]).unwrap());
        let failure = Layout::new(RowFormat::Csv, &space, &metrics, None).err().unwrap();
        assert!(failure.message.contains("two columns have the name `cycles`"), "{}", failure.message);
    }
}
