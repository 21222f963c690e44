//! The calculator compared with NVIDIA's published points and with examples of the course texts.

use super::*;

fn resources(capability: &str) -> SmResources {
    let rules = rules::CAPABILITIES.into_iter().find(|rules| rules.capability.to_string() == capability);
    rules.unwrap_or_else(|| panic!("no capability {capability}")).sm
}

/// A built-in chip follows its capability's rules.
#[test]
fn every_chip_has_the_rules_of_its_capability() {
    for name in crate::config::builtin::builtin_names() {
        let chip = Rules::of(&Chip::builtin(name).unwrap());
        assert_eq!(Some(chip), Rules::of_capability(chip.capability), "{name}");
    }
}

#[test]
fn the_default_shared_memory_size_is_the_first_choice() {
    for rules in rules::CAPABILITIES {
        assert_eq!(rules.sm.shared_bytes, rules::shared_choices(rules.capability)[0]);
        assert_eq!(rules.sm.threads_per_block, rules.limits.threads_per_block);
        assert_eq!(rules.sm.registers_per_thread, rules.limits.registers_per_thread);
    }
    assert!(Rules::of_capability(isa::types::Capability::new(3, 2)).is_none());
}

fn of(capability: &str, threads: u32, registers: u32, shared_bytes: u32) -> Occupancy {
    resources(capability).occupancy(BlockNeeds { threads, registers, shared_bytes, barriers: 0 })
}

/// Tests: `occupancy`.
#[test]
fn every_row_of_the_published_samples() {
    let text = include_str!("../../tests/data/occupancy.csv");
    let mut rows = 0;
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let n = |i: usize| cells[i].parse::<u32>().unwrap();
        let o = of(cells[0], n(1), n(2), n(3));
        assert_eq!((o.blocks, o.warps), (n(4), n(5)), "{row}");
        assert_eq!(format!("{:.4}", o.occupancy), cells[6], "{row}");
        let slots = o.limits.warps.min(o.limits.block_slots);
        assert_eq!((slots, o.limits.registers, o.limits.shared), (n(8), n(9), n(10)), "{row}");
        if o.refusals.is_empty() {
            let wanted: Vec<&str> = cells[7]
                .split('+')
                .filter(|l| !(*l == "regs" && n(2) == 0 || *l == "smem" && n(3) == 0))
                .collect();
            let mut named: Vec<&str> = o
                .limiters
                .iter()
                .map(|l| match l {
                    Limiter::Warps | Limiter::BlockSlots => "warps/blocks",
                    Limiter::Registers => "regs",
                    Limiter::Shared => "smem",
                    Limiter::Barriers => "barriers",
                })
                .collect();
            named.dedup();
            assert_eq!(named, wanted, "{row}");
        }
        rows += 1;
    }
    assert_eq!(rows, 86);
}

/// The answers of `cuOccupancyMaxActiveBlocksPerMultiprocessor` on an H200, for kernels with 24 to
/// 248 registers, the raised limit of dynamic shared memory and the largest division.
///
/// Tests: `occupancy`.
#[test]
fn every_answer_of_the_driver_on_an_h200() {
    let rules = Rules::of_capability(isa::types::Capability::new(9, 0)).unwrap().opted_in().unwrap();
    let text = include_str!("../../tests/data/occupancy_9_0.csv");
    let mut rows = 0;
    for row in text.lines().skip(1) {
        let cells: Vec<u32> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
        let &[threads, registers, shared_bytes, blocks] = cells.as_slice() else { panic!("{row}") };
        let found = rules.launched(BlockNeeds { threads, registers, shared_bytes, barriers: 0 }, 8);
        assert_eq!(found.blocks, blocks, "{row}: {found:?}");
        rows += 1;
    }
    assert_eq!(rows, 1885);
}

