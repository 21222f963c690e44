//! Fermi's caches as the book tells of them: rows MEM-15, MEM-21 and PERF-13 of the claims ledger, and MEM-13 where
//! local memory no longer fits into the L1.

use kernels::Settings;
use sim_core::config::Chip;
use sim_core::host::{CachePreference, Gpu};
use sim_core::stats::Report;
use warpsim_tests::device::{Device, chip_with, pointers, timing};

/// One warp reads `LINES` lines of 128 bytes, one after the other, three times; it has `SHARED` bytes of shared memory.
const WALK: &str = ".version 2.0
.target sm_20
.entry walk(.param .u32 data, .param .u32 out) {
.shared .align 4 .b8 room[SHARED];
.reg .u32 %t, %at, %end, %round, %v, %sum, %s; .reg .pred %p;
mov.u32 %t, %tid.x; shl.b32 %t, %t, 2; mov.u32 %sum, 0; mov.u32 %round, 0;
mov.u32 %s, room; st.shared.u32 [%s], %sum;
ROUND: ld.param.u32 %at, [data]; add.u32 %at, %at, %t; add.u32 %end, %at, LINES;
LINE: ld.global.u32 %v, [%at]; add.u32 %sum, %sum, %v;
add.u32 %at, %at, 128; setp.lt.u32 %p, %at, %end; @%p bra LINE;
add.u32 %round, %round, 1; setp.lt.u32 %p, %round, 3; @%p bra ROUND;
ld.param.u32 %at, [out]; add.u32 %at, %at, %t; st.global.u32 [%at], %sum; exit; }";

/// Walks `lines` lines on `chip` with `shared` bytes of shared memory per block.
fn walk(chip: Chip, lines: u32, shared: u32, cache: CachePreference) -> Report {
    let text = WALK.replace("LINES", &(lines * 128).to_string()).replace("SHARED", &shared.to_string());
    let mut device = Device::new(chip, "walk.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
    let words: Vec<u32> = (0..lines * 32).collect();
    let (data, out) = (device.upload(&words), device.upload(&[0; 32]));
    let launch = device.launch("walk", (1, 1), (32, 1, 1)).args(pointers(&[data, out])).cache(cache);
    let report = device.run(&launch);
    let sum = |t: u32| (0..lines).map(|line| 32 * line + t).sum::<u32>() * 3;
    assert_eq!(device.download(out, 32), (0..32).map(sum).collect::<Vec<_>>());
    report
}

fn fermi(sets: &[(&str, &str)]) -> Chip {
    chip_with("fermi", sets)
}

/// Hits and misses of global loads in the L1.
fn l1(report: &Report) -> (u64, u64) {
    let counters = timing(report).l1.counters;
    (counters.global_load_hit, counters.global_load_miss)
}

/// MEM-15: the 16/48 KB split of shared memory and L1 is chosen per launch, and changes L1 hits and occupancy. 32 KB
/// that are read three times fit into 48 KB of L1; of 16 KB the least recently used line is always the one wanted next.
#[test]
fn mem_15_the_split_is_chosen_per_launch() {
    let run = |cache| walk(fermi(&[]), 256, 4096, cache);
    let (usual, shared, large) =
        (run(CachePreference::None), run(CachePreference::Shared), run(CachePreference::L1));
    assert_eq!((usual.launch.l1_bytes, usual.launch.sm_shared_bytes), (16_384, 49_152));
    assert_eq!((large.launch.l1_bytes, large.launch.sm_shared_bytes), (49_152, 16_384));
    assert_eq!(l1(&usual), (0, 768));
    assert_eq!(l1(&shared), (0, 768));
    assert_eq!(l1(&large), (512, 256));
    assert!(3 * timing(&large).cycles < 2 * timing(&usual).cycles, "hits are faster");
    // Of blocks of 4 KB twelve would fit into 48 KB, so the slots for blocks are what is scarce; into 16 KB four fit.
    assert_eq!((usual.launch.occupancy.blocks, large.launch.occupancy.blocks), (8, 4));
    // What does not fit into 16 KB gets its shared memory, whatever is preferred.
    let wide = walk(fermi(&[]), 256, 20_000, CachePreference::L1);
    assert_eq!((wide.launch.l1_bytes, wide.launch.occupancy.blocks), (16_384, 2));
    assert_eq!(l1(&wide), (0, 768));
}

/// MEM-15, beside it: a chip without an L1 has nothing to choose, and `-dlcm=cg` leaves the L1 to local memory.
#[test]
fn mem_15_without_an_l1_or_past_it() {
    let none = walk(fermi(&[("sm.l1", "none")]), 64, 4, CachePreference::L1);
    assert_eq!((l1(&none), none.launch.l1_bytes, none.launch.sm_shared_bytes), ((0, 0), 0, 49_152));
    let past = walk(fermi(&[("sm.l1.global", "false")]), 64, 4, CachePreference::None);
    assert_eq!((l1(&past), timing(&past).l1.counters.uncached_global_loads), ((0, 0), 192));
    // 8 KB are read three times: twice of that by the L2, without the DRAM.
    let l2 = timing(&past).l2;
    assert_eq!((l2.counters.read_sector_queries, l2.counters.read_sector_misses), (3 * 256, 256));
    assert_eq!((l2.counters.read_bytes, timing(&past).dram.read_bytes), (8192, 8192));
}

/// MEM-13 on Fermi: an automatic array that is larger than the L1 leaves it, to the L2; one that is larger than that,
/// to the DRAM.
#[test]
fn mem_13_arrays_larger_than_the_l1_leave_it() {
    let traffic = |words: u32| {
        let text = format!(
            ".version 2.0\n.target sm_20\n.entry k(.param .u32 out) {{
            .local .align 4 .b8 a[{bytes}];
            .reg .u32 %k, %at, %v, %sum, %base, %t; .reg .pred %p;
            mov.u32 %base, a; mov.u32 %k, 0; mov.u32 %sum, 0;
            PUT: add.u32 %at, %base, %k; st.local.u32 [%at], %k; add.u32 %k, %k, 4;
            setp.lt.u32 %p, %k, {bytes}; @%p bra PUT;
            mov.u32 %k, 0;
            GET: add.u32 %at, %base, %k; ld.local.u32 %v, [%at]; add.u32 %sum, %sum, %v; add.u32 %k, %k, 4;
            setp.lt.u32 %p, %k, {bytes}; @%p bra GET;
            mov.u32 %t, %tid.x; shl.b32 %t, %t, 2;
            ld.param.u32 %at, [out]; add.u32 %at, %at, %t; st.global.u32 [%at], %sum; exit; }}",
            bytes = 4 * words
        );
        let mut device = Device::on("fermi", &text);
        let out = device.upload(&[0; 32]);
        let launch = device.launch("k", (1, 1), (32, 1, 1)).args(pointers(&[out]));
        let report = device.run(&launch);
        assert_eq!(device.download(out, 32), vec![(0..words).map(|k| 4 * k).sum::<u32>(); 32]);
        timing(&report).clone()
    };
    // A word of the array is a line of the warp's: 100 of them are 12.5 KB, 1000 are 125 KB.
    let (small, large) = (traffic(100), traffic(1000));
    let c = small.l1.counters;
    assert_eq!((c.local_load_hit, c.local_load_miss, c.local_words_written_back), (100, 0, 0));
    assert_eq!(small.dram.read_bytes, 0);
    let c = large.l1.counters;
    assert_eq!((c.local_load_hit, c.local_load_miss, c.local_store_miss), (0, 1000, 1000));
    assert_eq!((c.local_words_dirtied, c.local_words_written_back), (32_000, 32_000));
    assert_eq!(large.l1.local_words_left, 0, "all that is left has been read back");
    assert_eq!(large.l2.counters.write_sector_queries, 4000 + 4, "and the results");
}

