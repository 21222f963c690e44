//! Occupancy: rows OCC-01 to OCC-16 of the claims ledger, by the calculator and by what the machine holds.
//!
//! Where a row speaks of a launch, a kernel is launched whose blocks note when and where they were resident: what the
//! calculator says must be what the machine holds at once, on every SM.

use sim_core::config::{Chip, RegisterScope};
use sim_core::host::{Arg, HostError, LaunchError};
use sim_core::occupancy::{BlockNeeds, Exceeded, Limiter, Occupancy, Refusal, SmResources};
use warpsim_tests::device::{Device, chip_with, pointers};
use warpsim_tests::matmul::reference;
use warpsim_tests::residents::{held, resident, too_many_threads};

const GRANULAR: &str = include_str!("../../kernels/ptx/book/matmul_1x4_prefetch.ptx");

/// Threads per block of rows OCC-01 to OCC-04.
const THREADS: [u32; 9] = [64, 96, 128, 192, 256, 384, 512, 768, 1024];

/// The calculator's answer for blocks that need nothing but threads.
fn bare(chip: &Chip, threads: u32) -> Occupancy {
    SmResources::of(chip).occupancy(BlockNeeds { threads, registers: 0, shared_bytes: 0 })
}

fn percent(occupancy: &Occupancy) -> u32 {
    (occupancy.occupancy * 100.0).round() as u32
}

/// Occupancy in per cent by threads per block, 0 where a block cannot be launched: what the calculator says for the
/// chip and its sister of capability `sister`, and what the chip holds.
fn assert_percent(name: &str, sister: &str, expected: [u32; 9]) {
    let chip = chip_with(name, &[]);
    let other = chip_with(name, &[("capability", sister)]);
    for (threads, expected) in THREADS.into_iter().zip(expected) {
        assert_eq!(percent(&bare(&chip, threads)), expected, "{name}: {threads} threads");
        assert_eq!(percent(&bare(&other, threads)), expected, "{sister}: {threads} threads");
        if expected == 0 {
            too_many_threads(&chip, (threads, 1, 1));
            continue;
        }
        let occupancy = resident(&chip, (threads, 1, 1));
        assert_eq!(percent(&occupancy), expected, "{name}: {threads} threads, launched");
    }
}

/// OCC-01: threads per block alone, compute capability 1.0 and 1.1.
#[test]
fn occ_01_threads_per_block_1_0() {
    assert_percent("g80", "\"1.1\"", [67, 100, 100, 100, 100, 100, 67, 0, 0]);
}

/// OCC-02: threads per block alone, compute capability 1.2 and 1.3.
#[test]
fn occ_02_threads_per_block_1_3() {
    assert_percent("gt200", "\"1.2\"", [50, 75, 100, 94, 100, 75, 100, 0, 0]);
}

/// OCC-03: threads per block alone, compute capability 2.0 and 2.1.
#[test]
fn occ_03_threads_per_block_2_0() {
    assert_percent("fermi", "\"2.1\"", [33, 50, 67, 100, 100, 100, 100, 100, 67]);
}

/// OCC-04: threads per block alone, compute capability 3.0, of which there is a calculator and no machine.
#[test]
fn occ_04_threads_per_block_3_0() {
    let kepler = SmResources {
        max_warps: 64,
        max_threads: 2048,
        max_blocks: 16,
        registers: 65536,
        shared_bytes: 49152,
        threads_per_block: 1024,
        registers_per_thread: 63,
        register_scope: RegisterScope::Warp,
        register_unit: 256,
        warp_granularity: 4,
        shared_unit: 256,
    };
    let of = |threads| kepler.occupancy(BlockNeeds { threads, registers: 0, shared_bytes: 0 });
    assert_eq!(THREADS.map(|t| percent(&of(t))), [50, 75, 100, 94, 100, 94, 100, 75, 100]);
}

/// OCC-05: square blocks on the G80: 8 blocks of 8 x 8 and 512 threads, because there are 8 block slots; 3 blocks of
/// 16 x 16 and 768 threads; 32 x 32 are 1,024 threads, more than the 512 that a block may have.
#[test]
fn occ_05_square_blocks_on_g80() {
    let chip = chip_with("g80", &[]);
    let small = resident(&chip, (8, 8, 1));
    assert_eq!((small.blocks, small.threads), (8, 512));
    assert_eq!(small.limiters, [Limiter::BlockSlots]);
    let large = resident(&chip, (16, 16, 1));
    assert_eq!((large.blocks, large.threads), (3, 768));
    assert!(large.limiters.contains(&Limiter::Warps));
    too_many_threads(&chip, (32, 32, 1));
}

/// OCC-06: square blocks on Fermi, which has 1,536 thread slots and 8 block slots.
#[test]
fn occ_06_square_blocks_on_fermi() {
    let chip = chip_with("fermi", &[]);
    let found = [8, 16, 32].map(|side| {
        let o = resident(&chip, (side, side, 1));
        (o.blocks, o.threads, o.warps, percent(&o))
    });
    assert_eq!(found, [(8, 512, 16, 33), (6, 1536, 48, 100), (1, 1024, 32, 67)]);
}