/// Points of NVIDIA's tables for capabilities from 3.5 on, computed by hand.
#[test]
fn newer_capabilities_have_their_own_limits() {
    for (capability, threads, registers, shared, blocks) in [
        ("3.5", 256, 64, 0, 4),      // 65,536 / (64 x 256); 3.0 allows 63 registers
        ("3.5", 1024, 65, 0, 0),     // 28 warps of 2,304 registers; a block has 32
        ("3.7", 1024, 64, 0, 2),     // 131,072 registers
        ("3.7", 1024, 65, 0, 0),     // at most 65,536 for a block
        ("3.7", 128, 16, 49_152, 2), // 112 KB
        ("5.2", 128, 32, 49_152, 2), // 96 KB
        ("5.0", 64, 32, 49_153, 0),  // at most 48 KB for a block
        ("5.0", 32, 16, 0, 32),
        ("6.0", 96, 80, 0, 8), // 24 warps of 2,560 registers (25, in twos), by 3
        ("6.1", 96, 80, 0, 8), // 24 in fours
        ("7.5", 64, 32, 0, 16),
        ("7.5", 1024, 64, 0, 1),
        // The check of a launch rounds the warps of a block up to the four partitions.
        ("3.7", 288, 168, 0, 2), // 12 warps of 5,376 registers are 64,512
        ("3.7", 288, 176, 0, 0), // 67,584, and a block can have 65,536
        ("5.2", 288, 224, 0, 0), // 9 warps would need 64,512
        ("5.2", 256, 224, 0, 1),
        ("6.0", 288, 168, 0, 1),
        ("6.0", 288, 176, 0, 0), // also checked for four partitions: 6.0 has two
        ("6.0", 320, 192, 0, 0),
        // The system reserves 1 KB of each block, and a block can have 48 KB without it.
        ("8.0", 64, 16, 4096, 32), // 5,120 bytes: 32 of 167,936
        ("8.0", 64, 16, 4225, 31),
        ("8.6", 32, 16, 5632, 15),  // 6,656 bytes: 15 of 102,400
        ("9.0", 64, 16, 49_152, 4), // 50,176 bytes: 4 of 233,472
        ("7.0", 64, 32, 49_152, 2),
        ("7.0", 64, 32, 49_153, 0),
        ("8.0", 64, 32, 49_152, 3),
        ("8.0", 64, 32, 49_153, 0),
        ("8.6", 1024, 32, 0, 1), // 48 warps
        ("8.6", 64, 32, 0, 16),
        ("8.9", 64, 32, 0, 24),
    ] {
        let rules = rules::CAPABILITIES.iter().find(|rules| rules.capability.to_string() == capability);
        let needs = BlockNeeds { threads, registers, shared_bytes: shared, barriers: 0 };
        let found = rules.unwrap().launched(needs, 0);
        assert_eq!(found.blocks, blocks, "{capability}: {found:?}");
        assert_eq!(found.refusals.is_empty(), blocks > 0, "{capability}: {found:?}");
    }
}

/// A program can raise the limit of dynamic shared memory from 7.0 on, to all of an SM.
#[test]
fn a_program_opts_in_to_more_than_48_kb() {
    for (capability, kb, reserved) in
        [("7.0", 96, 0), ("7.5", 64, 0), ("8.0", 163, 1), ("8.6", 99, 1), ("8.9", 99, 1), ("9.0", 227, 1)]
    {
        let rules = rules::CAPABILITIES.iter().find(|rules| rules.capability.to_string() == capability);
        let (usual, rules) = (rules.unwrap(), rules.unwrap().opted_in().unwrap());
        assert_eq!((usual.shared_limit(), rules.shared_limit()), (48 << 10, kb << 10), "{capability}");
        let of = |shared_bytes| {
            rules.launched(BlockNeeds { threads: 64, registers: 32, shared_bytes, barriers: 0 }, 0)
        };
        let most = of(kb << 10);
        assert_eq!((most.blocks, most.shared_per_block), (1, u64::from(kb + reserved) << 10), "{capability}");
        assert_eq!(of((kb << 10) + 1).blocks, 0, "{capability}");
    }
    assert!(rules::CAPABILITIES.iter().all(|r| r.capability.major >= 7 || r.opted_in().is_none()));
}

/// On 1.x ptxas reports the bytes that a launch adds; from 8.0 on it does not report the bytes that
/// the system reserves.
#[test]
fn reserved_bytes_count_without_a_launch() {
    let bytes = |capability| {
        let rules = rules::CAPABILITIES.iter().find(|rules| rules.capability.to_string() == capability);
        let needs = BlockNeeds { threads: 32, registers: 0, shared_bytes: 0, barriers: 0 };
        rules.unwrap().as_reported().launched(needs, 16).needs.shared_bytes
    };
    assert_eq!(["1.0", "2.0", "7.5", "8.0", "9.0"].map(bytes), [0, 0, 0, 1024, 1024]);
}

/// A refused block leaves no blocks for the resource that it exceeds, and the refusal has the
/// number that was compared.
#[test]
fn a_refusal_agrees_with_the_limits() {
    let of = |capability, threads, registers, shared| {
        let found = of(capability, threads, registers, shared);
        let [Refusal { limit, needed, available }] = found.refusals[..] else { panic!("{found:?}") };
        assert!(needed > available, "{found:?}");
        (limit, needed, found.limits.registers, found.limits.shared)
    };
    assert_eq!(of("3.7", 288, 176, 0), (Exceeded::RegistersPerBlock, 67_584, 0, 16));
    assert_eq!(of("5.2", 288, 224, 0), (Exceeded::Registers, 86_016, 0, 32));
    assert_eq!(of("6.0", 288, 176, 0), (Exceeded::Registers, 67_584, 0, 32));
    assert_eq!(of("2.0", 544, 60, 0), (Exceeded::Registers, 34_560, 0, 8));
    assert_eq!(of("5.2", 32, 0, 49_153), (Exceeded::SharedPerBlock, 49_408, 32, 0));
    assert_eq!(of("7.0", 32, 0, 98_305), (Exceeded::Shared, 98_560, 32, 0));
}

