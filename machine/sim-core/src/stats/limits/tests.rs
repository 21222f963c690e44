//! Tests of the shares that lead to each limit, and of the changed chips.

use super::change::{Change, changed};
use super::rules::limiter;
use super::used::{Shares, Uneven};
use super::*;
use crate::cache::Replacement;
use crate::config::{TlbConfig, TlbLevelConfig};

/// Shares of an idle machine.
fn idle() -> (Shares, SlotShares) {
    let used = Used {
        issue: 0.0,
        units: vec![("sp".to_owned(), 0.0), ("lsu".to_owned(), 0.0)],
        banks: 0.0,
        constants: 0.0,
        transactions: 0.0,
        port: 0.0,
        arbiter: 0.0,
        l2: Some(0.0),
        reply_port: 0.0,
        cluster_replies: 0.0,
        reply_buffer: 0.0,
        dram: 0.0,
        dram_rows: 0.0,
        dram_imbalance: 1.0,
        atomics: 0.0,
        tlb: None,
        texture: None,
        dispatcher: 0.0,
        link: None,
        divergence: 0.0,
        idle_sms: 0.0,
    };
    let uneven = Uneven { arbiter: 1.0, l2: 1.0, replies: 1.0, dram: 1.0 };
    let shares = Shares {
        used,
        conflicts: (0.0, 0.0),
        uneven,
        can_camp: true,
        congestion: 1.0,
        fetches: 0.0,
        contention: 0.0,
        is_tail: false,
        more_warps: 1.0,
        constant_lines: 0.0,
        atomic_transactions: 0.0,
        startup: 0.0,
        reads_constants: true,
        barriers: 1.0,
    };
    (shares, SlotShares::default())
}

#[test]
fn the_busiest_resource_or_the_largest_loss_is_the_limit() {
    type Set = fn(&mut Shares, &mut SlotShares);
    let cases: [(Limiter, f64, Set); 37] = [
        (Limiter::TooLittleWork, 1.0, |s, slots| (s.startup, slots.constant) = (0.6, 0.4)),
        // Waits for parameters are no waits for constants.
        (Limiter::InstructionLatency, 1.0, |s, slots| {
            (s.reads_constants, slots.constant, slots.latency) = (false, 0.5, 0.1);
        }),
        (Limiter::Atomics, 1.0, |s, slots| {
            (s.used.atomics, s.used.idle_sms, slots.no_warp) = (0.85, 0.6, 0.7);
        }),
        (Limiter::Atomics, 1.0, |s, _| {
            (s.used.atomics, s.used.idle_sms, s.atomic_transactions) = (0.55, 0.5, 0.8);
        }),
        (Limiter::Atomics, 1.0, |s, slots| (s.used.atomics, slots.memory, slots.no_warp) = (0.6, 0.1, 0.7)),
        (Limiter::Atomics, 1.0, |s, slots| (s.atomic_transactions, slots.lsu_full) = (0.8, 0.6)),
        (Limiter::IssueRate, 1.0, |s, slots| (s.used.issue, slots.issued) = (0.9, 0.9)),
        (Limiter::IssueRate, 1.0, |s, slots| {
            (s.used.issue, slots.issued, slots.no_warp) = (0.4, 0.4, 0.5);
        }),
        (Limiter::ExecutionUnit, 1.0, |s, slots| (s.used.units[1].1, slots.pipe_busy) = (0.8, 0.6)),
        (Limiter::DramBandwidth, 4.0, |s, slots| (s.used.dram, slots.memory) = (0.85, 0.9)),
        (Limiter::DramBandwidth, 4.0, |s, slots| (s.used.dram, slots.memory) = (0.5, 0.9)),
        (Limiter::DramRows, 4.0, |s, slots| {
            (s.used.dram, s.used.dram_rows, s.used.arbiter) = (0.2, 0.9, 0.1);
            slots.lsu_full = 0.9;
        }),
        (Limiter::PartitionCamping, 4.0, |s, slots| {
            (s.used.dram, s.uneven.dram, slots.memory) = (0.9, 6.0, 0.9);
        }),
        (Limiter::PartitionCamping, 8.0, |s, slots| (s.used.arbiter, slots.memory) = (0.2, 0.9)),
        (Limiter::L2Bandwidth, 2.0, |s, slots| (s.used.l2, slots.memory) = (Some(0.95), 0.9)),
        (Limiter::MemoryPorts, 4.0, |s, slots| (s.used.reply_port, slots.memory) = (0.9, 0.9)),
        (Limiter::MemoryPorts, 4.0, |s, slots| {
            (s.can_camp, s.used.arbiter, slots.lsu_full) = (false, 0.3, 0.9);
        }),
        (Limiter::MemoryPorts, 4.0, |s, slots| (s.used.reply_buffer, slots.lsu_full) = (0.9, 0.9)),
        (Limiter::Textures, 0.0, |s, slots| (s.fetches, slots.memory) = (1.0, 0.9)),
        (Limiter::ConstantSerialization, 1.0, |s, slots| (s.constant_lines, slots.latency) = (0.5, 0.5)),
        (Limiter::Atomics, 1.0, |s, slots| (s.conflicts, slots.bank_conflicts) = ((0.0, 0.3), 0.9)),
        (Limiter::MemoryLatency, 1.1, |s, slots| (s.used.arbiter, slots.lsu_full) = (0.1, 0.9)),
        (Limiter::Pcie, 1.1, |s, slots| {
            (s.used.link, s.used.arbiter, slots.memory) = (Some(0.9), 0.3, 0.9);
        }),
        (Limiter::Pcie, 4.0, |s, slots| (s.used.link, slots.lsu_full) = (Some(0.4), 0.9)),
        (Limiter::MemoryLatency, 1.1, |s, slots| (s.used.dram, slots.memory) = (0.5, 0.9)),
        (Limiter::ResidentWarps, 1.1, |s, slots| (s.more_warps, slots.memory) = (4.0, 0.9)),
        (Limiter::Atomics, 1.1, |s, slots| (s.used.atomics, slots.memory) = (0.95, 0.9)),
        (Limiter::Translation, 2.0, |s, slots| (s.used.tlb, slots.memory) = (Some(0.6), 0.9)),
        (Limiter::Textures, 0.0, |s, slots| (s.used.texture, slots.memory) = (Some(0.9), 0.9)),
        (Limiter::BankConflicts, 1.0, |s, slots| {
            (s.used.issue, slots.issued, slots.bank_conflicts) = (0.9, 0.3, 0.6);
        }),
        (Limiter::ConstantSerialization, 1.0, |s, slots| {
            (s.used.issue, slots.issued, slots.constant) = (1.0, 0.2, 0.8);
        }),
        (Limiter::Barriers, 1.0, |s, slots| (s.used.issue, slots.issued, slots.barriers) = (0.3, 0.3, 0.6)),
        (Limiter::InstructionLatency, 1.0, |_, slots| slots.latency = 0.9),
        (Limiter::Divergence, 1.0, |s, slots| {
            (s.used.issue, s.used.divergence, slots.issued) = (0.9, 0.97, 0.9);
        }),
        (Limiter::BlockScheduling, 1.0, |s, slots| (s.used.dispatcher, slots.no_warp) = (0.7, 0.8)),
        (Limiter::Imbalance, 1.0, |s, slots| (s.used.idle_sms, slots.latency) = (0.9, 0.1)),
        (Limiter::Tail, 1.0, |s, slots| (s.used.idle_sms, s.is_tail, slots.issued) = (0.45, true, 0.5)),
    ];
    for (number, (expected, congestion, set)) in cases.into_iter().enumerate() {
        let (mut shares, mut slots) = idle();
        shares.congestion = congestion;
        set(&mut shares, &mut slots);
        let (found, unit) = limiter(&shares, &slots);
        assert_eq!(found, expected, "case {number}");
        assert_eq!(unit.is_some(), expected == Limiter::ExecutionUnit, "case {number}");
    }
}