/// OCC-07: of 4 x 256, 8 x 128 and 16 x 64 threads, which are 1,024 each, the GT200 holds all, all, and 8 blocks of 16.
#[test]
fn occ_07_the_same_threads_in_more_blocks() {
    let chip = chip_with("gt200", &[]);
    for (threads, blocks) in [(256, 4), (128, 8), (64, 8)] {
        assert_eq!(resident(&chip, (threads, 1, 1)).blocks, blocks, "blocks of {threads}");
    }
    // The threads alone would allow the 16.
    let limits = bare(&chip, 64).limits;
    assert_eq!((limits.warps, limits.block_slots), (16, 8));
}

/// OCC-08: the whole chip. The GT200 holds at most 240 blocks and 30,720 threads, the G80 12,288 threads.
#[test]
fn occ_08_the_whole_chip() {
    for (name, threads, blocks, resident_threads) in
        [("gt200", 128, 240, 30_720), ("gt200", 64, 240, 15_360), ("g80", 96, 128, 12_288)]
    {
        let held = held(&chip_with(name, &[]), (threads, 1, 1), |_| ());
        assert_eq!((held.chip, held.chip * threads), (blocks, resident_threads), "{name}");
    }
}

/// OCC-09: 3 blocks of 256 threads are 24 warps, the most that the G80 holds; the GT200 holds 32.
#[test]
fn occ_09_warps_of_blocks_of_256() {
    for (name, blocks, warps) in [("g80", 3, 24), ("gt200", 4, 32)] {
        let chip = chip_with(name, &[]);
        let o = resident(&chip, (256, 1, 1));
        assert_eq!(
            (o.warps_per_block, o.blocks, o.warps, chip.sm.max_warps),
            (8, blocks, warps, warps),
            "{name}"
        );
    }
}

/// OCC-10: square blocks on the GT200: 512 threads of 8 x 8, 4 blocks of 16 x 16 which are 1,024 threads, none of
/// 32 x 32. The text divides 1,024 by 64 and prints 12; it is 16, and the 8 block slots are what matters.
#[test]
fn occ_10_square_blocks_on_gt200() {
    let chip = chip_with("gt200", &[]);
    let small = resident(&chip, (8, 8, 1));
    assert_eq!((small.blocks, small.threads, small.limits.warps), (8, 512, 16));
    assert_eq!(small.limiters, [Limiter::BlockSlots]);
    let large = resident(&chip, (16, 16, 1));
    assert_eq!((large.blocks, large.threads), (4, 1024));
    too_many_threads(&chip, (32, 32, 1));
}

/// OCC-11: the performance cliff. With 256 threads per block and 10 registers per thread the G80 holds 3 blocks, which
/// take 7,680 of its 8,192 registers; with 11 registers it holds 2, which take 5,632.
#[test]
fn occ_11_the_performance_cliff() {
    let chip = chip_with("g80", &[]);
    for (registers, blocks, in_all) in [(10, 3, 7_680), (11, 2, 5_632)] {
        let held = held(&chip, (256, 1, 1), |launch| launch.registers = Some(registers));
        let o = &held.occupancy;
        assert_eq!((held.per_sm, o.blocks), (blocks, blocks), "{registers} registers");
        assert_eq!(u64::from(o.blocks) * o.registers_per_block, in_all);
        assert!(o.limiters.contains(&Limiter::Registers));
    }
}

/// OCC-12: 2 kB of shared memory per block allow 8 blocks on the G80, 5 kB allow 3, by shared memory alone. That is
/// for a bare 2,048 bytes: a launched kernel has 16 bytes of launch state and its arguments there too, 2,080 bytes
/// with four words of arguments, which are rounded to 2,560: 6 blocks.
#[test]
fn occ_12_shared_memory_per_block() {
    let chip = chip_with("g80", &[]);
    for (shared_bytes, blocks) in [(2048, 8), (5120, 3)] {
        let o = SmResources::of(&chip).occupancy(BlockNeeds { threads: 64, registers: 0, shared_bytes });
        assert_eq!((o.limits.shared, o.blocks), (blocks, blocks), "{shared_bytes} bytes, bare");
    }
    // 5,152 bytes are rounded to 5,632, of which 16,384 hold two.
    for (dynamic, needs, allocated, blocks) in [(2048, 2080, 2560, 6), (5120, 5152, 5632, 2)] {
        let held = held(&chip, (64, 1, 1), |launch| launch.dynamic_shared = dynamic);
        let o = &held.occupancy;
        assert_eq!((o.needs.shared_bytes, o.shared_per_block), (needs, allocated));
        assert_eq!(
            (o.limits.shared, o.blocks, held.per_sm),
            (blocks, blocks, blocks),
            "{dynamic} bytes, launched"
        );
        assert_eq!(o.limiters, [Limiter::Shared]);
    }
}

