//! Components through their doors. With components that answer nonsense every launch ends with the
//! right results, and a component that does what a built-in one does gives the same times.

use proptest::prelude::*;
use std::cell::Cell;
use std::num::Wrapping;
use std::sync::Once;
use warpsim::Registry;
use warpsim::dram::{DramPolicy, DramRequest};
use warpsim::l1::{L1Access, Prefetcher};
use warpsim::replacement::ReplacementPolicy;
use warpsim::sim_core::host::{Mode, RunOptions};
use warpsim::throttle::{SmActivity, ThrottlePolicy};
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::generate::chip::ChipSpec;
use warpsim_check::properties::{host_changes_nothing, timed_is_functional};
use warpsim_check::run::Prepared;

/// Answers that follow no plan, but are the same in each run.
#[derive(Clone)]
struct Nonsense(Wrapping<u64>);

impl Nonsense {
    fn new(number: u32) -> Self {
        Self(Wrapping(number.into()))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0 * Wrapping(6_364_136_223_846_793_005) + Wrapping(1_442_695_040_888_963_407);
        self.0.0 >> (self.0.0 >> 58)
    }
}

impl ReplacementPolicy for Nonsense {
    fn touch(&mut self, _slot: usize) {}

    fn install(&mut self, _slot: usize) {}

    fn value(&mut self, _slot: usize) -> u64 {
        self.next()
    }
}

impl Prefetcher for Nonsense {
    fn access(&mut self, access: &L1Access, wanted: &mut Vec<u32>) {
        for _ in 0..self.next() % 8 {
            let anywhere = self.next() as u32;
            wanted.extend([anywhere, access.address ^ (anywhere % 1024), u32::MAX, access.address]);
        }
    }
}

impl ThrottlePolicy for Nonsense {
    fn start(&self, _most: u32) -> u32 {
        0
    }

    fn limit(&mut self, _sm: &SmActivity) -> u32 {
        self.next() as u32
    }
}

impl DramPolicy for Nonsense {
    fn value(&mut self, _request: &DramRequest) -> u64 {
        self.next()
    }

    fn closes(&mut self, _request: &DramRequest) -> bool {
        self.next().is_multiple_of(2)
    }
}

/// Evicts the least recently used line, like `lru`.
#[derive(Clone)]
struct LastUse {
    uses: u64,
    last: Vec<u64>,
}

impl ReplacementPolicy for LastUse {
    fn touch(&mut self, slot: usize) {
        self.uses += 1;
        self.last[slot] = self.uses;
    }

    fn install(&mut self, slot: usize) {
        self.touch(slot);
    }

    fn value(&mut self, slot: usize) -> u64 {
        self.last[slot]
    }
}

/// Wants the next two lines after a miss, like `next_lines(lines: 2)`.
#[derive(Clone)]
struct TwoLines;

impl Prefetcher for TwoLines {
    fn access(&mut self, access: &L1Access, wanted: &mut Vec<u32>) {
        assert!(wanted.is_empty() && access.address.is_multiple_of(128));
        if !access.hit {
            wanted.extend([128, 256].into_iter().filter_map(|next| access.address.checked_add(next)));
        }
    }
}

/// Holds at most two blocks, like `at_most(blocks: 2)`.
#[derive(Clone)]
struct TwoBlocks;

impl ThrottlePolicy for TwoBlocks {
    fn start(&self, _most: u32) -> u32 {
        2
    }

    fn limit(&mut self, sm: &SmActivity) -> u32 {
        assert!(sm.ended > 0 && sm.resident < sm.most);
        2
    }
}

/// Serves the oldest request of a bank, like `fcfs` if there is one bank.
#[derive(Clone)]
struct Oldest;

impl DramPolicy for Oldest {
    fn value(&mut self, request: &DramRequest) -> u64 {
        request.arrival
    }
}

/// Registers all components of this file, before the first chip is read.
fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let mut registry = Registry::default();
        registry.replacement("nonsense", |seat| Nonsense::new(seat.ways as u32));
        registry.prefetcher("nonsense", Nonsense::new);
        registry.throttle("nonsense", Nonsense::new);
        registry.dram_scheduler("nonsense", Nonsense::new);
        let hash = |number: u32| u64::from(number.wrapping_mul(0x9e37_79b9) >> 7) % 5;
        registry.address_map("nonsense", move |chunk| hash(chunk.round ^ (5 * chunk.turn)));
        registry.coalescing_rule("nonsense", |lanes| {
            lanes.addresses[lanes.left.trailing_zeros() as usize] / 4 % 200
        });
        registry.replacement("last_use", |seat| LastUse { uses: 0, last: vec![0; seat.sets * seat.ways] });
        registry.prefetcher("two_lines", |_sm| TwoLines);
        registry.throttle("two_blocks", |_sm| TwoBlocks);
        registry.dram_scheduler("oldest", |_partition| Oldest);
        registry.address_map("turns", |chunk| chunk.turn.into());
        registry.install().expect("no chip has been read");
    });
}