#[test]
fn every_resource_can_be_changed_on_a_chip_that_has_it() {
    let mut chips = ["g80", "gt200", "fermi"].map(|name| Chip::builtin(name).expect("built in"));
    let level =
        |entries| TlbLevelConfig { entries, ways: 4, replacement: Replacement::Lru, miss_cycles: 100 };
    chips[0].cluster.tlb = Some(TlbConfig { page_bytes: 4096, first: level(16), second: None });
    let of_programs = [Limiter::Divergence, Limiter::Imbalance, Limiter::Tail, Limiter::TooLittleWork];
    for (word, limiter) in Limiter::NAMES.into_iter().filter(|(_, limiter)| !of_programs.contains(limiter)) {
        for change in [Change::Twice, Change::Ideal] {
            let unit = (limiter == Limiter::ExecutionUnit).then_some(0);
            let count = chips.iter().filter(|chip| changed(chip, limiter, unit, change).is_some()).count();
            assert!(count > 0, "{word}: {change:?}");
        }
    }
    let fermi = &chips[2];
    assert_eq!(
        changed(fermi, Limiter::PartitionCamping, None, Change::Twice),
        None,
        "its map is already hashed"
    );
}

#[test]
fn twice_the_dram_moves_twice_the_bytes() {
    let chip = Chip::builtin("g80").expect("built in");
    let twice = changed(&chip, Limiter::DramBandwidth, None, Change::Twice).expect("it has a DRAM");
    let peak = crate::stats::build::peak_gbps;
    assert!((peak(&twice) / peak(&chip) - 2.0).abs() < 1e-12);
}

#[test]
fn the_unloaded_latency_is_the_sum_of_its_parts() {
    let chip = Chip::builtin("g80").expect("built in");
    let sum: f64 = unloaded::parts(&chip).iter().map(|part| part.1).sum();
    assert!((unloaded::latency(&chip) - sum).abs() < 1e-9 && (400.0..600.0).contains(&sum), "{sum}");
}

/// Values at the maximum of a chip file stay within it and within their types.
#[test]
fn the_largest_chip_can_be_changed_too() {
    let largest = [
        ("crossbar.depth", "65536"),
        ("cluster.reply_room", "65536"),
        ("sm.lsu.queue", "4096"),
        ("sm.max_warps", "64"),
        ("sm.max_threads", "2048"),
        ("sm.units.control.count", "8"),
        ("partition.atomic_cycles", "1"),
    ];
    let sets: Vec<_> =
        largest.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let text = include_str!("../../../../../configs/g80.ron");
    let mut chip = Chip::from_ron("g80.ron", text, &sets).unwrap_or_else(|errors| panic!("{errors}")).0;
    chip.pcie.bytes_per_second = u64::MAX;
    chip.partition.reply_bytes_per_cycle = u32::MAX;
    chip.sm.registers = u32::MAX;
    for (word, limiter) in Limiter::NAMES {
        for unit in 0..chip.sm.units.len() {
            let Some(new) = changed(&chip, limiter, Some(unit), Change::Ideal) else { continue };
            assert_eq!(
                (new.crossbar.depth, new.cluster.reply_room, new.sm.lsu.queue),
                (65_536, 65_536, 4096),
                "{word}"
            );
            assert_eq!((new.sm.max_warps, new.sm.registers), (64, u32::MAX), "{word}: no value decreases");
            assert!(new.sm.units.iter().all(|unit| unit.count <= 8 && unit.lanes <= 32), "{word}");
        }
    }
}
