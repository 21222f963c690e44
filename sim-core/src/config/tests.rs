//! Every complaint about a chip file, as a user sees it.

use super::base::{Text, Texts};
use super::builtin::{builtin_text, simulated_names};
use super::codes;
use super::set::paths;
use super::tree;
use super::{Chip, CoalesceRule, FirstPath, MapKind};
use crate::cache::Replacement;
use crate::sm::scheduler::PolicyKind;
use crate::words::Worded;
use isa::types::Capability;
use isa::uop::Class;

fn g80() -> &'static str {
    builtin_text("g80").unwrap()
}

/// All complaints about the G80 with `edit` done to its text and `sets` laid over it, drawn.
fn complaints(edit: (&str, &str), sets: &[(&str, &str)]) -> String {
    assert!(g80().contains(edit.0), "{}", edit.0);
    let text = g80().replacen(edit.0, edit.1, 1);
    let sets: Vec<(String, String)> = sets.iter().map(|(p, v)| ((*p).into(), (*v).into())).collect();
    let own = Text { id: "self".into(), name: "g80.ron".into(), text: text.into() };
    let itself = own.clone();
    let texts = Texts::collect(own, |base, _| match base {
        "self" => Ok(itself.clone()),
        _ => Err("built in: g80, …".to_owned()),
    });
    match Chip::from_texts(&texts, &sets) {
        Ok((_, warnings)) => warnings.to_string(),
        Err(complaints) => complaints.to_string(),
    }
}

fn with(sets: &[(&str, &str)]) -> Chip {
    let sets: Vec<(String, String)> = sets.iter().map(|(p, v)| ((*p).into(), (*v).into())).collect();
    Chip::from_ron("g80.ron", g80(), &sets).unwrap_or_else(|c| panic!("{c}")).0
}

