//! Detects changes of the simulation: a hash of the JSON reports of every built-in kernel, on every
//! board and with many settings.
//!
//! `tests/data/reports/hashes.tsv` has a line for each case: group, kernel, size, and the first 16
//! hexadecimal digits of the SHA-256 of the reports of all its launches; for observed runs also of
//! their events. A group is a board with overrides. Each group is a trial, so a filter selects
//! some: `cargo test --test report_hashes "fermi scheduler"`. The groups of [`QUICK`] run in every
//! test run, all groups with `--ignored` or `--include-ignored`. A change that intentionally
//! changes reports accepts the new hashes with `BLESS=1` and names the changed lines in its commit
//! message.

use kernels::{Settings, Workload};
use libtest_mimic::{Arguments, Failed, Trial};
use sha2::{Digest, Sha256};
use sim_core::config::Chip;
use sim_core::config::builtin::{builtin_text, simulated_names};
use sim_core::host::{Gpu, LaunchSettings, Mode};
use sim_core::stats::Report;
use sim_core::stats::report::SCHEMA;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::{env, fs};
use warpsim_check::watch::Recording;
use warpsim_tests::device::CHIPS;

/// Version of the layout with which the hashes were recorded. Reports are hashed with this number:
/// a later version that does not change the reports of the built-in kernels changes no hash.
const RECORDED_SCHEMA: u32 = 4;

/// Groups that run in every test run.
const QUICK: [&str; 8] = [
    "g80",
    "gt200",
    "fermi",
    "gtx460",
    "g80 functional",
    "fermi observed",
    "gt200 observed scheduler=gto",
    "fermi sm.l1=none",
];

/// Overrides for one chip of each generation. A chip that rejects an override has no such group.
const OVERRIDES: [&[(&str, &str)]; 24] = [
    &[("scheduler", "oldest")],
    &[("scheduler", "gto")],
    &[("scheduler", "two_level(active: 4)")],
    &[("scheduler", "priority")],
    &[("scheduler", "random(seed: 7)")],
    &[("sm.schedulers", "2")],
    &[("sm.schedulers", "4")],
    &[("sm.second_port", "none")],
    &[("sm.second_port", "any_warp")],
    &[("sm.second_port", "same_warp")],
    &[("sm.max_warps", "8")],
    &[("sm.max_blocks", "2")],
    &[("sm.lsu.queue", "2")],
    &[("sm.lsu.rule", "strict")],
    &[("sm.lsu.rule", "segments")],
    &[("sm.lsu.rule", "lines")],
    &[("sm.shared.rule", "one_broadcast")],
    &[("sm.shared.rule", "multicast")],
    &[("sm.const_cache", "none")],
    &[("sm.l1", "none")],
    &[("partition.l2", "none")],
    &[("clusters", "1")],
    &[("sm.instr_cache", "(bytes: 1024, line_bytes: 128, ways: 2, instruction_bytes: 8)")],
    &[("clocks.memory_mhz", "450"), ("crossbar.latency", "20")],
];

/// A board with overrides, in one of the modes.
#[derive(Clone, Debug)]
struct Group {
    chip: &'static str,
    sets: &'static [(&'static str, &'static str)],
    mode: Mode,
    observed: bool,
}

impl Group {
    fn name(&self) -> String {
        let mut name = self.chip.to_owned();
        if self.mode == Mode::Functional {
            name += " functional";
        }
        if self.observed {
            name += " observed";
        }
        for (path, value) in self.sets {
            let _ = write!(name, " {path}={value}");
        }
        name
    }

    /// Returns the board with its overrides, if they give a valid chip.
    fn chip(&self) -> Option<Chip> {
        let owned = |(path, value): &(&str, &str)| ((*path).to_owned(), (*value).to_owned());
        let sets: Vec<(String, String)> = self.sets.iter().map(owned).collect();
        let text = builtin_text(self.chip).expect("the chip is built in");
        Some(Chip::from_ron(self.chip, text, &sets).ok()?.0)
    }
}

fn groups() -> Vec<Group> {
    let plain = |chip| Group { chip, sets: &[], mode: Mode::Timed, observed: false };
    let mut groups: Vec<Group> = simulated_names().map(plain).collect();
    for chip in CHIPS {
        groups.push(Group { mode: Mode::Functional, ..plain(chip) });
        groups.push(Group { observed: true, ..plain(chip) });
        for sets in OVERRIDES {
            groups.push(Group { sets, ..plain(chip) });
        }
        for sets in &OVERRIDES[1..3] {
            groups.push(Group { sets, observed: true, ..plain(chip) });
        }
    }
    groups.retain(|group| group.chip().is_some());
    groups
}

