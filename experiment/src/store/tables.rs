//! The tables of a store, and their version.

use super::StoreError;
use rusqlite::{Connection, params};
use std::path::Path;

/// Version of the tables. A new metric does not change it: it is a new column.
const VERSION: i64 = 1;

/// Marks a file as a store: "wsim" in ASCII.
const APPLICATION: i64 = 0x7773_696d;

const TABLES: &str = "
CREATE TABLE results (
    digest TEXT PRIMARY KEY,
    program TEXT NOT NULL,
    kernel TEXT NOT NULL,
    chip TEXT NOT NULL,
    overrides TEXT NOT NULL,
    verdict TEXT NOT NULL,
    message TEXT NOT NULL,
    code INTEGER NOT NULL,
    memory TEXT NOT NULL,
    host_seconds REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE points (
    experiment TEXT NOT NULL,
    point INTEGER NOT NULL,
    digest TEXT NOT NULL,
    kernel TEXT NOT NULL,
    chip TEXT NOT NULL,
    factors TEXT NOT NULL,
    PRIMARY KEY (experiment, point)
) WITHOUT ROWID;
CREATE VIEW rows AS
    SELECT points.experiment, points.point, points.kernel AS entry, points.factors, results.*
    FROM points JOIN results ON results.digest = points.digest;
";

/// Checks the version of a store, and makes the tables and columns that it does not have.
pub(super) fn prepare(connection: &Connection, path: &Path, metrics: &[&str]) -> Result<(), StoreError> {
    let failed = |error| StoreError::of(path, &error);
    let pragma = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    let shown = path.display().to_string();
    let tables = connection
        .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))
        .map_err(failed)?;
    if tables > 0 {
        if pragma("application_id").map_err(failed)? != APPLICATION {
            return Err(StoreError::NotAStore { path: shown });
        }
        let found = pragma("user_version").map_err(failed)?;
        if found != VERSION {
            return Err(StoreError::Version { path: shown, found, expected: VERSION });
        }
    }
    let prepare = || {
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // Two processes may create the same store.
        connection.execute_batch("BEGIN IMMEDIATE")?;
        if !has_table(connection)? {
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.pragma_update(None, "user_version", VERSION)?;
            connection.execute_batch(TABLES)?;
        }
        add_columns(connection, metrics)?;
        connection.execute_batch("COMMIT")
    };
    prepare().map_err(failed)
}

fn has_table(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?1)";
    connection.query_row(sql, params!["results"], |row| row.get(0))
}

/// Adds a column for each metric without one. A value is a whole number or a number with a
/// fraction, as in the report.
fn add_columns(connection: &Connection, metrics: &[&str]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info('results')")?;
    let known: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for metric in metrics.iter().filter(|metric| known.iter().all(|known| known != *metric)) {
        connection.execute_batch(&format!("ALTER TABLE results ADD COLUMN \"{metric}\""))?;
    }
    Ok(())
}

/// Returns the names of columns after other columns.
pub(super) fn quoted(metrics: &[&str]) -> String {
    metrics.iter().fold(String::new(), |list, metric| list + ", \"" + metric + "\"")
}