/// Random cases whose chips have the components that answer nonsense.
fn cases() -> impl Strategy<Value = Case> {
    case().prop_map(|case| {
        let chip = case.chip.with(&[
            ("sm.throttle", "nonsense"),
            ("partition.map", "nonsense"),
            ("partition.dram.scheduler", "nonsense"),
        ]);
        let mut sets = chip.sets.clone();
        let lines = sets.iter().any(|(path, value)| path == "sm.lsu.rule" && value == "lines");
        for (path, value) in &mut sets {
            let caches = ["sm.l1", "partition.l2"].contains(&path.as_str()) && value != "none";
            if caches && path == "sm.l1" {
                *value = value.replacen("prefetch: off", "prefetch: nonsense, replacement: nonsense", 1);
            } else if caches {
                *value = value.replacen('(', "(replacement: nonsense, ", 1);
            } else if path == "sm.lsu.rule" && !lines {
                "nonsense".clone_into(value);
            }
        }
        Case { chip: ChipSpec { sets, ..chip }, ..case }
    })
}

#[test]
fn no_answer_is_invalid() {
    register();
    for_all(&cases(), Draw::Same, 192, |case| {
        timed_is_functional(&Prepared::new(case), RunOptions::default())
    });
    for_all(&cases(), Draw::Same, 12, |case| host_changes_nothing(&Prepared::new(case)));
}

/// Cycles, breakdowns and traffic of a case with these settings.
fn timing(case: &Case, sets: &[(&str, &str)]) -> serde_json::Value {
    let case = Case { chip: case.chip.clone().with(sets), ..case.clone() };
    let report = Prepared::new(&case).run(Mode::Timed, RunOptions::default()).report;
    serde_json::to_value(report.timing).expect("a report is JSON")
}

/// Compares the times of cases with a built-in component and with another that does the same. Some
/// cases must show that the component matters.
fn same_times(with: &[(&str, &str)], path: &str, [built_in, mine, other]: [&str; 3]) {
    register();
    let has_l1 = |case: &Case| case.chip.sets.iter().any(|(path, l1)| path == "sm.l1" && l1 != "none");
    let differing = Cell::new(0);
    for_all(&case(), Draw::Same, 96, |case| {
        if path.starts_with("sm.l1") && !has_l1(case) {
            return Ok(());
        }
        let [built_in, mine, other] =
            [built_in, mine, other].map(|word| timing(case, &[with, &[(path, word)]].concat()));
        differing.set(differing.get() + u32::from(built_in != other));
        if built_in == mine { Ok(()) } else { Err(format!("{path}: the times differ")) }
    });
    assert!(differing.get() > 0, "{path}: {built_in} and {other} give the same times in all cases");
}

#[test]
fn a_replacement_policy_like_the_built_in_one_gives_its_times() {
    same_times(&[], "sm.l1.replacement", ["lru", "last_use", "fifo"]);
}

#[test]
fn a_prefetcher_like_the_built_in_one_gives_its_times() {
    same_times(&[], "sm.l1.prefetch", ["next_lines(lines: 2)", "two_lines", "off"]);
}

#[test]
fn a_throttle_like_the_built_in_one_gives_its_times() {
    same_times(&[], "sm.throttle", ["at_most(blocks: 2)", "two_blocks", "off"]);
}

#[test]
fn an_address_map_like_the_built_in_one_gives_its_times() {
    same_times(&[("partitions", "3")], "partition.map", ["modulo", "turns", "hashed"]);
}

#[test]
fn a_dram_scheduler_like_the_built_in_one_gives_its_times() {
    let one = ["banks", "bank_groups", "interleaved_banks"].map(|field| format!("partition.dram.{field}"));
    let one = one.each_ref().map(|path| (path.as_str(), "1"));
    same_times(&one, "partition.dram.scheduler", ["fcfs", "oldest", "fr_fcfs"]);
}