#[test]
fn the_g80_is_the_chip_that_the_texts_describe() {
    let chip = Chip::builtin("g80").unwrap();
    assert_eq!(chip.capability, Capability::new(1, 0));
    assert_eq!(chip.clusters * chip.cluster.sms, 16);
    let sm = &chip.sm;
    assert_eq!((sm.max_threads, sm.max_warps, sm.max_blocks), (768, 24, 8));
    assert_eq!(chip.clocks.hot_khz, 1_350_000);
    assert_eq!(chip.memory_bytes, 768 << 20);
    // 86.4 GB/s at the pins: a burst of 32 bytes every ccd command clocks in each partition.
    let dram = chip.partition.dram;
    let bytes_per_ms = u64::from(chip.partitions * dram.burst_bytes) * chip.clocks.memory_khz;
    assert_eq!(bytes_per_ms / u64::from(dram.timing.ccd), 86_400_000);
    // 345.6 GFLOP/s: two per lane and cycle of the sp unit.
    let mad = sm.classes[Class::FMad as usize];
    let unit = &sm.units[mad.unit as usize];
    assert_eq!((unit.name.as_str(), unit.lanes), ("sp", 8));
    assert_eq!(u64::from(2 * unit.lanes * 16) * chip.clocks.hot_khz, 345_600_000);
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
    assert_eq!(u64::from(2 * sm.units[0].lanes * sms) * chip.clocks.hot_khz, 622_080_000);
    // 78 GFLOP/s of double precision: 77.76.
    let double = &sm.units[sm.classes[Class::DFma as usize].unit as usize];
    assert_eq!(u64::from(2 * double.lanes * sms) * chip.clocks.hot_khz, 77_760_000);
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
    assert_eq!(u64::from(2 * 2 * sm.units[0].lanes * 15) * chip.clocks.hot_khz, 1_344_960_000);
    // 168 GFLOP/s of double precision, from one unit for both schedulers.
    let double = &sm.units[sm.classes[Class::DFma as usize].unit as usize];
    assert_eq!(
        (u64::from(2 * double.lanes * 15) * chip.clocks.hot_khz, double.per_scheduler),
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

/// Hot cycles of a load of `bytes` bytes in two bursts, by the sum that each chip file gives.
fn unloaded(name: &str, bytes: u64) -> u64 {
    let chip = Chip::builtin(name).unwrap();
    let (partition, timing) = (chip.partition, chip.partition.dram.timing);
    let dram = u64::from(timing.rcd + timing.cl + 2 * timing.ccd) * chip.clocks.hot_khz;
    let dram = dram.div_ceil(chip.clocks.memory_khz);
    let arbiter = (partition.arbiter_cycles as u64 * chip.clocks.hot_khz).div_ceil(chip.clocks.core_khz);
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

/// The boards' peaks are those of the hardware facts (1.1): GFLOP/s of multiply-adds, GB/s of the memory bus.
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

/// Double precision, in results per hot cycle and SM (facts 1.2): none, 1, an eighth, half and a twelfth of single.
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

/// A board with another memory clock has the same DRAM in nanoseconds: no time is shorter than the base's by more than
/// the rounding to whole command clocks, and none is longer by a clock or more, but for a row's cycle (two roundings).
#[test]
fn dram_times_keep_their_nanoseconds() {
    for (name, base) in
        [("fx5600", "g80"), ("c1060", "g80"), ("c2050", "fermi"), ("gtx460", "fermi"), ("gtx560ti", "fermi")]
    {
        let (a, b) = (Chip::builtin(name).unwrap(), Chip::builtin(base).unwrap());
        let ns = |chip: &Chip, clocks: u32| f64::from(clocks) * 1e6 / chip.clocks.memory_khz as f64;
        let times = |c: &Chip| {
            let t = c.partition.dram.timing;
            [t.rrd, t.rcd, t.ras, t.rp, t.rc, t.cl, t.wl, t.cdlr, t.wr, t.rtp, t.refi, t.rfc]
        };
        let clock = ns(&a, 1).max(ns(&b, 1));
        for (i, (x, y)) in times(&a).into_iter().zip(times(&b)).enumerate() {
            let apart = ns(&a, x) - ns(&b, y);
            assert!(apart.abs() < 2.0 * clock, "{name}: time {i} is {x}, {apart} ns from {base}'s");
        }
    }
}

#[test]
fn an_unloaded_load_takes_the_published_time() {
    assert_eq!([unloaded("g80", 64), unloaded("gt200", 64), unloaded("fermi", 128)], [475, 455, 555]);
    for (name, _) in [("g80", 0), ("gt200", 0), ("fermi", 0)] {
        let sum = unloaded(name, if name == "fermi" { 128 } else { 64 });
        assert!(builtin_text(name).unwrap().contains(&format!("= {sum}.")), "{name}: the file's own sum");
    }
    // 400 to 600 hot cycles by the Best Practices Guide, 400 to 800 by the Programming Guide.
    for name in simulated_names() {
        let sum = unloaded(name, 64);
        assert!((400..600).contains(&sum), "{name}: {sum}");
    }
}

#[test]
fn set_reaches_every_kind_of_value() {
    assert_eq!(with(&[("sm.max_warps", "16"), ("sm.max_threads", "512")]).sm.max_warps, 16);
    assert_eq!(with(&[("clocks.memory_mhz", "800.5")]).clocks.memory_khz, 800_500);
    assert_eq!(with(&[("sm.classes.fp_mad.latency", "18")]).sm.classes[Class::FMad as usize].latency, 18);
    assert_eq!(with(&[("sm.units.sp.lanes", "16")]).sm.units[0].lanes, 16);
    assert!(with(&[("sm.units.sp.per_scheduler", "true")]).sm.units[0].per_scheduler);
    assert_eq!(with(&[("partition.map", "hashed")]).partition.map, MapKind::Hashed);
    assert_eq!(with(&[("capability", "1.1")]).capability, Capability::new(1, 1));
    assert_eq!(with(&[("limits.grid.2", "4")]).limits.grid.z, 4);
    assert_eq!(with(&[("sm.first_path", "taken")]).sm.first_path, FirstPath::Taken);
    assert!(with(&[("sm.lsu.same_word_once", "true")]).sm.lsu.same_word_once);
    assert_eq!(with(&[("cluster.sms", "1"), ("cluster.sms", "3")]).cluster.sms, 3, "the last one counts");
}

#[test]
fn every_replacement_policy_has_a_spelling() {
    for (text, policy) in [
        ("lru", Replacement::Lru),
        ("fifo", Replacement::Fifo),
        ("random(seed: 1)", Replacement::Random { seed: 1 }),
        ("pseudo_lru", Replacement::PseudoLru),
    ] {
        for path in ["sm.const_cache", "cluster.const_cache", "partition.const_cache"] {
            let chip = with(&[(&format!("{path}.replacement"), text)]);
            for (cache, shape) in chip.caches() {
                let expected = if cache == path { policy } else { Replacement::Lru };
                assert_eq!(shape.replacement, expected, "{cache}");
            }
        }
    }
}

#[test]
fn every_scheduler_has_a_spelling() {
    for (text, policy) in [
        ("lrr", PolicyKind::LooseRoundRobin),
        ("oldest", PolicyKind::OldestFirst),
        ("gto", PolicyKind::GreedyThenOldest),
        ("two_level(active: 8)", PolicyKind::TwoLevel { active: 8 }),
        ("priority", PolicyKind::Priority),
        ("random(seed: 1)", PolicyKind::Random { seed: 1 }),
    ] {
        assert_eq!(with(&[("scheduler", text)]).sm.policy, policy);
    }
}

/// One case: the edit of the file, the `--set` arguments, and what the drawn complaints must contain.
type Case = ((&'static str, &'static str), &'static [(&'static str, &'static str)], &'static [&'static str]);

const NO_EDIT: (&str, &str) = ("(", "(");

const CASES: [Case; 56] = [
    (
        NO_EDIT,
        &[("sm.const_cache.replacement", "lifo")],
        &["error[E0507]: sm.const_cache.replacement cannot be `lifo`", "did you mean `fifo`?"],
    ),
    (
        NO_EDIT,
        &[("sm.const_cache.replacement", "random")],
        &["error[E0503]: field `seed` of sm.const_cache.replacement is missing"],
    ),
    (
        ("ways: 4, // calibrated: as on GT200", "ways: 3, replacement: pseudo_lru, bytes: 768,"),
        &[],
        &[
            "error[E0509]: cluster.const_cache.ways must be a power of two for the replacement policy pseudo_lru",
        ],
    ),
    (
        NO_EDIT,
        &[("replacement", "fifo")],
        &[
            "error[E0508]: `replacement` can mean 3 values",
            "one of: cluster.const_cache.replacement, sm.const",
        ],
    ),
    (("clusters: 8,", "clusters: 8"), &[], &["error[E0501]", "this is not valid RON: Expected comma"]),
    (NO_EDIT, &[("sm.max_warps", "(")], &["error[E0501]", "--set:1:14"]),
    (
        ("max_warps: 24", "max_wraps: 24"),
        &[],
        &[
            "error[E0502]: sm has no field `max_wraps`",
            "did you mean `max_warps`?",
            "error[E0503]: field `max_warps` of sm is missing",
        ],
    ),
    (
        ("mov: (unit", "movv: (unit"),
        &[],
        &["sm.classes has no field `movv`", "field `mov` of sm.classes is missing"],
    ),
    (("pcie: (", "pcie2: ("), &[], &["the file has no field `pcie2`", "field `pcie` of the file is missing"]),
    (("clusters: 8,", "clusters: 8, clusters: 9,"), &[], &["error[E0504]: field `clusters` is given twice"]),
    (("\"sfu\":", "\"sp\":"), &[], &["error[E0504]: unit `sp` is given twice"]),
    (
        NO_EDIT,
        &[("clusters", "eight")],
        &["error[E0505]: clusters must be an integer, not a word", "clusters=eight"],
    ),
    (NO_EDIT, &[("clusters", "2.5")], &["error[E0505]", "not a number with a fraction"]),
    (NO_EDIT, &[("limits.grid", "(1, 2)")], &["error[E0505]: limits.grid must be three extents `(x, y, z)`"]),
    (NO_EDIT, &[("sm", "5")], &["error[E0505]: sm must be a struct"]),
    (NO_EDIT, &[("sm.units", "[8]")], &["error[E0505]: sm.units must be a map of units"]),
    (NO_EDIT, &[("allocation.params_in_shared", "1")], &["error[E0505]", "expected true or false"]),
    (NO_EDIT, &[("clocks.core_mhz", "fast")], &["error[E0505]: clocks.core_mhz must be a number"]),
    (NO_EDIT, &[("sm.max_warps", "65")], &["error[E0506]: sm.max_warps is out of range: 65", "from 1 to 64"]),
    (NO_EDIT, &[("clusters", "99999999999999999999")], &["error[E0505]"]),
    (NO_EDIT, &[("clocks.core_mhz", "NaN")], &["error[E0506]: clocks.core_mhz is out of range"]),
    (NO_EDIT, &[("capability", "ten")], &["error[E0506]: capability is no compute capability: `ten`"]),
    (NO_EDIT, &[("sm.units", "{}")], &["error[E0506]: sm.units has 0 units"]),
    (
        NO_EDIT,
        &[("scheduler", "gtoo")],
        &["error[E0507]: sm.scheduler cannot be `gtoo`", "did you mean `gto`?"],
    ),
    (NO_EDIT, &[("scheduler", "two_level")], &["error[E0503]: field `active` of sm.scheduler is missing"]),
    (NO_EDIT, &[("sm.shared.rule", "multi")], &["error[E0507]", "one of: one_broadcast, multicast"]),
    (
        NO_EDIT,
        &[("sm.max_wraps", "2")],
        &["error[E0508]: the chip has no `sm.max_wraps`", "mean `sm.max_warps`?"],
    ),
    (NO_EDIT, &[("queue", "2")], &["error[E0508]: `queue` can mean 2 values", "one of: sm.lsu.queue, "]),
    (
        NO_EDIT,
        &[("partition.chunk_bytes", "192")],
        &["error[E0509]: partition.chunk_bytes must be a power of two"],
    ),
    (NO_EDIT, &[("sm.units.sp.lanes", "7")], &["error[E0509]: sm.units.sp.lanes must be a power of two"]),
    (
        NO_EDIT,
        &[("crossbar.latency", "300")],
        &["error[E0510]: a launch takes at least two crossings, 600 hot"],
    ),
    (
        NO_EDIT,
        &[("clocks.core_mhz", "1351")],
        &["error[E0510]: clocks.core_mhz must not be above", "1350 MHz (g80.ron"],
    ),
    (NO_EDIT, &[("sm.lsu.group", "8")], &["error[E0510]: sm.lsu.group must be 16: the strict rule"]),
    (NO_EDIT, &[("sm.lsu.group", "32")], &["error[E0510]: sm.lsu.group must be 16: the strict rule"]),
    (
        NO_EDIT,
        &[("sm.lsu.rule", "segments"), ("sm.lsu.group", "32")],
        &["error[E0510]: sm.lsu.group must be 16: the rule of segments"],
    ),
    (
        NO_EDIT,
        &[(
            "sm.l1",
            "(bytes: 500, ways: 4, hit_cycles: 1, misses: 1, merges: 1, global: true, prefer_l1: none)",
        )],
        &[
            "error[E0510]: sm.l1 must be whole sets of 512 bytes, one at least",
            "error[E0510]: a cache of global memory needs the coalescing rule of lines (sm.lsu.rule)",
        ],
    ),
    (
        NO_EDIT,
        &[("partition.l2", "(bytes: 512, ways: 4, hit_cycles: 1, sector_cycles: 1, misses: 1)")],
        &["error[E0510]: a cache of global memory needs the coalescing rule of lines (sm.lsu.rule)"],
    ),
    (
        NO_EDIT,
        &[("partition.l2", "7")],
        &["error[E0505]: partition.l2 must be a struct `(field: value, …)`, or `none`, not an integer"],
    ),
    (NO_EDIT, &[("sm.lsu.rule", "lines")], &["error[E0510]: sm.lsu.group must be 32: the rule of lines"]),
    (
        NO_EDIT,
        &[("sm.lsu.rule", "segments"), ("sm.lsu.same_word_once", "true")],
        &[
            "error[E0510]: sm.lsu.same_word_once belongs to the strict rule",
            "`sm.lsu.same_word_once` is true",
        ],
    ),
    (
        NO_EDIT,
        &[("partition.map", "hashd")],
        &["error[E0507]: partition.map cannot be `hashd`", "did you mean `hashed`?"],
    ),
    (
        NO_EDIT,
        &[("sm.units", "{\"sp\": (lanes: 8)}")],
        &["error[E0503]: field `per_scheduler` of sm.units.sp is missing"],
    ),
    (
        NO_EDIT,
        &[(
            "sm.classes.ld_global",
            "(unit: \"lsu\", slots: 1, latency: 24, second: (unit: \"sfu\", busy: 8, latency: 28))",
        )],
        &["error[E0510]: class ld_global has no way through a second port"],
    ),
    (NO_EDIT, &[("sm.shared.group", "8")], &["error[E0510]: sm.shared.group must be 16 (half-warp) or 32"]),
    (NO_EDIT, &[("partition.dram.row_bytes", "128")], &["error[E0510]: a DRAM row must hold whole chunks"]),
    (NO_EDIT, &[("partition.chunk_bytes", "4096")], &["error[E0510]: a DRAM row must hold whole chunks"]),
    (
        NO_EDIT,
        &[("partition.dram.burst_bytes", "48")],
        &["error[E0509]: partition.dram.burst_bytes must be a power of two"],
    ),
    (NO_EDIT, &[("sm.shared_bytes", "128")], &["error[E0510]: every block may take 272 bytes"]),
    (NO_EDIT, &[("sm.classes.mov.unit", "fpu")], &["error[E0511]", "one of: sp, sfu, lsu, control"]),
    (NO_EDIT, &[("partition.dram.timing.rc", "40")], &["error[E0512]: rc must be at least ras + rp"]),
    (
        NO_EDIT,
        &[("partition.dram.timing.refi", "200")],
        &["error[E0512]: refi must leave time for a request"],
    ),
    (
        NO_EDIT,
        &[("clusters", "64"), ("cluster.sms", "16"), ("sm.registers", "1048576")],
        &["error[E0513]: registers and shared memory"],
    ),
    (
        ("name: \"g80\",", "base: \"g81\","),
        &[],
        &["error[E0514]: there is no chip `g81` to be a base", "built in: g80, "],
    ),
    (("name: \"g80\",", "base: \"self\","), &[], &["error[E0515]: base `self` is itself based on this chip"]),
    (NO_EDIT, &[("name", "\"g\\u{1b}80\"")], &["error[E0516]: control characters in name"]),
    (
        NO_EDIT,
        &[("sm.max_warps", "8"), ("crossbar.depth", "2")],
        &[
            "warning[E0520]: 8 warps of 32 threads are 256 threads",
            "warning[E0520]: the largest block",
            "warning[E0521]: links of fewer than 5 messages",
            "`crossbar.latency` is 100 (g80.ron line",
        ],
    ),
];

#[test]
fn complaints_say_what_and_where() {
    for (edit, sets, wanted) in CASES {
        let drawn = complaints(edit, sets);
        for part in wanted {
            assert!(drawn.contains(part), "{edit:?} {sets:?}: no {part:?} in\n{drawn}");
        }
    }
}

#[test]
fn every_code_has_a_case() {
    let all: Vec<&str> = CASES.iter().flat_map(|c| c.2.iter().copied()).collect();
    for (code, meaning) in codes::ALL {
        assert!(all.iter().any(|part| part.contains(&format!("[{code}]"))), "{code}: {meaning}");
    }
    assert!(codes::ALL.windows(2).all(|w| w[0].0 < w[1].0), "in order, each once");
}

#[test]
fn a_complaint_in_full() {
    let drawn = complaints(NO_EDIT, &[("partition.dram.timing.rc", "40")]);
    let line = 1 + g80().lines().position(|l| l.trim_start().starts_with("ras:")).unwrap();
    let next = line + 1;
    let expected = format!(
        "error[E0512]: rc must be at least ras + rp: a row is open, then precharged
 --> --set:1:26
  |
1 | partition.dram.timing.rc=40
  |                          ^^ `partition.dram.timing.rc` is 40
  |
  = note: `partition.dram.timing.ras` is 29 (g80.ron line {line})
  = note: `partition.dram.timing.rp` is 12 (g80.ron line {next})"
    );
    assert_eq!(drawn, expected);
    assert!(include_str!("../../../docs/CONFIG.md").contains(&drawn), "docs/CONFIG.md shows this one");
}

#[test]
fn everything_wrong_is_told_at_once() {
    let drawn = complaints(
        ("max_warps: 24", "max_wraps: 24"),
        &[
            ("cluster.sms", "0"),
            ("sm.units.sp.lanes", "7"),
            ("sm.classes.mov.slots", "0"),
            ("crossbar.latency", "300"),
            ("crossbar.depth", "1"),
            ("no.such", "1"),
        ],
    );
    let codes: Vec<&str> =
        drawn.lines().filter_map(|l| l.split_once('[')?.1.split_once("]:")).map(|c| c.0).collect();
    assert_eq!(codes, ["E0503", "E0502", "E0506", "E0509", "E0506", "E0510", "E0508", "E0521"], "{drawn}");
}

#[test]
fn a_broken_struct_is_complained_of_once() {
    let drawn = complaints(NO_EDIT, &[("sm.classes", "5")]);
    assert_eq!(drawn.matches("error[").count(), 1, "{drawn}");
}

#[test]
fn no_damage_to_the_text_makes_it_panic() {
    let text = g80();
    for at in (0..text.len()).step_by(41).filter(|at| text.is_char_boundary(*at)) {
        let _ = Chip::from_ron("cut.ron", &text[..at], &[]);
        for put in [")", "(", "\"", "-", "1e99", "é", ", ", ":", "'"] {
            if let Err(complaints) =
                Chip::from_ron("dirty.ron", &format!("{}{put}{}", &text[..at], &text[at..]), &[])
            {
                assert!(!complaints.to_string().is_empty());
            }
        }
    }
}

#[test]
fn the_manual_names_every_field_and_code() {
    let manual = include_str!("../../../docs/CONFIG.md");
    let root = tree::parse(g80(), 0).unwrap();
    for path in paths(&root) {
        let name = path.rsplit('.').next().unwrap();
        if name.parse::<usize>().is_err() && !path.starts_with("sm.units.") {
            assert!(manual.contains(&format!("`{name}`")), "docs/CONFIG.md does not explain {path}");
        }
    }
    let rules = CoalesceRule::NAMES.map(|(word, _)| word);
    for word in PolicyKind::WORDS.iter().chain(Replacement::WORDS).chain(&rules) {
        let named = [format!("`{word}`"), format!("`{word}(")];
        assert!(named.iter().any(|word| manual.contains(word)), "docs/CONFIG.md does not explain {word}");
    }
    for (code, meaning) in codes::ALL {
        assert!(manual.contains(&format!("| `{code}` | {meaning} |")), "docs/CONFIG.md: {code} {meaning}");
    }
}
