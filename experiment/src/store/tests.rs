//! Tests of the store.

use super::*;

const METRICS: [&str; 3] = ["cycles", "ipc", "launches"];

fn description(digest: &str) -> Description {
    Description { digest: digest.to_owned(), kernel: "vecadd".to_owned(), ..Description::default() }
}

fn outcome(cycles: u64) -> Outcome {
    Outcome {
        verdict: "finished".to_owned(),
        message: String::new(),
        code: 0,
        memory: "m".to_owned(),
        metrics: vec![Some(cycles.into()), Number::from_f64(0.1 + 0.2), None],
        host_seconds: 0.5,
    }
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
    let store = Store::open(&path, &METRICS).unwrap();
    assert_eq!(store.get("a").unwrap(), None);
    assert!(store.put(&description("a"), &outcome(7)).unwrap());
    assert!(!store.put(&description("a"), &outcome(8)).unwrap());
    drop(store);
    let store = Store::open(&path, &METRICS).unwrap();
    assert_eq!(store.get("a").unwrap(), Some(outcome(7)));
    assert!(store.has("a").unwrap() && !store.has("b").unwrap());
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    drop(store);
    assert!(files >= 1 && std::fs::read_dir(path.parent().unwrap()).unwrap().count() == 1, "one file");
}

#[test]
fn a_new_metric_is_a_new_column() {
    let (_folder, path) = folder();
    let store = Store::open(&path, &METRICS[..1]).unwrap();
    let old = Outcome { metrics: vec![Some(3.into())], ..outcome(0) };
    store.put(&description("a"), &old).unwrap();
    drop(store);
    let store = Store::open(&path, &METRICS).unwrap();
    assert_eq!(store.get("a").unwrap().unwrap().metrics, [Some(3.into()), None, None]);
}

#[test]
fn experiments_share_results() {
    let (_folder, path) = folder();
    let mut store = Store::open(&path, &METRICS).unwrap();
    let entry = |digest: &str| Entry {
        digest: digest.to_owned(),
        kernel: "k".to_owned(),
        chip: "g80".to_owned(),
        factors: "{}".to_owned(),
    };
    store.put(&description("a"), &outcome(7)).unwrap();
    store.define("one", &[entry("a"), entry("b")]).unwrap();
    store.define("two", &[entry("a")]).unwrap();
    store.define("one", &[entry("b"), entry("a")]).unwrap();
    let count = |sql: &str| store.connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM points"), 3);
    assert_eq!(count("SELECT sum(cycles) FROM rows"), 14);
}

#[test]
fn stores_are_merged() {
    let (_folder, path) = folder();
    let other = path.with_extension("part");
    let store = Store::open(&path, &METRICS).unwrap();
    store.put(&description("a"), &outcome(1)).unwrap();
    let part = Store::open(&other, &METRICS).unwrap();
    part.put(&description("a"), &outcome(1)).unwrap();
    part.put(&description("b"), &outcome(2)).unwrap();
    assert_eq!(store.merge(&other).unwrap(), 1);
    assert_eq!(store.merge(&other).unwrap(), 0);
    assert_eq!((store.count().unwrap(), store.get("b").unwrap()), (2, Some(outcome(2))));
}

#[test]
fn other_files_are_refused() {
    let (_folder, path) = folder();
    std::fs::write(&path, "plain text, long enough that it is read as a header of a database file").unwrap();
    assert!(matches!(Store::open(&path, &METRICS), Err(StoreError::NotAStore { .. })));
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("plain"), "the file is unchanged");

    let other = path.with_extension("other");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    assert!(matches!(Store::open(&other, &METRICS), Err(StoreError::NotAStore { .. })));

    let newer = path.with_extension("newer");
    let store = Store::open(&newer, &METRICS).unwrap();
    store.connection.pragma_update(None, "user_version", 99).unwrap();
    drop(store);
    let error = Store::open(&newer, &METRICS).unwrap_err();
    assert!(matches!(error, StoreError::Version { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("version 99"), "{error}");
}

/// Tests: `no-point-twice`.
#[test]
fn a_full_disk_loses_no_result() {
    let (_folder, path) = folder();
    let store = Store::open(&path, &METRICS).unwrap();
    // The limit of the database has the same error code as a full disk.
    let pages: i64 = store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    store.connection.query_row(&format!("PRAGMA max_page_count = {}", pages + 2), [], |_| Ok(())).unwrap();
    let mut stored = 0;
    let error = loop {
        let point = Description { overrides: "x".repeat(500), ..description(&stored.to_string()) };
        match store.put(&point, &outcome(stored)) {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
        assert!(stored < 10_000, "the limit is reached");
    };
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    drop(store);
    let store = Store::open(&path, &METRICS).unwrap();
    assert_eq!(store.count().unwrap(), stored);
    assert_eq!(store.get("0").unwrap(), Some(outcome(0)));
}