/// Returns the hashes of a group by case.
fn record(group: &Group) -> BTreeMap<(String, u64), String> {
    let mut lines = BTreeMap::new();
    for workload in kernels::all() {
        for size in sizes(group, workload) {
            lines.insert((workload.name.to_owned(), size), hash(group, workload, size));
        }
    }
    lines
}

/// Sizes of a workload: all small sizes for the unmodified chips of three generations, otherwise
/// the second one.
fn sizes(group: &Group, workload: &Workload) -> Vec<u64> {
    let small = workload.small_sizes;
    if group.sets.is_empty() && !group.observed && CHIPS.contains(&group.chip) {
        small.to_vec()
    } else {
        small.get(1).or(small.first()).copied().into_iter().collect()
    }
}

fn hash(group: &Group, workload: &Workload, size: u64) -> String {
    let chip = group.chip().expect("groups have chips");
    let mut gpu = Gpu::new(chip);
    let recording = group.observed.then(|| Recording::of(&mut gpu, 0..20_000));
    let settings = Settings {
        size: Some(size),
        launches: LaunchSettings { mode: group.mode, ..LaunchSettings::default() },
    };
    let Ok(outcome) = kernels::run(workload.name, &mut gpu, settings) else {
        return "refused at launch".to_owned();
    };
    let mut sha = Sha256::new();
    for report in &outcome.reports {
        assert_eq!(report.schema, SCHEMA);
        let report = Report { schema: RECORDED_SCHEMA, ..report.clone() };
        sha.update(serde_json::to_vec(&report).expect("a report has string keys only"));
    }
    if let Some(recording) = recording {
        for event in &recording.seen().events {
            sha.update(format!("{event:?}\n"));
        }
    }
    sha.finalize().iter().take(8).fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/reports/hashes.tsv")
}

/// Returns the recorded hashes by group, kernel and size.
fn read() -> BTreeMap<String, BTreeMap<(String, u64), String>> {
    let mut all: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
    for line in fs::read_to_string(path()).unwrap_or_default().lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [group, kernel, size, hash] = fields[..] else { panic!("hashes.tsv: not four fields: {line}") };
        let size = size.parse().expect("hashes.tsv: the size is a number");
        all.entry(group.to_owned()).or_default().insert((kernel.to_owned(), size), hash.to_owned());
    }
    all
}

fn write(all: &BTreeMap<String, BTreeMap<(String, u64), String>>) {
    let mut text = String::new();
    for (group, lines) in all {
        for ((kernel, size), hash) in lines {
            let _ = writeln!(text, "{group}\t{kernel}\t{size}\t{hash}");
        }
    }
    fs::write(path(), text).expect("the hashes can be written");
}

fn compare(
    expected: Option<&BTreeMap<(String, u64), String>>,
    found: &BTreeMap<(String, u64), String>,
) -> Result<(), Failed> {
    let expected = expected.ok_or("the group has no recorded hashes: BLESS=1 records them")?;
    let cases = expected.keys().chain(found.keys()).collect::<std::collections::BTreeSet<_>>();
    let changed = cases.iter().filter(|case| expected.get(**case) != found.get(**case));
    let changed: Vec<String> = changed.map(|(kernel, size)| format!("{kernel} {size}")).collect();
    if changed.is_empty() {
        return Ok(());
    }
    Err(format!("{} of {} reports changed: {}", changed.len(), cases.len(), changed.join(", ")).into())
}

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let bless = env::var_os("BLESS").is_some();
    let recorded = Arc::new(read());
    let groups = groups();
    let mut kept = (*recorded).clone();
    kept.retain(|key, _| groups.iter().any(|group| group.name() == *key));
    let blessed = Arc::new(Mutex::new(kept));
    let trials = groups.into_iter().map(|group| {
        let name = group.name();
        let quick = QUICK.contains(&name.as_str());
        let (recorded, blessed) = (Arc::clone(&recorded), Arc::clone(&blessed));
        let key = name.clone();
        let trial = Trial::test(name, move || {
            let found = record(&group);
            if bless {
                blessed.lock().expect("no trial panics while it holds the lock").insert(key, found);
                return Ok(());
            }
            compare(recorded.get(&key), &found)
        });
        trial.with_ignored_flag(!quick)
    });
    let trials: Vec<Trial> = trials.collect();
    let missing = QUICK.iter().filter(|name| !trials.iter().any(|trial| trial.name() == **name));
    assert_eq!(missing.count(), 0, "a quick group does not exist");
    let stale: Vec<&String> =
        recorded.keys().filter(|key| !trials.iter().any(|trial| trial.name() == **key)).collect();
    assert!(bless || stale.is_empty(), "hashes.tsv has groups that are not tested: {stale:?}");
    let conclusion = libtest_mimic::run(&args, trials);
    if bless && !args.list {
        write(&blessed.lock().expect("no trial panics while it holds the lock"));
    }
    conclusion.exit_code()
}
