//! Ideal resources that no limit names: the chips with which `warpsim experiment` finds the time
//! that each resource costs, in addition to those of [`super::change`].
//!
//! Every ideal chip consists of values that a chip file can have, or beyond their range: the
//! pipeline has no special case for them.

use super::Limiter;
use super::change::{Change, changed, execution_unit};
use crate::config::{Chip, DramTiming};
use crate::words::words;
use isa::uop::Class;

words! {
    /// A resource that can be ideal.
    pub enum Ideal {
        /// Every scheduler issues an instruction in each shader cycle, also the replays and the
        /// slots of sequences. Units and banks stay, and so does the policy.
        Scheduling = "scheduling",
        /// All execution units accept a warp in each cycle and exist as often as possible. The
        /// schedulers stay.
        ExecutionUnits = "execution_units",
        /// Ideal coalescing ([`crate::config::LsuConfig::ideal_coalescing`]).
        Coalescing = "coalescing",
        /// No part of global memory adds latency: load/store unit, crossbar, pipelines, caches and
        /// DRAM rows. Throughputs stay, those of the DRAM without the time for rows.
        ZeroLatencyMemory = "zero_latency_memory",
        /// All accesses to global and local memory behave as hits in an L1: everything behind the
        /// load/store unit is as fast as possible, and a load takes the time of a hit. A chip
        /// without an L1 takes the latency of its shared memory.
        PerfectL1 = "perfect_l1",
    }
}

/// MSHRs, and loads for each of them, of an L1 that never waits for one: the maximum of a chip
/// file.
const MOST_MISSES: u32 = 1024;

/// Returns `chip` with the resource ideal; `None` if nothing changes.
pub fn idealized(chip: &Chip, ideal: Ideal) -> Option<Chip> {
    let mut new = chip.clone();
    match ideal {
        Ideal::Scheduling => new.sm.issue_period = 1,
        Ideal::ExecutionUnits => {
            (0..new.sm.units.len()).for_each(|unit| execution_unit(&mut new, unit, Change::Ideal));
        }
        Ideal::Coalescing => new.sm.lsu.ideal_coalescing = true,
        Ideal::ZeroLatencyMemory => zero_latency(&mut new),
        Ideal::PerfectL1 => perfect_l1(&mut new),
    }
    (new != *chip).then_some(new)
}

/// Removes the latencies of global memory.
fn zero_latency(chip: &mut Chip) {
    apply(chip, Limiter::MemoryLatency);
    if let Some(l1) = &mut chip.sm.l1 {
        l1.hit_cycles = 0;
    }
    if let Some(l2) = &mut chip.partition.l2 {
        l2.hit_cycles = 0;
    }
    let timing = &mut chip.partition.dram.timing;
    *timing = DramTiming {
        rrd: 1,
        faw: 0,
        rcd: 1,
        ras: 1,
        rp: 1,
        rc: 2,
        cl: 1,
        wl: 1,
        cdlr: 1,
        wr: 1,
        rtp: 1,
        ..*timing
    };
}

/// Makes the memory system behind the load/store unit ideal: every load has the latency of an L1
/// hit.
fn perfect_l1(chip: &mut Chip) {
    let old = chip.clone();
    let classes = |class: Class| u32::from(old.sm.classes[class as usize].latency);
    // The load/store unit and the way to the register are part of the latency of a hit.
    let shared = || {
        let unit = old.sm.lsu.latency + old.sm.lsu.transaction_cycles;
        classes(Class::LdShared).saturating_sub(unit + classes(Class::LdGlobal))
    };
    let hit = old.sm.l1.as_ref().map_or_else(shared, |l1| l1.hit_cycles);
    for limiter in [Limiter::MemoryPorts, Limiter::DramBandwidth] {
        apply(chip, limiter);
    }
    zero_latency(chip);
    chip.sm.lsu = old.sm.lsu;
    chip.sm.classes = old.sm.classes;
    // Both crossings of the crossbar are part of it.
    chip.partition.pipeline_cycles = hit.saturating_sub(2 * chip.crossbar.latency).max(1);
    if let (Some(new), Some(old)) = (&mut chip.sm.l1, &old.sm.l1) {
        new.hit_cycles = old.hit_cycles;
        (new.misses, new.merges) = (MOST_MISSES, MOST_MISSES);
    }
    if let Some(l2) = &mut chip.partition.l2 {
        l2.sector_cycles = 1;
        l2.misses = MOST_MISSES;
    }
}

/// Makes the resource of `limiter` ideal.
fn apply(chip: &mut Chip, limiter: Limiter) {
    if let Some(new) = changed(chip, limiter, None, Change::Ideal) {
        *chip = new;
    }
}

#[cfg(test)]
mod tests {
    use super::super::unloaded::latency;
    use super::*;

    #[test]
    fn every_resource_can_be_ideal_on_every_chip() {
        for name in ["g80", "gt200", "fermi", "gtx460"] {
            let chip = Chip::builtin(name).expect("built in");
            for (word, ideal) in Ideal::NAMES {
                assert!(ideal_differs(&chip, ideal), "{word} on {name}");
            }
        }
    }

    fn ideal_differs(chip: &Chip, ideal: Ideal) -> bool {
        idealized(chip, ideal).is_some_and(|new| new != *chip)
    }

    #[test]
    fn an_ideal_memory_has_the_latency_of_a_hit() {
        for (name, hit) in [("g80", 36.0..60.0), ("gt200", 36.0..70.0), ("fermi", 70.0..100.0)] {
            let chip = Chip::builtin(name).expect("built in");
            let perfect = idealized(&chip, Ideal::PerfectL1).expect("it differs");
            assert!(hit.contains(&latency(&perfect)), "{name}: {}", latency(&perfect));
            let zero = idealized(&chip, Ideal::ZeroLatencyMemory).expect("it differs");
            assert!(latency(&zero) < latency(&perfect).min(40.0), "{name}: {}", latency(&zero));
        }
    }
}