/// MEM-21: the slides count 4,096 loads under way on a Fermi SM at a tile of 16 (8 blocks of 512). 1,536 threads are 6
/// blocks of 256, each thread of which loads two words for a tile: 3,072.
#[test]
fn mem_21_loads_under_way_at_a_tile_of_16() {
    let (size, tile) = (64, 16);
    let mut gpu = Gpu::new(fermi(&[]));
    let settings = Settings { size: Some(size), ..Settings::default() };
    let outcome = kernels::run("matmul-tiled", &mut gpu, settings).unwrap_or_else(|e| panic!("{e}"));
    let report = &outcome.reports[0];
    let occupancy = &report.launch.occupancy;
    assert_eq!(report.launch.block.count(), tile * tile);
    assert_eq!((occupancy.blocks, occupancy.threads), (6, 1536));
    let (threads, tiles) = (size * size, size / tile);
    let loads = timing(report).global.load.requests * 32 / (threads * tiles);
    assert_eq!(loads, 2, "of each thread for each tile");
    assert_eq!(u64::from(occupancy.threads) * loads, 3072);
}

/// PERF-13: atomics on one address are several times faster on Fermi, whose L2 does them, than on GT200, whose every one
/// reads and writes the DRAM.
#[test]
fn perf_13_atomics_on_one_address() {
    let text = ".version 1.4\n.target sm_12\n.entry k(.param .u32 sum) {
        .reg .u32 %at, %old; ld.param.u32 %at, [sum]; atom.global.add.u32 %old, [%at], 1; exit; }";
    let (blocks, threads) = (30, 256);
    let time = |chip| {
        let mut device = Device::plain(chip, text);
        let sum = device.upload(&[0]);
        let report = device.run(&device.launch("k", (blocks, 1), (threads, 1, 1)).args(pointers(&[sum])));
        assert_eq!(device.download(sum, 1), [blocks * threads]);
        timing(&report).microseconds
    };
    let (gt200, fermi) = (time("gt200"), time("fermi"));
    assert!(gt200 > 3.0 * fermi, "{gt200} us on GT200, {fermi} us on Fermi");
    // One in nine hot cycles at best (facts 1.8), at 1401 MHz.
    let best = f64::from(blocks * threads) * 9.0 / 1401.0;
    assert!((best..1.2 * best).contains(&fermi), "{fermi} us, at best {best}");
}
