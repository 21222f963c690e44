//! The tables of a store, and their version. A file that somebody else wrote is a store only if its
//! tables and its view have the definitions of this module, and it has no trigger, index or other
//! view: no code of the file runs.

use super::Stops;
use super::StoreError;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use std::path::Path;

/// Version of the tables. A new metric does not change it: it is a new column.
const VERSION: i64 = 1;

/// Marks a file as a store: "wsim" in ASCII.
const APPLICATION: i64 = 0x7773_696d;

/// The table of results without its metrics, each of which is a column without a type.
const RESULTS: [&str; 2] = [
    "CREATE TABLE results (
    digest TEXT PRIMARY KEY,
    program TEXT NOT NULL,
    kernel TEXT NOT NULL,
    chip TEXT NOT NULL,
    overrides TEXT NOT NULL,
    verdict TEXT NOT NULL,
    message TEXT NOT NULL,
    code INTEGER NOT NULL,
    memory TEXT NOT NULL,
    host_seconds REAL NOT NULL",
    ") WITHOUT ROWID",
];

const POINTS: &str = "CREATE TABLE points (
    experiment TEXT NOT NULL,
    point INTEGER NOT NULL,
    digest TEXT NOT NULL,
    kernel TEXT NOT NULL,
    chip TEXT NOT NULL,
    factors TEXT NOT NULL,
    PRIMARY KEY (experiment, point)
) WITHOUT ROWID";

const ROWS: &str = "CREATE VIEW rows AS
    SELECT points.experiment, points.point, points.kernel AS entry, points.factors, results.*
    FROM points JOIN results ON results.digest = points.digest";

/// Longest text, blob or row that is read, in bytes.
const MOST_BYTES: i32 = 64 << 20;

/// Steps of the database between two looks at the signals: some hundredths of a second. A query
/// of one result takes less and is not stopped.
const STEPS: i32 = 1_000_000;

/// Prepares a connection for a file from somebody else: its schema runs no code, it cannot change
/// the schema by tricks, and a signal ends a long query.
pub(super) fn guard(connection: &mut Connection, stops: Stops) -> rusqlite::Result<()> {
    for (option, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(option, on)?;
    }
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MOST_BYTES)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.progress_handler(STEPS, Some(move || stops()))
}

/// Checks that a file has the objects of a store and the version of this program; `false` if it is
/// empty. Nothing is read of an object before its definition is known to be that of a store.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<bool, StoreError> {
    let failed = |error| StoreError::of(path, &error);
    let shown = || path.display().to_string();
    let objects = objects(connection).map_err(failed)?;
    if objects.is_empty() {
        return Ok(false);
    }
    let pragma = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    if pragma("application_id").map_err(failed)? != APPLICATION {
        return Err(StoreError::NotAStore { path: shown() });
    }
    let found = pragma("user_version").map_err(failed)?;
    if found != VERSION {
        return Err(StoreError::Version { path: shown(), found, expected: VERSION });
    }
    let foreign = |what: String| Err(StoreError::Foreign { path: shown(), what });
    for Object { kind, name, definition } in &objects {
        let known = match (kind.as_str(), name.as_str()) {
            ("table", "results") => is_results(definition),
            ("table", "points") => is_same(definition, POINTS),
            ("view", "rows") => is_same(definition, ROWS),
            (_, "results" | "points" | "rows") => false,
            // A table of somebody else is not read.
            ("table", _) => definition.starts_with("CREATE TABLE "),
            _ => false,
        };
        if !known {
            let other = if kind == "table" { " has another definition" } else { "" };
            return foreign(format!("the {kind} `{name}`{other}"));
        }
    }
    match ["results", "points"].iter().find(|name| objects.iter().all(|object| object.name != **name)) {
        Some(missing) => foreign(format!("there is no table `{missing}`")),
        None => Ok(true),
    }
}

/// An object of a database: a table, an index, a view or a trigger.
struct Object {
    kind: String,
    name: String,
    /// SQL text; empty for an index that a table implies.
    definition: String,
}

fn objects(connection: &Connection) -> rusqlite::Result<Vec<Object>> {
    let mut statement = connection.prepare("SELECT type, name, sql FROM sqlite_schema")?;
    let object = |row: &rusqlite::Row<'_>| {
        let definition: Option<String> = row.get(2)?;
        Ok(Object { kind: row.get(0)?, name: row.get(1)?, definition: definition.unwrap_or_default() })
    };
    statement.query_map([], object)?.collect()
}

fn is_same(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

/// Whether a table is that of the results: each further column is a name without a type, a value or
/// a condition.
fn is_results(definition: &str) -> bool {
    let [start, end] = RESULTS;
    let Some((first, last)) = definition.split_at_checked(start.len()) else { return false };
    let Some(more) = last.trim_start().strip_suffix(end) else { return false };
    let is_name = |text: &str| {
        let name = text.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
    };
    let mut columns = more.split(',');
    let is_start = first == start && columns.next().is_some_and(|before| before.trim().is_empty());
    is_start && columns.all(is_name)
}

/// Makes the tables and columns that a store does not have. `exists`: the file has been checked.
pub(super) fn prepare(connection: &Connection, exists: bool, metrics: &[&str]) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // Two processes may create the same store.
    connection.execute_batch("BEGIN IMMEDIATE")?;
    if !exists && objects(connection)?.is_empty() {
        connection.pragma_update(None, "application_id", APPLICATION)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        let [start, end] = RESULTS;
        connection.execute_batch(&format!("{start}{end};{POINTS};{ROWS};"))?;
    }
    let known = columns(connection)?;
    for metric in metrics.iter().filter(|metric| known.iter().all(|known| known != *metric)) {
        connection.execute_batch(&format!("ALTER TABLE results ADD COLUMN \"{metric}\""))?;
    }
    connection.execute_batch("COMMIT")
}

/// Returns the names of the columns of the results. A value of a metric is a whole number or a
/// number with a fraction, as in the report.
pub(super) fn columns(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info('results')")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

/// Returns the names of columns after other columns.
pub(super) fn quoted(metrics: &[&str]) -> String {
    metrics.iter().fold(String::new(), |list, metric| list + ", \"" + metric + "\"")
}
