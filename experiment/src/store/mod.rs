//! The store: results of points in one `SQLite` file.
//!
//! The table `results` has a row for each point that was simulated, with the digest of everything
//! that decides its result as key. The table `points` has the points of each experiment by number,
//! so that several experiments share results. The view `rows` joins both.
//!
//! Each result is written in a transaction, so that a killed run loses no finished point. The
//! journal is a write-ahead log: a commit waits for the operating system, not for the disk.
//!
//! Invariant `no-point-twice`: A point whose result is in the store is not simulated again, and no
//! finished point is lost when a run is killed.

mod error;
mod tables;

pub use error::StoreError;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, ToSql, params};
use serde_json::Number;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Result of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Verdict, a word.
    pub verdict: String,
    /// Error or note on one line.
    pub message: String,
    /// Exit code of the point.
    pub code: u8,
    /// Digest of device memory after the run; empty if the launches did not run to their end.
    pub memory: String,
    /// Values of all metrics, in the order of the store's columns.
    pub metrics: Vec<Option<Number>>,
    /// Host time of the simulation in seconds.
    pub host_seconds: f64,
}

/// Description of a simulated point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// Digest of everything that decides the result.
    pub digest: String,
    /// Program and version.
    pub program: String,
    /// Name of the kernel.
    pub kernel: String,
    /// Name or file of the chip.
    pub chip: String,
    /// Values that the point sets, as a JSON object.
    pub overrides: String,
}

/// A point of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Digest of its result.
    pub digest: String,
    /// Name of the kernel in the experiment.
    pub kernel: String,
    /// Name or file of the chip.
    pub chip: String,
    /// Values of the factors, as a JSON object.
    pub factors: String,
}

/// A store file.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    metrics: Vec<&'static str>,
}

