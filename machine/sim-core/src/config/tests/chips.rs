//! The built-in chips have the published numbers of their boards.

use super::*;

#[test]
fn the_g80_is_the_chip_that_the_texts_describe() {
    let chip = Chip::builtin("g80").unwrap();
    assert_eq!(chip.capability, Capability::new(1, 0));
    assert_eq!(chip.clusters * chip.cluster.sms, 16);
    let sm = &chip.sm;
    assert_eq!((sm.max_threads, sm.max_warps, sm.max_blocks), (768, 24, 8));
    assert_eq!(chip.clocks.shader_khz, 1_350_000);
    assert_eq!(chip.memory_bytes, 768 << 20);
    // 86.4 GB/s at the pins: a burst of 32 bytes every ccd command clocks in each partition.
    let dram = chip.partition.dram;
    let bytes_per_ms = u64::from(chip.partitions * dram.burst_bytes) * chip.clocks.memory_khz;
    assert_eq!(bytes_per_ms / u64::from(dram.timing.ccd), 86_400_000);
    // 345.6 GFLOP/s: two per lane and cycle of the sp unit.
    let mad = sm.classes[Class::FMad as usize];
    let unit = &sm.units[mad.unit as usize];
    assert_eq!((unit.name.as_str(), unit.lanes), ("sp", 8));
    assert_eq!(u64::from(2 * unit.lanes * 16) * chip.clocks.shader_khz, 345_600_000);
    // Six warps hide the latency of dependent multiply-adds.
    assert_eq!(u32::from(mad.latency) / sm.issue_period, 6);
}

#[test]
fn the_gt200_is_the_chip_that_the_texts_describe() {
    let chip = Chip::builtin("gt200").unwrap();
    assert_eq!((chip.capability, chip.clusters, chip.cluster.sms), (Capability::new(1, 3), 10, 3));
    let sm = &chip.sm;
    assert_eq!((sm.max_threads, sm.max_warps, sm.max_blocks, sm.registers), (1024, 32, 8, 16384));
    // The whole chip holds 240 blocks and 30,720 threads.
    let sms = chip.clusters * chip.cluster.sms;
    assert_eq!((sms * sm.max_blocks, sms * sm.max_threads), (240, 30_720));
    assert_eq!(bytes_per_ms(&chip), 141_696_000, "141.7 GB/s");
    // 622 GFLOP/s, multiply-adds alone.
    assert_eq!(u64::from(2 * sm.units[0].lanes * sms) * chip.clocks.shader_khz, 622_080_000);
    // 78 GFLOP/s of double precision: 77.76.
    let double = &sm.units[sm.classes[Class::DFma as usize].unit as usize];
    assert_eq!(u64::from(2 * double.lanes * sms) * chip.clocks.shader_khz, 77_760_000);
    assert_eq!((sm.lsu.rule, chip.partition.map), (CoalesceRule::Segments, MapKind::Modulo));
}

#[test]
fn the_fermi_is_the_chip_that_the_texts_describe() {
    let chip = Chip::builtin("fermi").unwrap();
    assert_eq!((chip.capability, chip.clusters, chip.cluster.sms), (Capability::new(2, 0), 15, 1));
    let sm = &chip.sm;
    assert_eq!((sm.max_threads, sm.max_warps, sm.max_blocks, sm.registers), (1536, 48, 8, 32768));
    assert_eq!((sm.schedulers, sm.issue_period, sm.units[0].per_scheduler), (2, 2, true));
    assert_eq!((sm.shared_bytes, chip.limits.grid.z, chip.limits.registers_per_thread), (49152, 65535, 63));
    assert_eq!(bytes_per_ms(&chip), 177_408_000, "177.4 GB/s");
    // 1,345 GFLOP/s, and half as many integer multiplications.
    assert_eq!(u64::from(2 * 2 * sm.units[0].lanes * 15) * chip.clocks.shader_khz, 1_344_960_000);
    // 168 GFLOP/s of double precision, from one unit for both schedulers.
    let double = &sm.units[sm.classes[Class::DFma as usize].unit as usize];
    assert_eq!(
        (u64::from(2 * double.lanes * 15) * chip.clocks.shader_khz, double.per_scheduler),
        (168_120_000, false)
    );
    let slots = |class: Class| sm.classes[class as usize].slots;
    assert_eq!((slots(Class::FMad), slots(Class::IntMul)), (1, 2));
    assert_eq!((sm.lsu.rule, chip.partition.map), (CoalesceRule::Lines, MapKind::Hashed));
    let text = builtin_text("fermi").unwrap();
    let small = [("sm.shared_bytes".to_owned(), "16384".to_owned())];
    assert_eq!(Chip::from_ron("fermi.ron", text, &small).unwrap().0.sm.shared_bytes, 16384);
}

/// Bytes in a millisecond at the pins: a burst every ccd command clocks in each partition.
fn bytes_per_ms(chip: &Chip) -> u64 {
    let dram = &chip.partition.dram;
    u64::from(chip.partitions * dram.burst_bytes) * chip.clocks.memory_khz / u64::from(dram.timing.ccd)
}

