//! Tests of experiments that end too early: killed at random moments, or on a full disk. No point
//! is lost or simulated twice.

use crate::common::{command, scratch};
use crate::experiment::results;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;
use studies::store::Store;
use test_support::tools::say;

/// Kills of a run.
const KILLS: u64 = 3;

/// Six kernels with their sizes in small tests and in large ones.
const KERNELS: [(&str, [u32; 2]); 6] = [
    ("vecadd", [2000, 20000]),
    ("matmul-naive", [32, 64]),
    ("matmul-tiled", [32, 64]),
    ("matmul-any", [20, 50]),
    ("reduce-halving", [1024, 65536]),
    ("histogram-bytes", [2048, 16384]),
];

/// Points for each value of the latency.
const FOR_EACH: u32 = 6 * 2 * 7 * 2;

/// Points of a large test.
pub const LARGE: u32 = 2016;

/// Points of a small test.
const SMALL: u32 = FOR_EACH;

/// Writes an experiment with this number of different points, a multiple of [`FOR_EACH`].
pub fn written(name: &str, points: u32) -> PathBuf {
    let folder = scratch(name);
    let list = |values: Vec<String>| values.join(", ");
    let size = |sizes: [u32; 2]| sizes[usize::from(points == LARGE)];
    let kernel = |(kernel, sizes): &(&str, _)| format!("(kernel: \"{kernel}\", size: {})", size(*sizes));
    let latencies = (0..points / FOR_EACH).map(|i| (60 + 4 * i).to_string());
    let text = format!(
        r#"(
    kernels: [{}],
    chips: ["gt200", "fermi"],
    factors: [
        (vary: chip("sm.max_blocks"), range: (2, 8)),
        (name: "policy", vary: chip("sm.scheduler"), values: [lrr, gto]),
        (name: "latency", vary: chip("crossbar.latency"), values: [{}]),
    ],
    metrics: ["cycles", "ipc"],
)"#,
        list(KERNELS.iter().map(kernel).collect()),
        list(latencies.collect()),
    );
    fs::write(folder.join("file.ron"), text).expect("the folder is writable");
    folder
}

fn program(folder: &Path, store: &str, options: &[&str]) -> Command {
    let mut program = command(&["experiment"]);
    program.arg(folder.join("file.ron")).arg("--store").arg(folder.join(store)).args(options);
    program
}

/// Returns the rows of a run that ends.
fn rows(folder: &Path, store: &str, options: &[&str]) -> String {
    let Output { status, stdout, stderr } =
        program(folder, store, options).args(["--out", "-"]).output().expect("the program starts");
    assert_eq!(status.code(), Some(0), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("UTF-8")
}

/// Returns the host time of each result that a store has: it identifies the run of the point.
fn times(path: &Path, rows: &str) -> BTreeMap<String, u64> {
    let Ok(store) = Store::open(path, crate::experiment::no_metrics()) else { return BTreeMap::new() };
    let digests = rows.lines().skip(1).map(|row| row.rsplit(',').next().expect("a column").to_owned());
    let time =
        |digest: &str| store.get(digest).expect("readable").map(|outcome| outcome.host_seconds.to_bits());
    digests.filter_map(|digest| time(&digest).map(|time| (digest, time))).collect()
}

/// Runs an experiment, kills it at random moments, and continues it.
fn killed(name: &str, points: u32, seed: u64) {
    let folder = written(name, points);
    let start = Instant::now();
    let straight = rows(&folder, "straight.sqlite", &["--jobs", "2"]);
    let took = start.elapsed();
    assert_eq!(straight.lines().count(), 1 + points as usize);
    assert_eq!(rows(&folder, "one.sqlite", &["--jobs", "1"]), straight);

    let store = folder.join("killed.sqlite");
    let (mut random, mut kept) = (seed, BTreeMap::new());
    for kill in 0..KILLS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The first of several parts of the time, so that all kills are before the end.
        let share = (random >> 40) as f64 / (1 << 24) as f64 / (KILLS + 1) as f64;
        let mut run = program(&folder, "killed.sqlite", &["--jobs", "2"]);
        let mut child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        std::thread::sleep(took.mul_f64(share));
        child.kill().expect("the program runs or has ended");
        child.wait().expect("the program ends");
        if !store.exists() {
            continue;
        }
        let now = times(&store, &straight);
        for (digest, time) in &kept {
            assert_eq!(now.get(digest), Some(time), "kill {kill}: a point is lost or has run again");
        }
        kept = now;
    }
    assert_eq!(rows(&folder, "killed.sqlite", &[]), straight);
    let all = times(&store, &straight);
    assert!(kept.iter().all(|(digest, time)| all.get(digest) == Some(time)), "a point has run again");
    assert_eq!((results(&store), all.len()), (Ok(points as usize), points as usize));
    // Not `println!`, which the harness shows only for failed tests.
    let _ = writeln!(
        std::io::stderr().lock(),
        "{points} points: {took:.1?}; {} were kept after the last kill",
        kept.len()
    );
}

