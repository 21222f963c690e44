//! Reads rows of the table `results`, and checks every cell: type, range and known words. A store
//! may come from somebody else, or from a program with an error.

use super::{Description, Layout, StoreError};
use crate::outcome::{Ending, Outcome};
use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde_json::{Map, Number, Value};
use std::path::Path;

/// The columns of every store, in the order in which they are read.
pub(super) const FIXED: &str =
    "digest, program, kernel, chip, overrides, verdict, message, code, memory, host_seconds";

/// Index of the first metric.
const METRICS: usize = 10;

/// Metric that every result of a kernel that ran to its end has.
const NEEDED: &str = "cycles";

/// Hexadecimal digits of a digest.
const DIGITS: usize = 64;

/// Largest value of a metric: counters have 64 bits.
const MOST: f64 = (1u128 << 64) as f64;

/// Longest host time of a point: 30 years.
const MOST_SECONDS: f64 = 1e9;

/// Characters of a wrong value that a message shows.
const SHOWN: usize = 40;

/// A row, for messages.
struct Cells<'r, 's> {
    row: &'r Row<'s>,
    path: &'r Path,
    digest: String,
}

/// Returns the result in `row`, which has the columns of [`FIXED`] and then the metrics.
pub(super) fn read(
    row: &Row<'_>,
    layout: &Layout,
    path: &Path,
) -> Result<(Description, Outcome), StoreError> {
    let mut cells = Cells { row, path, digest: "a result".to_owned() };
    let digest = cells.text(0, "digest")?;
    cells.ensure(is_digest(&digest), 0, "digest", "64 hexadecimal digits")?;
    cells.digest.clone_from(&digest);
    let overrides = cells.text(4, "overrides")?;
    let is_object = serde_json::from_str::<Map<String, Value>>(&overrides).is_ok();
    cells.ensure(is_object, 4, "overrides", "a JSON object")?;
    let verdict = cells.text(5, "verdict")?;
    let Some(ending) = Ending::all().find(|ending| ending.word() == verdict) else {
        let words = Ending::all().map(Ending::word).collect::<Vec<_>>().join(", ");
        return Err(cells.wrong(5, "verdict", &format!("one of {words}")));
    };
    let code = ending.code() as u8;
    let is_code = matches!(cells.value(7)?, ValueRef::Integer(found) if found == i64::from(code));
    cells.ensure(is_code, 7, "code", &format!("{code}, the exit code of `{verdict}`"))?;
    let memory = cells.text(8, "memory")?;
    cells.ensure(memory.is_empty() || is_digest(&memory), 8, "memory", "64 hexadecimal digits")?;
    let host_seconds = match cells.value(9)? {
        ValueRef::Real(seconds) if (0.0..=MOST_SECONDS).contains(&seconds) => seconds,
        _ => return Err(cells.wrong(9, "host_seconds", "a time in seconds")),
    };
    let mut metrics = Vec::with_capacity(layout.metrics.len());
    for (column, name) in (METRICS..).zip(&layout.metrics) {
        metrics.push(cells.metric(column, name, ending.is_good() && *name == NEEDED)?);
    }
    let description = Description {
        digest,
        program: cells.text(1, "program")?,
        kernel: cells.text(2, "kernel")?,
        chip: cells.text(3, "chip")?,
        overrides,
    };
    let message = cells.text(6, "message")?;
    Ok((description, Outcome { ending, message, memory, metrics, host_seconds }))
}

fn is_digest(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl Cells<'_, '_> {
    fn value(&self, column: usize) -> Result<ValueRef<'_>, StoreError> {
        self.row.get_ref(column).map_err(|error| StoreError::of(self.path, &error))
    }

    fn text(&self, column: usize, name: &str) -> Result<String, StoreError> {
        let ValueRef::Text(bytes) = self.value(column)? else {
            return Err(self.wrong(column, name, "a text"));
        };
        let text = std::str::from_utf8(bytes).map_err(|_| self.wrong(column, name, "a text in UTF-8"))?;
        Ok(text.to_owned())
    }

    /// Returns a metric, which is at least 0; NULL if the result does not have it.
    fn metric(&self, column: usize, name: &str, needed: bool) -> Result<Option<Number>, StoreError> {
        let found = match self.value(column)? {
            ValueRef::Null if !needed => return Ok(None),
            ValueRef::Integer(whole) if whole >= 0 => Some(whole.into()),
            ValueRef::Real(real) if (0.0..=MOST).contains(&real) => Number::from_f64(real),
            _ => None,
        };
        found.map(Some).ok_or_else(|| self.wrong(column, name, "a number from 0 to 2^64"))
    }

    fn ensure(&self, holds: bool, column: usize, name: &str, expected: &str) -> Result<(), StoreError> {
        if holds { Ok(()) } else { Err(self.wrong(column, name, expected)) }
    }

    fn wrong(&self, column: usize, name: &str, expected: &str) -> StoreError {
        let short = |text: &str| text.chars().take(SHOWN).collect::<String>();
        let found = match self.row.get_ref(column) {
            Ok(ValueRef::Null) => "NULL".to_owned(),
            Ok(ValueRef::Integer(whole)) => whole.to_string(),
            Ok(ValueRef::Real(real)) => format!("{real:?}"),
            Ok(ValueRef::Text(bytes)) => format!("the text `{}`", short(&String::from_utf8_lossy(bytes))),
            Ok(ValueRef::Blob(bytes)) => format!("a blob of {} bytes", bytes.len()),
            Err(_) => "unreadable".to_owned(),
        };
        StoreError::Cell {
            path: self.path.display().to_string(),
            column: name.to_owned(),
            digest: self.digest.clone(),
            found,
            expected: expected.to_owned(),
        }
    }
}