impl Store {
    /// Opens the store at `path`; creates it if the file does not exist or is empty. `metrics` are
    /// the names of all metrics, each a column.
    pub fn open(path: &Path, metrics: &[&'static str]) -> Result<Self, StoreError> {
        let failed = |error| StoreError::of(path, &error);
        let connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(Duration::from_mins(1)).map_err(failed)?;
        tables::prepare(&connection, path, metrics)?;
        Ok(Self { connection, path: path.to_owned(), metrics: metrics.to_vec() })
    }

    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, error)
    }

    /// Returns the number of results.
    pub fn count(&self) -> Result<u64, StoreError> {
        let count = self.connection.query_row("SELECT count(*) FROM results", [], |row| row.get::<_, i64>(0));
        count.map(|count| count as u64).map_err(|error| self.failed(&error))
    }

    /// Returns the result of a point, if the store has it.
    pub fn get(&self, digest: &str) -> Result<Option<Outcome>, StoreError> {
        let columns = tables::quoted(&self.metrics);
        let sql = format!(
            "SELECT verdict, message, code, memory, host_seconds{columns} FROM results WHERE digest = ?1"
        );
        let read = |row: &rusqlite::Row<'_>| {
            let metric = |i: usize| row.get_ref(5 + i).map(number_of);
            Ok(Outcome {
                verdict: row.get(0)?,
                message: row.get(1)?,
                code: row.get(2)?,
                memory: row.get(3)?,
                host_seconds: row.get(4)?,
                metrics: (0..self.metrics.len()).map(metric).collect::<Result<_, _>>()?,
            })
        };
        let found = self.connection.prepare(&sql).and_then(|mut statement| {
            let mut rows = statement.query_map(params![digest], read)?;
            rows.next().transpose()
        });
        found.map_err(|error| self.failed(&error))
    }

    /// Returns the exit code and the host time in seconds of a point, if the store has its result.
    pub fn brief(&self, digest: &str) -> Result<Option<(u8, f64)>, StoreError> {
        let sql = "SELECT code, host_seconds FROM results WHERE digest = ?1";
        let found = self.connection.query_row(sql, params![digest], |row| Ok((row.get(0)?, row.get(1)?)));
        found.optional().map_err(|error| self.failed(&error))
    }

    /// Returns whether the store has the result of a point.
    pub fn has(&self, digest: &str) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM results WHERE digest = ?1)";
        self.connection.query_row(sql, params![digest], |row| row.get(0)).map_err(|error| self.failed(&error))
    }

    /// Adds the result of a point, and returns whether it is new. A result that the store has is
    /// kept.
    pub fn put(&self, point: &Description, outcome: &Outcome) -> Result<bool, StoreError> {
        let columns = tables::quoted(&self.metrics);
        let places: String =
            (0..self.metrics.len()).fold(String::new(), |list, i| list + &format!(", ?{}", 11 + i));
        let sql = format!(
            "INSERT OR IGNORE INTO results (digest, program, kernel, chip, overrides, verdict, message, code, \
             memory, host_seconds{columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10{places})"
        );
        let metrics: Vec<Value> = outcome.metrics.iter().map(|metric| value_of(metric.as_ref())).collect();
        let fixed: [&dyn ToSql; 10] = [
            &point.digest,
            &point.program,
            &point.kernel,
            &point.chip,
            &point.overrides,
            &outcome.verdict,
            &outcome.message,
            &outcome.code,
            &outcome.memory,
            &outcome.host_seconds,
        ];
        let all: Vec<&dyn ToSql> =
            fixed.into_iter().chain(metrics.iter().map(|metric| metric as &dyn ToSql)).collect();
        let added = self.connection.execute(&sql, all.as_slice());
        added.map(|rows| rows == 1).map_err(|error| self.failed(&error))
    }

    /// Replaces the points of an experiment; their numbers count from 0.
    pub fn define(&mut self, experiment: &str, entries: &[Entry]) -> Result<(), StoreError> {
        let path = self.path.clone();
        let mut define = || {
            let transaction = self.connection.transaction()?;
            transaction.execute("DELETE FROM points WHERE experiment = ?1", params![experiment])?;
            let sql = "INSERT INTO points (experiment, point, digest, kernel, chip, factors) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let mut statement = transaction.prepare(sql)?;
            for (number, entry) in entries.iter().enumerate() {
                let Entry { digest, kernel, chip, factors } = entry;
                statement.execute(params![experiment, number as i64, digest, kernel, chip, factors])?;
            }
            drop(statement);
            transaction.commit()
        };
        define().map_err(|error| StoreError::of(&path, &error))
    }

    /// Adds the results of another store that this store does not have; returns their number.
    pub fn merge(&self, other: &Path) -> Result<u64, StoreError> {
        // Checks the file and adds missing columns.
        drop(Self::open(other, &self.metrics)?);
        let columns = tables::quoted(&self.metrics);
        let fixed = "digest, program, kernel, chip, overrides, verdict, message, code, memory, host_seconds";
        let sql = format!(
            "INSERT OR IGNORE INTO results ({fixed}{columns}) SELECT {fixed}{columns} FROM part.results"
        );
        let merge = || {
            self.connection.execute("ATTACH DATABASE ?1 AS part", params![other.to_string_lossy()])?;
            let added = self.connection.execute(&sql, []);
            self.connection.execute("DETACH DATABASE part", [])?;
            added
        };
        merge().map(|rows| rows as u64).map_err(|error| self.failed(&error))
    }
}

/// Returns a metric as a value of `SQLite`, whose whole numbers have 64 bits with a sign.
fn value_of(metric: Option<&Number>) -> Value {
    match metric {
        None => Value::Null,
        Some(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => number.as_f64().map_or(Value::Null, Value::Real),
        },
    }
}

fn number_of(value: ValueRef<'_>) -> Option<Number> {
    match value {
        ValueRef::Integer(whole) => Some(whole.into()),
        ValueRef::Real(real) => Number::from_f64(real),
        ValueRef::Null | ValueRef::Text(_) | ValueRef::Blob(_) => None,
    }
}

#[cfg(test)]
mod tests;