/// Tests: `no-point-twice`.
#[test]
fn an_experiment_killed_at_random_moments_continues() {
    for seed in [1, 2] {
        killed("experiment-killed-small", SMALL, seed);
    }
}

/// The experiment of docs/EXPERIMENTS.md.
///
/// Tests: `no-point-twice`.
#[test]
#[ignore = "takes minutes"]
fn an_experiment_of_2000_points_killed_at_random_moments_continues() {
    killed("experiment-killed-large", LARGE, 3);
}

/// A run in a file system of 8 MB, a part of which other files use at first.
///
/// Tests: `no-point-twice`.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_and_loses_no_result() {
    let folder = written("experiment-full", SMALL);
    let straight = rows(&folder, "straight.sqlite", &[]);
    let disk = folder.join("disk");
    fs::create_dir(&disk).expect("created");
    let script = r#"
        mount -t tmpfs -o size=8M none "$1" || exit 99
        head -c 7900000 /dev/zero >"$1/ballast"
        "$2" experiment file.ron --store "$1/s.sqlite" --out /dev/null 2>messages
        echo "exit code $?" >>messages
        rm "$1/ballast"
        "$2" experiment file.ron --store "$1/s.sqlite" --out rows.csv 2>>messages
    "#;
    let mut shell = Command::new("unshare");
    shell.args(["--mount", "sh", "-c", script, "sh"]).arg(&disk).arg(env!("CARGO_BIN_EXE_warpsim"));
    let output = shell.current_dir(&folder).output();
    if !output.as_ref().is_ok_and(|output| output.status.success()) {
        let why =
            output.map_or_else(|why| why.to_string(), |o| String::from_utf8_lossy(&o.stderr).into_owned());
        say(&format!(
            "!!!! SKIPPED: a_full_disk_is_an_error_and_loses_no_result: a file system cannot be mounted: {why}\n"
        ));
        return;
    }
    let messages = fs::read_to_string(folder.join("messages")).expect("written");
    assert!(messages.contains("s.sqlite: the disk is full\nnote: all results until now"), "{messages}");
    assert!(messages.contains("exit code 2\n"), "{messages}");
    let simulated = messages.lines().filter_map(|line| line.split_once(" different runs, ")).next_back();
    let again: u32 = simulated
        .and_then(|(_, rest)| rest.split(' ').next()?.parse().ok())
        .expect("the number of points to simulate");
    assert!(0 < again && again < SMALL, "{messages}");
    assert_eq!(fs::read_to_string(folder.join("rows.csv")).expect("written"), straight);
}

/// A file that may not grow, as with a quota.
///
/// Tests: `no-point-twice`.
#[test]
#[cfg(unix)]
fn a_limit_of_the_file_size_is_an_error() {
    let folder = written("experiment-limit", SMALL);
    let straight = rows(&folder, "straight.sqlite", &[]);
    // Blocks of 512 bytes. With the signal ignored, a write fails.
    let script = "trap '' XFSZ; ulimit -f 400; exec \"$1\" experiment file.ron --store s.sqlite";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh", env!("CARGO_BIN_EXE_warpsim")]).current_dir(&folder);
    let output = shell.output().expect("the shell starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{messages}");
    assert!(
        messages.contains("s.sqlite: ") && messages.contains("note: all results until now"),
        "{messages}"
    );
    let kept = times(&folder.join("s.sqlite"), &straight).len();
    assert!(0 < kept && kept < SMALL as usize, "{kept} results");
    assert_eq!(rows(&folder, "s.sqlite", &[]), straight);
}

/// A store whose tables have another version is refused, and stays as it is.
#[test]
fn a_store_of_another_version_is_refused() {
    let folder = written("experiment-version", SMALL);
    let path = folder.join("s.sqlite");
    let run = program(&folder, "s.sqlite", &["--dry-run"]).output().expect("the program starts");
    assert_eq!(run.status.code(), Some(0));
    // The header of SQLite has the version of the user at byte 60.
    let mut bytes = fs::read(&path).expect("a store");
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&path, &bytes).expect("written");
    let run = program(&folder, "s.sqlite", &[]).output().expect("the program starts");
    let messages = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{messages}");
    assert!(messages.contains("has version 99 of the store's tables; this program uses version 1\nhelp: "));
    assert_eq!(fs::read(&path).expect("unchanged"), bytes);
}
