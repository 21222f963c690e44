//! Components that answer nonsense: every launch ends with the right results.

use proptest::prelude::*;
use std::num::Wrapping;
use warpsim::Registry;
use warpsim::dram::{DramPolicy, DramRequest};
use warpsim::l1::{L1Access, Prefetcher};
use warpsim::replacement::ReplacementPolicy;
use warpsim::sim_core::host::RunOptions;
use warpsim::throttle::{SmActivity, ThrottlePolicy};
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
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

/// Random cases whose chips have these components.
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
        Case { chip: warpsim_check::generate::chip::ChipSpec { sets, ..chip }, ..case }
    })
}

#[test]
fn no_answer_is_invalid() {
    let mut registry = Registry::default();
    registry.replacement("nonsense", |seat| Nonsense::new(seat.ways as u32));
    registry.prefetcher("nonsense", Nonsense::new);
    registry.throttle("nonsense", Nonsense::new);
    registry.dram_scheduler("nonsense", Nonsense::new);
    let hash = |number: u32| u64::from(number.wrapping_mul(0x9e37_79b9) >> 7) % 5;
    registry.address_map("nonsense", move |chunk| hash(chunk.round ^ (5 * chunk.turn)));
    registry.coalescing_rule("nonsense", |lanes| lanes.addresses[lanes.left.trailing_zeros() as usize]);
    registry.install().expect("no chip has been read");
    for_all(&cases(), Draw::Same, 192, |case| {
        timed_is_functional(&Prepared::new(case), RunOptions::default())
    });
    for_all(&cases(), Draw::Same, 12, |case| host_changes_nothing(&Prepared::new(case)));
}
