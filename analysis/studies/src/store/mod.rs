//! The store: results of points in one `SQLite` file.
//!
//! The table `results` has a row for each point that was simulated, with the digest of everything
//! that decides its result as key. The table `points` has the points of each experiment by number,
//! so that several experiments share results. The view `rows` joins both.
//!
//! Each result is written in a transaction, so that a killed run loses no finished point. The
//! journal is a write-ahead log: a commit waits for the operating system, not for the disk.
//!
//! A store may come from somebody else: `tables` checks its definitions, `cells` every value that
//! is read.
//!
//! Invariant `hostile-stores`: A file from somebody else runs no code, and a value that no
//! simulation gives is an error: no such result is read or merged.
//!
//! Invariant `no-point-twice`: A point whose result is in the store is not simulated again, and no
//! finished point is lost when a run is killed.

mod cells;
mod error;
mod tables;

pub use error::StoreError;

use crate::outcome::Outcome;
use cells::FIXED;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, ToSql, params};
use serde_json::Number;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Asked regularly during a query: whether a signal asks for its end.
pub type Stops = Arc<dyn Fn() -> bool + Send + Sync>;

/// Contents of a store, and how a query ends.
#[derive(Clone)]
pub struct Layout {
    /// Names of all metrics, each a column.
    pub metrics: Vec<&'static str>,
    /// Whether a signal asks for the end of a long query.
    pub stops: Stops,
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
pub struct Store {
    connection: Connection,
    path: PathBuf,
    layout: Layout,
}

impl Store {
    /// Opens the store at `path`; creates it if the file does not exist or is empty.
    pub fn open(path: &Path, layout: Layout) -> Result<Self, StoreError> {
        let failed = |error| StoreError::of(path, &error);
        let (store, exists) = Self::connect(path, layout, OpenFlags::SQLITE_OPEN_CREATE)?;
        tables::prepare(&store.connection, exists, &store.layout.metrics).map_err(failed)?;
        Ok(store)
    }

    /// Opens a file and checks its tables; the second value is whether it has tables.
    fn connect(path: &Path, layout: Layout, more: OpenFlags) -> Result<(Self, bool), StoreError> {
        let failed = |error| StoreError::of(path, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
        let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(Duration::from_mins(1)).map_err(failed)?;
        tables::guard(&mut connection, Arc::clone(&layout.stops)).map_err(failed)?;
        let exists = tables::check(&connection, path)?;
        Ok((Self { connection, path: path.to_owned(), layout }, exists))
    }

    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, error)
    }

    /// Returns the result of a point, if the store has it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has a value that no simulation gives.
    pub fn get(&self, digest: &str) -> Result<Option<Outcome>, StoreError> {
        let columns = tables::quoted(&self.layout.metrics);
        let sql = format!("SELECT {FIXED}{columns} FROM results WHERE digest = ?1");
        let mut statement = self.connection.prepare_cached(&sql).map_err(|error| self.failed(&error))?;
        let mut rows = statement.query(params![digest]).map_err(|error| self.failed(&error))?;
        let row = rows.next().map_err(|error| self.failed(&error))?;
        row.map(|row| Ok(cells::read(row, &self.layout, &self.path)?.1)).transpose()
    }

    /// Returns whether the store has the result of a point.
    pub fn has(&self, digest: &str) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM results WHERE digest = ?1)";
        let has = || self.connection.prepare_cached(sql)?.query_row(params![digest], |row| row.get(0));
        has().map_err(|error| self.failed(&error))
    }

    /// Adds the result of a point, and returns whether it is new. A result that the store has is
    /// kept.
    pub fn put(&self, point: &Description, outcome: &Outcome) -> Result<bool, StoreError> {
        let columns = tables::quoted(&self.layout.metrics);
        let places = (1..=10 + self.layout.metrics.len()).map(|i| format!("?{i}"));
        let places = places.collect::<Vec<_>>().join(", ");
        let sql = format!("INSERT OR IGNORE INTO results ({FIXED}{columns}) VALUES ({places})");
        let metrics: Vec<Value> = outcome.metrics.iter().map(|metric| value_of(metric.as_ref())).collect();
        let fixed: [&dyn ToSql; 10] = [
            &point.digest,
            &point.program,
            &point.kernel,
            &point.chip,
            &point.overrides,
            &outcome.ending.word(),
            &outcome.message,
            &(outcome.ending.code() as u8),
            &outcome.memory,
            &outcome.host_seconds,
        ];
        let all: Vec<&dyn ToSql> =
            fixed.into_iter().chain(metrics.iter().map(|metric| metric as &dyn ToSql)).collect();
        let add = || self.connection.prepare_cached(&sql)?.execute(all.as_slice());
        add().map(|rows| rows == 1).map_err(|error| self.failed(&error))
    }

    /// Replaces the points of an experiment with these numbers; `is_whole`: these are all points,
    /// and those of an earlier definition are deleted.
    pub fn define(
        &mut self,
        experiment: &str,
        entries: impl Iterator<Item = (usize, Entry)>,
        is_whole: bool,
    ) -> Result<(), StoreError> {
        let path = self.path.clone();
        let define = || {
            let transaction = self.connection.transaction()?;
            if is_whole {
                transaction.execute("DELETE FROM points WHERE experiment = ?1", params![experiment])?;
            }
            let sql = "INSERT OR REPLACE INTO points (experiment, point, digest, kernel, chip, factors) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let mut statement = transaction.prepare(sql)?;
            for (number, entry) in entries {
                let Entry { digest, kernel, chip, factors } = entry;
                statement.execute(params![experiment, number as i64, digest, kernel, chip, factors])?;
            }
            drop(statement);
            transaction.commit()
        };
        define().map_err(|error| StoreError::of(&path, &error))
    }

    /// Adds the results of another store that this store does not have; returns their number. The
    /// other file is not changed.
    ///
    /// # Errors
    ///
    /// If one of the files cannot be used, or the other one has an invalid result. Then no result
    /// is added.
    pub fn merge(&self, other: &Path) -> Result<u64, StoreError> {
        let failed = |error| StoreError::of(other, &error);
        let (part, exists) = Self::connect(other, self.layout.clone(), OpenFlags::empty())?;
        if !exists {
            return Err(StoreError::NotAStore { path: other.display().to_string() });
        }
        part.connection.pragma_update(None, "query_only", true).map_err(failed)?;
        let known = tables::columns(&part.connection).map_err(failed)?;
        let mut columns = String::new();
        for name in &self.layout.metrics {
            let is_known = known.iter().any(|known| known == name);
            columns += &if is_known { tables::quoted(&[*name]) } else { ", NULL".to_owned() };
        }
        let sql = format!("SELECT {FIXED}{columns} FROM results");
        let transaction = self.connection.unchecked_transaction().map_err(|error| self.failed(&error))?;
        let mut statement = part.connection.prepare(&sql).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut added = 0;
        while let Some(row) = rows.next().map_err(failed)? {
            let (point, outcome) = cells::read(row, &self.layout, other)?;
            added += u64::from(self.put(&point, &outcome)?);
        }
        transaction.commit().map_err(|error| self.failed(&error))?;
        Ok(added)
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

#[cfg(test)]
mod tests;
