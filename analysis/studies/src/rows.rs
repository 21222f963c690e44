//! The rows of a study: a line for each point, in the order of the points.

use crate::axis::{Axis, Part};
use crate::design::{Point, Variant};
use crate::outcome::{Outcome, metric};
use crate::plan::Planned;
use crate::study::{Pairs, Study};
use report::exit::Failure;
use report::metrics;
use report::provenance::{PROGRAM, chip_sha256};
use serde::{Serialize, Serializer};
use serde_json::Number;
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

/// Format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line of column names, then a line for each point (RFC 4180, with a line feed at line
    /// ends).
    Csv,
    /// A JSON object for each point, one per line.
    Jsonl,
}

/// A column of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Number of the point.
    Number,
    /// A part of the point.
    Of(Part),
    /// Path of the changed field of the chip.
    Field,
    /// Value of the changed field.
    Value,
    /// Ideal resources.
    Ideal,
    /// How the point ended.
    Verdict,
    /// Error, or note.
    Message,
    /// The metric with this index.
    Metric(usize),
    /// Digest of the run.
    Digest,
    /// Host time, which differs between runs.
    HostSeconds,
    /// Program and version.
    Program,
    /// SHA-256 of the kernel's texts.
    Input,
    /// SHA-256 of the texts of the chip.
    ChipTexts,
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'r> {
    /// No value.
    None,
    /// A text without quotes.
    Text(Cow<'r, str>),
    /// A value as the user wrote it, which may be a number.
    Written(&'r str),
    /// A number.
    Number(Number),
}

impl Cell<'_> {
    /// Returns the number; `None` for a text.
    pub fn number(&self) -> Option<Number> {
        match self {
            Self::Number(number) => Some(number.clone()),
            Self::Written(text) => serde_json::from_str(text).ok(),
            Self::None | Self::Text(_) => None,
        }
    }
}

/// The value as it is written in a CSV file.
impl Display for Cell<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Text(text) => out.write_str(text),
            Self::Written(text) => out.write_str(text),
            Self::Number(number) => number.fmt(out),
        }
    }
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self, self.number()) {
            (_, Some(number)) => number.serialize(serializer),
            (Self::Text(text), None) => serializer.serialize_str(text),
            (Self::Written(text), None) => serializer.serialize_str(text),
            (Self::None | Self::Number(_), None) => serializer.serialize_none(),
        }
    }
}

/// A point with its result.
#[derive(Clone, Copy)]
pub struct PointRow<'r> {
    /// Number of the point.
    pub number: usize,
    /// Point of the row.
    pub point: &'r Point,
    /// Digest of the run; empty for rows without this column.
    pub digest: &'r str,
    /// The result, if there is one.
    pub outcome: Option<&'r Outcome>,
}

/// The rows of a study.
pub struct Rows<'a> {
    study: Study<'a>,
    columns: Vec<Column>,
    /// SHA-256 of the texts of each chip; empty without this column.
    chips: Vec<String>,
}

/// Returns the columns of the metrics with these names; of all metrics without names.
pub fn metric_columns<'n>(names: impl Iterator<Item = &'n str>) -> Vec<Column> {
    let mut chosen = names.filter_map(metric).map(Column::Metric).peekable();
    if chosen.peek().is_some() {
        return chosen.collect();
    }
    drop(chosen);
    (0..metrics::ALL.len()).map(Column::Metric).collect()
}

/// Returns the columns of the variants that occur, in the order in which they occur.
pub fn variant_columns(points: &[Planned]) -> Vec<Column> {
    let mut all: Vec<Column> = Vec::new();
    for Planned { point, .. } in points {
        let new: &[Column] = match point.variant {
            Variant::Base => &[],
            Variant::Field(_) => &[Column::Field, Column::Value],
            Variant::Ideal(_) => &[Column::Ideal],
        };
        if new.first().is_some_and(|first| !all.contains(first)) {
            all.extend(new);
        }
    }
    all
}

impl<'a> Rows<'a> {
    /// Rows with these columns.
    ///
    /// # Errors
    ///
    /// If two columns have the same name.
    pub fn new(study: Study<'a>, columns: Vec<Column>) -> Result<Self, Failure> {
        let mut rows = Self { study, columns, chips: Vec::new() };
        let names = rows.names();
        if let Some(name) = (1..names.len()).find(|i| names[..*i].contains(&names[*i])).map(|i| names[i]) {
            let hint = "write the whole path, or choose other metrics with --metrics";
            let message = format!("error: two columns have the name `{name}`\nhelp: {hint}");
            return Err(Failure::input(message));
        }
        if rows.columns.contains(&Column::ChipTexts) {
            rows.chips = study.chips.iter().map(|chip| chip_sha256(&chip.texts)).collect();
        }
        Ok(rows)
    }

