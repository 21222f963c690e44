//! Tests of the store.

use super::*;
use crate::outcome::Ending;
use std::sync::Arc;

const METRICS: [&str; 3] = ["cycles", "ipc", "launches"];

fn layout(metrics: &[&'static str]) -> Layout {
    Layout { metrics: metrics.to_vec(), stops: Arc::new(|| false) }
}

fn open(path: &Path) -> Result<Store, StoreError> {
    Store::open(path, layout(&METRICS))
}

/// A digest that begins with `start`.
fn digest(start: &str) -> String {
    format!("{start:0<64}")
}

fn description(start: &str) -> Description {
    let (kernel, overrides) = ("vecadd".to_owned(), "{}".to_owned());
    Description { digest: digest(start), kernel, overrides, ..Description::default() }
}

fn outcome(cycles: u64) -> Outcome {
    Outcome {
        ending: Ending::Finished,
        message: String::new(),
        memory: digest("e"),
        metrics: vec![Some(cycles.into()), Number::from_f64(0.1 + 0.2), None],
        host_seconds: 0.5,
    }
}

fn count(store: &Store) -> u64 {
    store.connection.query_row("SELECT count(*) FROM results", [], |row| row.get::<_, i64>(0)).unwrap() as u64
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.sqlite");
    (folder, path)
}

/// Tests: `no-point-twice`.
#[test]
fn a_result_is_kept_with_all_digits() {
    let (_folder, path) = folder();
    let store = open(&path).unwrap();
    assert_eq!(store.get(&digest("a")).unwrap(), None);
    assert!(store.put(&description("a"), &outcome(7)).unwrap());
    assert!(!store.put(&description("a"), &outcome(8)).unwrap());
    drop(store);
    let store = open(&path).unwrap();
    assert_eq!(store.get(&digest("a")).unwrap(), Some(outcome(7)));
    assert!(store.has(&digest("a")).unwrap() && !store.has(&digest("b")).unwrap());
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    drop(store);
    assert!(files >= 1 && std::fs::read_dir(path.parent().unwrap()).unwrap().count() == 1, "one file");
}

#[test]
fn a_new_metric_is_a_new_column() {
    let (_folder, path) = folder();
    let store = Store::open(&path, layout(&METRICS[..1])).unwrap();
    let old = Outcome { metrics: vec![Some(3.into())], ..outcome(0) };
    store.put(&description("a"), &old).unwrap();
    drop(store);
    let store = open(&path).unwrap();
    assert_eq!(store.get(&digest("a")).unwrap().unwrap().metrics, [Some(3.into()), None, None]);
}

#[test]
fn experiments_share_results() {
    let (_folder, path) = folder();
    let mut store = open(&path).unwrap();
    let entry = |start: &str| Entry {
        digest: digest(start),
        kernel: "k".to_owned(),
        chip: "g80".to_owned(),
        factors: "{}".to_owned(),
    };
    store.put(&description("a"), &outcome(7)).unwrap();
    let mut define = |name: &str, first: usize, entries: &[Entry], is_whole| {
        store.define(name, (first..).zip(entries.iter().cloned()), is_whole).unwrap();
    };
    define("one", 0, &[entry("a"), entry("b"), entry("c")], true);
    define("two", 0, &[entry("a")], true);
    define("one", 0, &[entry("b"), entry("b")], true);
    define("one", 1, &[entry("a")], false);
    drop(store);
    // The program does not use the view; it is for other programs.
    let reader = Connection::open(&path).unwrap();
    let count = |sql: &str| reader.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM points"), 3);
    assert_eq!(count("SELECT sum(cycles) FROM rows"), 14);
}

#[test]
fn stores_are_merged() {
    let (_folder, path) = folder();
    let other = path.with_extension("part");
    let store = open(&path).unwrap();
    store.put(&description("a"), &outcome(1)).unwrap();
    let part = open(&other).unwrap();
    part.put(&description("a"), &outcome(1)).unwrap();
    part.put(&description("b"), &outcome(2)).unwrap();
    assert_eq!(store.merge(&other).unwrap(), 1);
    assert_eq!(store.merge(&other).unwrap(), 0);
    assert_eq!((count(&store), store.get(&digest("b")).unwrap()), (2, Some(outcome(2))));
}

#[test]
fn other_files_are_refused() {
    let (_folder, path) = folder();
    std::fs::write(&path, "plain text, long enough that it is read as a header of a database file").unwrap();
    assert!(matches!(open(&path), Err(StoreError::NotAStore { .. })));
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("plain"), "the file is unchanged");

    let other = path.with_extension("other");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    assert!(matches!(open(&other), Err(StoreError::NotAStore { .. })));

    let newer = path.with_extension("newer");
    let store = open(&newer).unwrap();
    store.connection.pragma_update(None, "user_version", 99).unwrap();
    drop(store);
    let error = open(&newer).err().expect("it is refused");
    assert!(matches!(error, StoreError::Version { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("version 99"), "{error}");
}

/// Tests: `no-point-twice`.
#[test]
fn a_full_disk_loses_no_result() {
    let (_folder, path) = folder();
    let store = open(&path).unwrap();
    // The limit of the database has the same error code as a full disk.
    let pages: i64 = store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    store.connection.query_row(&format!("PRAGMA max_page_count = {}", pages + 2), [], |_| Ok(())).unwrap();
    let mut stored = 0;
    let error = loop {
        let overrides = format!("{{\"x\":\"{}\"}}", "x".repeat(500));
        let point = Description { overrides, ..description(&format!("{stored}f")) };
        match store.put(&point, &outcome(stored)) {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
        assert!(stored < 10_000, "the limit is reached");
    };
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    drop(store);
    let store = open(&path).unwrap();
    assert_eq!(count(&store), stored);
    assert_eq!(store.get(&digest("0f")).unwrap(), Some(outcome(0)));
}

/// Returns a store file with one result, changed by `sql`.
fn hostile(folder: &Path, name: &str, sql: &str) -> PathBuf {
    let path = folder.join(name);
    open(&path).unwrap().put(&description("a"), &outcome(7)).unwrap();
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch(sql).unwrap_or_else(|error| panic!("{name}: {error}"));
    path
}

/// Tests: `hostile-stores`.
#[test]
fn a_file_with_other_objects_is_refused() {
    let (folder, _) = folder();
    let endless = "AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n";
    let generated = "ALTER TABLE results ADD COLUMN g AS (hex(zeroblob(1000000000)))";
    for (name, sql, what) in [
        ("results", format!("DROP TABLE results; CREATE VIEW results {endless}"), "the view `results`"),
        ("points", format!("DROP TABLE points; CREATE VIEW points {endless}"), "the view `points`"),
        ("rows", format!("DROP VIEW rows; CREATE VIEW rows {endless}"), "the view `rows`"),
        ("more", format!("CREATE VIEW more {endless}"), "the view `more`"),
        (
            "trigger",
            "CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM points; END".to_owned(),
            "the trigger `t`",
        ),
        ("index", "CREATE INDEX i ON results (abs(code))".to_owned(), "the index `i`"),
        ("generated", generated.to_owned(), "the table `results` has another definition"),
        (
            "default",
            "ALTER TABLE results ADD COLUMN \"x\" DEFAULT 7".to_owned(),
            "the table `results` has another definition",
        ),
        (
            "other",
            "DROP TABLE results; CREATE TABLE results (digest, verdict)".to_owned(),
            "the table `results` has another definition",
        ),
        ("missing", "DROP VIEW rows; DROP TABLE results".to_owned(), "no table `results`"),
    ] {
        let path = hostile(folder.path(), name, &sql);
        let before = std::fs::read(&path).unwrap();
        let own = open(&folder.path().join(format!("{name}-own"))).unwrap();
        for error in [open(&path).err().expect("it is refused"), own.merge(&path).unwrap_err()] {
            assert!(matches!(error, StoreError::Foreign { .. }), "{name}: {error:?}");
            assert!(error.to_string().contains(what), "{name}: {error}");
        }
        assert_eq!(count(&own), 0);
        assert_eq!(std::fs::read(&path).unwrap(), before, "{name}: the file is unchanged");
    }
}

/// Tests: `hostile-stores`.
#[test]
fn a_file_with_an_invalid_value_is_refused() {
    let (folder, _) = folder();
    for (column, value, found) in [
        ("verdict", "'fine'", "the text `fine`"),
        ("verdict", "x'00'", "a blob of 1 bytes"),
        ("verdict", "'trapped'", "0"),
        ("code", "3", "3"),
        ("code", "'0'||x'41'", "the text"),
        ("message", "x'ff'", "a blob of 1 bytes"),
        ("message", "CAST(x'ff' AS TEXT)", "the text"),
        ("memory", "'m'", "the text `m`"),
        ("overrides", "'[]'", "the text `[]`"),
        ("digest", "'A'", "the text `A`"),
        ("host_seconds", "-1", "-1.0"),
        ("host_seconds", "1e308", "1e308"),
        ("host_seconds", "9e999", "inf"),
        ("host_seconds", "'soon'", "the text `soon`"),
        ("cycles", "NULL", "NULL"),
        ("cycles", "-5", "-5"),
        ("cycles", "'many'", "the text `many`"),
        ("cycles", "1e308", "1e308"),
        ("ipc", "-0.5", "-0.5"),
        ("ipc", "zeroblob(9)", "a blob of 9 bytes"),
    ] {
        let name = format!("{column} {}", value.replace(['\'', '|'], "-"));
        let path = hostile(folder.path(), &name, &format!("UPDATE results SET {column} = {value}"));
        let own = open(&folder.path().join(format!("{name} own"))).unwrap();
        own.put(&description("b"), &outcome(1)).unwrap();
        let error = own.merge(&path).unwrap_err();
        assert!(matches!(error, StoreError::Cell { .. }), "{name}: {error:?}");
        assert!(error.to_string().contains(&format!(" is {found}")), "{name}: {error}");
        assert_eq!(count(&own), 1, "{name}: nothing is added");
        if column != "digest" {
            assert_eq!(open(&path).unwrap().get(&digest("a")).unwrap_err(), error);
        }
    }
    let failed = "UPDATE results SET verdict = 'trapped', code = 3, cycles = NULL";
    let path = hostile(folder.path(), "a failure has no metrics", failed);
    assert_eq!(open(&path).unwrap().get(&digest("a")).unwrap().unwrap().metrics[0], None);
}

/// Tests: `hostile-stores`.
#[test]
fn a_signal_ends_a_long_query() {
    let (_folder, path) = folder();
    let store = Store::open(&path, Layout { stops: Arc::new(|| true), ..layout(&METRICS) }).unwrap();
    store.put(&description("a"), &outcome(1)).unwrap();
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let error = store.connection.query_row(sql, [], |_| Ok(())).unwrap_err();
    assert!(matches!(store.failed(&error), StoreError::Interrupted { .. }), "{error}");
    assert_eq!(store.get(&digest("a")).unwrap(), Some(outcome(1)), "a short query is not stopped");
}

/// Tests: `hostile-stores`.
#[test]
fn a_missing_or_damaged_file_is_an_error() {
    let (folder, path) = folder();
    let own = open(&path).unwrap();
    let missing = folder.path().join("none");
    assert!(own.merge(&missing).is_err() && !missing.exists(), "a merge creates no file");
    let cut = hostile(folder.path(), "cut", "PRAGMA journal_mode = DELETE");
    let mut bytes = std::fs::read(&cut).unwrap();
    for byte in &mut bytes[5000..] {
        *byte = 0xa5;
    }
    std::fs::write(&cut, bytes).unwrap();
    let error = own.merge(&cut).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
}