/// Shader cycles of a load of `bytes` bytes in two bursts, by the sum in each chip file.
fn unloaded(name: &str, bytes: u64) -> u64 {
    let chip = Chip::builtin(name).unwrap();
    let (partition, timing) = (chip.partition, chip.partition.dram.timing);
    let dram = u64::from(timing.rcd + timing.cl + 2 * timing.ccd) * chip.clocks.shader_khz;
    let dram = dram.div_ceil(chip.clocks.memory_khz);
    let arbiter = (partition.arbiter_cycles as u64 * chip.clocks.shader_khz).div_ceil(chip.clocks.core_khz);
    chip.sm.lsu.latency as u64
        + chip.cluster.port_request_cycles as u64
        + 2 * chip.crossbar.latency as u64
        + arbiter
        + partition.pipeline_cycles as u64
        + dram
        + bytes.div_ceil(partition.reply_bytes_per_cycle.into())
        + partition.reply_header_cycles as u64
        + chip.sm.classes[Class::LdGlobal as usize].latency as u64
}

/// Peaks of the boards by the hardware facts (1.1): GFLOP/s of multiply-adds, GB/s of the memory
/// bus.
///
/// Tests: `boards`.
#[test]
fn every_board_has_its_published_peaks() {
    let expected = [
        ("g80", "GeForce 8800 GTX", 345.6, 86.4),
        ("fx5600", "Quadro FX 5600", 345.6, 76.8),
        ("8800gt", "GeForce 8800 GT", 336.0, 57.6),
        ("gt200", "GeForce GTX 280", 622.1, 141.7),
        ("c1060", "Tesla C1060", 622.1, 102.4),
        ("fermi", "GeForce GTX 480", 1345.0, 177.4),
        ("c2050", "Tesla C2050", 1030.4, 144.0),
        ("m2090", "Tesla M2090", 1331.2, 177.4),
        ("gtx460", "GeForce GTX 460", 907.2, 115.2),
        ("gtx560ti", "GeForce GTX 560 Ti", 1263.4, 128.3),
    ];
    assert!(simulated_names().eq(expected.iter().map(|e| e.0)));
    for (name, board, gflops, gbps) in expected {
        let chip = Chip::builtin(name).unwrap();
        let report = crate::stats::build::chip_report(&chip);
        assert_eq!(chip.board, board);
        assert!((report.peak_gflops - gflops).abs() < 0.06, "{name}: {} GFLOP/s", report.peak_gflops);
        assert!((report.peak_gbps - gbps).abs() < 0.06, "{name}: {} GB/s", report.peak_gbps);
    }
}

/// Double precision, in results per shader cycle and SM (facts 1.2): none, 1, an eighth, a half and
/// a twelfth of single precision.
#[test]
fn double_precision_has_the_rate_of_its_board() {
    for (name, lanes) in
        [("gt200", 1), ("c1060", 1), ("fermi", 4), ("c2050", 16), ("m2090", 16), ("gtx460", 4)]
    {
        let chip = Chip::builtin(name).unwrap();
        let unit = &chip.sm.units[chip.sm.classes[Class::DFma as usize].unit as usize];
        assert_eq!((unit.name.as_str(), unit.lanes), ("dp", lanes), "{name}");
    }
}

/// A board with another memory clock has the same DRAM in nanoseconds: each time differs from the
/// time of the base by less than two command clocks (rounding; the cycle of a row is rounded
/// twice).
///
/// Tests: `boards`.
#[test]
fn dram_times_keep_their_nanoseconds() {
    for (name, base) in
        [("fx5600", "g80"), ("c1060", "g80"), ("c2050", "fermi"), ("gtx460", "fermi"), ("gtx560ti", "fermi")]
    {
        let (a, b) = (Chip::builtin(name).unwrap(), Chip::builtin(base).unwrap());
        let ns = |chip: &Chip, clocks: u32| f64::from(clocks) * 1e6 / chip.clocks.memory_khz as f64;
        let times = |c: &Chip| {
            let t = c.partition.dram.timing;
            [t.rrd, t.faw, t.rcd, t.ras, t.rp, t.rc, t.cl, t.wl, t.cdlr, t.wr, t.rtp, t.refi, t.rfc]
        };
        let clock = ns(&a, 1).max(ns(&b, 1));
        for (i, (x, y)) in times(&a).into_iter().zip(times(&b)).enumerate() {
            let apart = ns(&a, x) - ns(&b, y);
            assert!(apart.abs() < 2.0 * clock, "{name}: time {i} is {x}, {apart} ns from {base}'s");
        }
    }
}

/// Tests: `unloaded-latency`.
#[test]
fn an_unloaded_load_takes_the_published_time() {
    assert_eq!([unloaded("g80", 64), unloaded("gt200", 64), unloaded("fermi", 128)], [475, 455, 555]);
    for (name, _) in [("g80", 0), ("gt200", 0), ("fermi", 0)] {
        let sum = unloaded(name, if name == "fermi" { 128 } else { 64 });
        assert!(builtin_text(name).unwrap().contains(&format!("= {sum}.")), "{name}: the sum in the file");
    }
    // 400 to 600 shader cycles by the Best Practices Guide, 400 to 800 by the Programming Guide.
    for name in simulated_names() {
        let sum = unloaded(name, 64);
        assert!((400..600).contains(&sum), "{name}: {sum}");
    }
}