    /// Returns the study.
    pub fn study(&self) -> &Study<'a> {
        &self.study
    }

    /// Returns the columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the names of the columns.
    pub fn names(&self) -> Vec<&'a str> {
        self.columns.iter().map(|column| name(&self.study, *column)).collect()
    }

    /// Returns the values of a point. A point without a result has empty values.
    pub fn cells<'r>(&'r self, row: PointRow<'r>) -> impl Iterator<Item = Cell<'r>> {
        self.columns.iter().map(move |column| self.cell(*column, row))
    }

    fn cell<'r>(&'r self, column: Column, row: PointRow<'r>) -> Cell<'r> {
        let PointRow { number, point, digest, outcome } = row;
        let file = self.study.file;
        let text = |text: &'r str| Cell::Text(text.into());
        let real = |value: Option<Number>| value.map_or(Cell::None, Cell::Number);
        match column {
            Column::Number => Cell::Number(number.into()),
            Column::Of(Part::Kernel) => text(&file.kernels[point.kernel].name),
            Column::Of(Part::Chip) => text(&self.study.chip(point).name),
            Column::Of(Part::Factor(factor)) => point.levels[factor].map_or(Cell::None, |level| {
                Cell::Written(file.factors[factor].levels[level].text.trim_matches('"'))
            }),
            Column::Of(Part::Seed) => real(point.seed.map(Number::from)),
            Column::Field | Column::Value => match &point.variant {
                Variant::Field(change) if column == Column::Field => text(&change.path),
                Variant::Field(change) => Cell::Written(&change.value),
                Variant::Base | Variant::Ideal(_) => Cell::None,
            },
            Column::Ideal => match &point.variant {
                Variant::Ideal(resources) => Cell::Text(self.study.ideal_names(point, resources).into()),
                Variant::Base | Variant::Field(_) => Cell::None,
            },
            Column::Verdict => outcome.map_or(Cell::None, |outcome| text(outcome.ending.word())),
            Column::Message => outcome.map_or(Cell::None, |outcome| text(&outcome.message)),
            Column::Metric(metric) => real(outcome.and_then(|outcome| outcome.metrics[metric].clone())),
            Column::Digest => text(digest),
            Column::HostSeconds => real(outcome.and_then(|outcome| Number::from_f64(outcome.host_seconds))),
            Column::Program => text(PROGRAM),
            Column::Input => text(self.study.programs.input(point.kernel, self.study.architecture(point))),
            Column::ChipTexts => text(&self.chips[point.chip]),
        }
    }

    /// Returns the text before the rows.
    pub fn head(&self, format: Format) -> String {
        match format {
            Format::Csv => csv_line(self.names()),
            Format::Jsonl => String::new(),
        }
    }

    /// Returns the line of a point.
    pub fn line(&self, format: Format, row: PointRow<'_>) -> String {
        match format {
            Format::Csv => csv_line(self.cells(row).map(|cell| cell.to_string())),
            Format::Jsonl => {
                let object = Pairs(self.names().into_iter().zip(self.cells(row)).collect());
                serde_json::to_string(&object).expect("string keys and finite numbers only") + "\n"
            }
        }
    }

    /// Returns the varied parts of the points with all their values, in the order of the columns.
    pub fn axes(&self) -> Vec<Axis> {
        let parts = self.columns.iter().filter_map(|column| match column {
            Column::Of(part) => Some(*part),
            _ => None,
        });
        parts.map(|part| Axis::new(&self.study, part)).collect()
    }
}

fn csv_line<T: AsRef<[u8]>>(values: impl IntoIterator<Item = T>) -> String {
    let terminator = csv::Terminator::Any(b'\n');
    let mut out = csv::WriterBuilder::new().terminator(terminator).from_writer(Vec::new());
    out.write_record(values).expect("memory accepts every text");
    String::from_utf8(out.into_inner().expect("as above")).expect("the values are texts")
}

fn name<'a>(study: &Study<'a>, column: Column) -> &'a str {
    match column {
        Column::Number => "point",
        Column::Of(part) => part.name(study),
        Column::Field => "field",
        Column::Value => "value",
        Column::Ideal => "ideal",
        Column::Verdict => "verdict",
        Column::Message => "message",
        Column::Metric(metric) => metrics::ALL[metric].name,
        Column::Digest => "digest",
        Column::HostSeconds => "host_seconds",
        Column::Program => "program",
        Column::Input => "input_sha256",
        Column::ChipTexts => "chip_sha256",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Target;
    use crate::outcome::Ending;
    use crate::testing::{Fixture, outcome};

    #[test]
    fn values_with_commas_and_quotes_are_quoted() {
        let fixture =
            Fixture::new(&[("limits.grid", Target::Chip("limits.grid".into()), &["(1, 2, 3)", "16"])]);
        let rows = fixture.rows(&["cycles", "ipc"]).unwrap();
        let outcome = outcome(Ending::Finished, "a \"b\"", &[("cycles", 7)]);
        let line = |format, number| {
            let point = fixture.point(number);
            rows.line(format, PointRow { number, point: &point, digest: "", outcome: Some(&outcome) })
        };
        assert_eq!(rows.head(Format::Csv), "limits.grid,verdict,message,cycles,ipc\n");
        assert_eq!(line(Format::Csv, 0), "\"(1, 2, 3)\",finished,\"a \"\"b\"\"\",7,\n");
        assert_eq!(rows.head(Format::Jsonl), "");
        assert_eq!(
            line(Format::Jsonl, 1),
            "{\"limits.grid\":16,\"verdict\":\"finished\",\"message\":\"a \\\"b\\\"\",\"cycles\":7,\"ipc\":null}\n"
        );
        assert!(line(Format::Jsonl, 0).starts_with("{\"limits.grid\":\"(1, 2, 3)\","));
    }

    #[test]
    fn column_names_are_unique() {
        let fixture = Fixture::new(&[("cycles", Target::Size, &["1"])]);
        let failure = fixture.rows(&[]).err().expect("two columns");
        assert!(failure.message.contains("two columns have the name `cycles`"), "{}", failure.message);
    }
}