/// Claims OCC-01 to OCC-04: occupancy by threads per block alone, in percent; 0 means that the
/// launch is rejected.
#[test]
fn occ_01_to_04_threads_per_block() {
    let threads = [64, 96, 128, 192, 256, 384, 512, 768, 1024];
    for (capability, percent) in [
        ("1.0", [67, 100, 100, 100, 100, 100, 67, 0, 0]),
        ("1.3", [50, 75, 100, 94, 100, 75, 100, 0, 0]),
        ("2.0", [33, 50, 67, 100, 100, 100, 100, 100, 67]),
        ("3.0", [50, 75, 100, 94, 100, 94, 100, 75, 100]),
    ] {
        let got = threads.map(|t| (of(capability, t, 0, 0).occupancy * 100.0).round() as u32);
        assert_eq!(got, percent, "{capability}");
    }
}

/// Claim OCC-15: a tile of 32 x 32 words twice, with either size of shared memory.
#[test]
fn occ_15_the_size_of_shared_memory_decides() {
    let by_shared = |shared_bytes| {
        let sm = SmResources { shared_bytes, ..resources("2.0") };
        sm.occupancy(BlockNeeds { threads: 1024, registers: 0, shared_bytes: 8192, barriers: 0 })
            .limits
            .shared
    };
    assert_eq!((by_shared(16384), by_shared(49152)), (2, 6));
}

/// Claims OCC-05, OCC-11, OCC-12, OCC-13 and OCC-16 on the G80; OCC-14 on the GT200.
#[test]
fn occ_05_and_11_to_16() {
    let o = of("1.0", 64, 0, 0);
    assert_eq!((o.blocks, o.threads, o.limiters.as_slice()), (8, 512, &[Limiter::BlockSlots][..]));
    assert_eq!((of("1.0", 256, 0, 0).blocks, of("1.0", 256, 0, 0).threads), (3, 768));
    let o = of("1.0", 1024, 0, 0);
    let refusal = Refusal { limit: Exceeded::ThreadsPerBlock, needed: 1024, available: 512 };
    assert!(o.blocks == 0 && o.refusals.contains(&refusal), "{o:?}");

    let (ten, eleven) = (of("1.0", 256, 10, 0), of("1.0", 256, 11, 0));
    assert_eq!((ten.blocks, ten.blocks as u64 * ten.registers_per_block), (3, 7680));
    assert_eq!((eleven.blocks, eleven.blocks as u64 * eleven.registers_per_block), (2, 5632));

    assert_eq!((of("1.0", 64, 0, 2048).limits.shared, of("1.0", 64, 0, 5120).limits.shared), (8, 3));
    let launched = Chip::builtin("g80").unwrap().occupancy(256, 10, 2048, 16);
    assert_eq!((launched.needs.shared_bytes, launched.shared_per_block), (2080, 2560));
    assert_eq!((launched.limits.shared, launched.blocks), (6, 3));
    assert_eq!(launched.limiters, [Limiter::Warps, Limiter::Registers]);
    assert_eq!(launched.blocks as u64 * launched.shared_per_block, 7680);

    assert_eq!([256, 128, 64].map(|t| of("1.3", t, 0, 0).blocks), [4, 8, 8]);
    assert_eq!(of("1.3", 64, 0, 0).threads, 512);

    let o = of("1.0", 256, 33, 0);
    assert_eq!(o.refusals, [Refusal { limit: Exceeded::Registers, needed: 8448, available: 8192 }]);
    assert_eq!(o.refusals[0].to_string(), "a block needs 8448 registers; an SM has 8192");
}

#[test]
fn every_exceeded_limit_is_reported() {
    let o = of("1.0", 800, 125, 16385);
    let limits: Vec<Exceeded> = o.refusals.iter().map(|r| r.limit).collect();
    assert_eq!(
        limits,
        [Exceeded::ThreadsPerBlock, Exceeded::Warps, Exceeded::RegistersPerThread, Exceeded::Shared]
    );
    assert_eq!(of("1.0", 0, 1, 1).refusals[0].limit, Exceeded::NoThreads);
    let extreme = of("2.0", u32::MAX, u32::MAX, u32::MAX);
    assert_eq!((extreme.blocks, extreme.occupancy), (0, 0.0));
}