/// OCC-13: the matrix product with tiles of 16 x 16: 256 threads and 2 kB of shared memory per block. Threads are what
/// limits: 3 blocks, whose tiles take 6 kB of the 16 kB, and 7.5 kB as they are allocated.
#[test]
fn occ_13_the_tiled_product() {
    let mut gpu = sim_core::host::Gpu::new(chip_with("g80", &[]));
    let settings = kernels::Settings { size: Some(64), ..kernels::Settings::default() };
    let outcome = kernels::run("matmul-tiled", &mut gpu, settings).unwrap_or_else(|e| panic!("{e}"));
    let launch = &outcome.reports[0].launch;
    let o = &launch.occupancy;
    assert_eq!((launch.shared_bytes, launch.param_bytes, launch.registers), (2048, 16, 10));
    assert_eq!((o.blocks, o.limits.warps, o.limits.shared), (3, 3, 6));
    assert!(o.limiters.contains(&Limiter::Warps) && !o.limiters.contains(&Limiter::Shared));
    assert_eq!((o.blocks * launch.shared_bytes, u64::from(o.blocks) * o.shared_per_block), (6 * 1024, 7_680));
    // A kernel of the same needs that says who is resident.
    let held = held(&chip_with("g80", &[]), (16, 16, 1), |launch| {
        (launch.dynamic_shared, launch.registers) = (2048, Some(10));
    });
    assert_eq!((held.occupancy.needs, held.per_sm), (o.needs, 3));
}

/// OCC-14: 256, 128 and 64 threads per block on the GT200: 4, 8 and 8 blocks, the last of which fill 512 of the 1,024
/// thread slots.
#[test]
fn occ_14_smaller_blocks_on_gt200() {
    let chip = chip_with("gt200", &[]);
    let found = [256, 128, 64].map(|threads| {
        let o = resident(&chip, (threads, 1, 1));
        (o.blocks, o.threads)
    });
    assert_eq!(found, [(4, 1024), (8, 1024), (8, 512)]);
    assert_eq!(chip.sm.max_threads, 1024);
}

/// OCC-15: tiles of 32 x 32 take 8 kB of shared memory: on Fermi 2 blocks with 16 kB of it, 6 with 48 kB, by shared
/// memory alone. (Their 1,024 threads allow one; the launched blocks are of 64.)
#[test]
fn occ_15_both_sizes_of_shared_memory_on_fermi() {
    for (kilobytes, blocks) in [(16, 2), (48, 6)] {
        let chip = chip_with("fermi", &[("sm.shared_bytes", &(kilobytes * 1024).to_string())]);
        let needs = BlockNeeds { threads: 1024, registers: 0, shared_bytes: 8192 };
        let o = SmResources::of(&chip).occupancy(needs);
        assert_eq!((o.limits.shared, o.limits.warps), (blocks, 1), "{kilobytes} kB");
        let held = held(&chip, (64, 1, 1), |launch| launch.dynamic_shared = 8192);
        assert_eq!((held.per_sm, held.occupancy.limits.shared), (blocks, blocks), "{kilobytes} kB, launched");
    }
}

/// OCC-16: the product with tiles of 16 x 16, four elements per thread and prefetching, on the G80. Given more than 32
/// registers per thread it is refused, and the limit is named: one block needs more than the 8,192 that there are.
/// At the number of registers that its own code needs it runs; the text's kernel, unrolled besides, needed more.
#[test]
fn occ_16_too_many_registers_for_one_block() {
    const WIDTH: u32 = 64;
    let matrix = |salt: u32| -> Vec<f32> {
        (0..WIDTH * WIDTH).map(|i| ((i * 5 + i / WIDTH + salt) % 9) as u16).map(f32::from).collect()
    };
    let (left, right) = (matrix(1), matrix(4));
    let mut device = Device::g80(GRANULAR);
    let (m, n) = (device.upload_floats(&left), device.upload_floats(&right));
    let out = device.upload(&vec![u32::MAX; (WIDTH * WIDTH) as usize]);
    let mut args = pointers(&[m, n, out]);
    args.push(Arg::U32(WIDTH));
    let launch = device.launch("matmul_1x4_prefetch", (WIDTH / 64, WIDTH / 16), (16, 16, 1)).args(args);

    let report = device.run(&launch);
    assert_eq!(device.download_floats(out, left.len()), reference(WIDTH, &left, &right));
    let own = report.launch.registers;
    println!("matmul_1x4_prefetch needs {own} registers per thread by liveness");
    assert!(own <= 32 && report.launch.registers_source == "liveness", "{own} registers");

    for registers in [32, 33, 40] {
        let mut launch = launch.clone();
        launch.registers = Some(registers);
        let needed = u64::from(registers) * 256;
        if registers == 32 {
            assert_eq!(device.run(&launch).launch.occupancy.blocks, 1, "all 8,192 registers for one block");
            continue;
        }
        let refusal = device.refusal(&launch);
        let HostError::Launch(LaunchError::Refused { refusal: found, .. }) = &refusal else {
            panic!("{refusal}")
        };
        assert_eq!(*found, Refusal { limit: Exceeded::Registers, needed, available: 8192 });
        let sentence = format!("a block needs {needed} registers; an SM has 8192");
        assert!(refusal.to_string().contains(&sentence), "{refusal}");
    }
}
