//! The policies that architects exchange have the effects that their papers report: throttling of
//! blocks, prefetching, fills and write policies of caches, DRAM scheduling and page policies.

use sim_core::config::Chip;
use sim_core::stats::report::TimingReport;
use warpsim_tests::device::{Device, chip_with, pointers, timing};

/// Each warp reads `lines` lines, `turns` times; the lines of a warp are `stride` bytes apart.
fn read(chip: Chip, grid: u32, threads: u32, walk: (u32, u32, u32)) -> TimingReport {
    read_apart(chip, grid, threads, 4, walk)
}

/// The same as [`read`], with the words of neighboring lanes `apart` bytes apart.
fn read_apart(
    chip: Chip,
    grid: u32,
    threads: u32,
    apart: u32,
    (lines, turns, stride): (u32, u32, u32),
) -> TimingReport {
    let text = format!(
        ".version 2.0\n.target sm_10\n.entry k(.param .u32 data, .param .u32 out) {{
        .reg .u32 %a, %b, %t, %l, %n, %s, %v, %w; .reg .u16 %h; .reg .pred %q;
        mov.u16 %h, %ctaid.x; cvt.u32.u16 %b, %h; mov.u16 %h, %tid.x; cvt.u32.u16 %t, %h;
        mul.lo.u32 %b, %b, {threads}; add.u32 %t, %t, %b; shr.u32 %w, %t, 5; and.b32 %l, %t, 31;
        ld.param.u32 %a, [data]; mul.lo.u32 %w, %w, {of_warp}; add.u32 %a, %a, %w;
        mul.lo.u32 %l, %l, {apart}; add.u32 %a, %a, %l;
        mov.u32 %s, 0; mov.u32 %n, {turns};
        TURN: mov.u32 %l, {lines}; mov.u32 %b, %a;
        LINE: ld.global.u32 %v, [%b]; add.u32 %s, %s, %v; add.u32 %b, %b, {stride};
        sub.u32 %l, %l, 1; setp.ne.u32 %q, %l, 0; @%q bra LINE;
        sub.u32 %n, %n, 1; setp.ne.u32 %q, %n, 0; @%q bra TURN;
        ld.param.u32 %a, [out]; shl.b32 %t, %t, 2; add.u32 %a, %a, %t; st.global.u32 [%a], %s; exit; }}",
        of_warp = lines * stride
    );
    let mut device = Device::new(chip, "read.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
    let all = grid * threads;
    let words: Vec<u32> = (0..all / 32 * lines * stride / 4).collect();
    let data = device.upload(&words);
    let out = device.upload(&vec![0; all as usize]);
    let launch = device.launch("k", (grid, 1), (threads, 1, 1)).args(pointers(&[data, out]));
    let report = device.run(&launch);
    let sum = |thread: u32| {
        let first = thread / 32 * lines * stride / 4 + thread % 32 * apart / 4;
        (0..lines).fold(0u32, |sum, line| sum.wrapping_add(first + line * stride / 4)).wrapping_mul(turns)
    };
    assert_eq!(device.download(out, all as usize), (0..all).map(sum).collect::<Vec<_>>());
    timing(&report).clone()
}

/// One SM of a Fermi with 16 KB of L1.
fn sm(sets: &[(&str, &str)]) -> Chip {
    chip_with("fermi", &[&[("clusters", "1"), ("cluster.sms", "1")], sets].concat())
}

/// Blocks that fit into the L1 one by one, but not together, evict each other's lines: the best
/// number of blocks is neither the smallest nor the largest (Kayıran et al., PACT 2013). Without
/// reuse the largest is the best.
#[test]
fn a_throttle_helps_blocks_that_evict_each_others_lines() {
    let with = |throttle: &str, turns| {
        let sets = [("clusters", "4"), ("partitions", "1"), ("sm.throttle", throttle)];
        read(sm(&sets), 96, 64, (16, turns, 128))
    };
    let [off, four, one] = ["off", "at_most(blocks: 4)", "at_most(blocks: 1)"].map(|t| with(t, 20));
    let hits = |t: &TimingReport| t.l1.counters.global_load_hit;
    assert!(2 * hits(&off) < hits(&four), "{} and {} hits", hits(&off), hits(&four));
    assert!(3 * four.cycles < 2 * off.cycles, "{} and {} cycles", four.cycles, off.cycles);
    assert!(2 * four.cycles < one.cycles, "{} and {} cycles", four.cycles, one.cycles);
    let [off, one] = ["off", "at_most(blocks: 1)"].map(|throttle| with(throttle, 1));
    assert!(off.cycles < one.cycles, "without reuse: {} and {} cycles", off.cycles, one.cycles);
}

/// Lines that follow are prefetched for a warp that reads one after the other, and are useless for
/// one that reads every ninth line.
#[test]
fn next_lines_help_streams_alone() {
    let with = |prefetch: &str, stride| read(sm(&[("sm.l1.prefetch", prefetch)]), 4, 32, (64, 1, stride));
    let [off, two] = ["off", "next_lines(lines: 2)"].map(|prefetch| with(prefetch, 128));
    assert!(3 * two.cycles < 2 * off.cycles, "a stream: {} and {} cycles", two.cycles, off.cycles);
    let [off, two] = ["off", "next_lines(lines: 2)"].map(|prefetch| with(prefetch, 9 * 128));
    assert!(two.cycles >= off.cycles, "far lines: {} and {} cycles", two.cycles, off.cycles);
    assert!(two.dram.read_bytes > 2 * off.dram.read_bytes, "lines that are not used");
}

/// Each warp adds 1 to the words of `lines` lines in memory, `turns` times.
fn count(chip: Chip, grid: u32, threads: u32, (lines, turns): (u32, u32)) -> TimingReport {
    let text = format!(
        ".version 2.0\n.target sm_10\n.entry k(.param .u32 data) {{
        .reg .u32 %a, %b, %t, %l, %n, %v, %w; .reg .u16 %h; .reg .pred %q;
        mov.u16 %h, %ctaid.x; cvt.u32.u16 %b, %h; mov.u16 %h, %tid.x; cvt.u32.u16 %t, %h;
        mul.lo.u32 %b, %b, {threads}; add.u32 %t, %t, %b; shr.u32 %w, %t, 5; and.b32 %l, %t, 31;
        ld.param.u32 %a, [data]; mul.lo.u32 %w, %w, {of_warp}; add.u32 %a, %a, %w;
        shl.b32 %l, %l, 2; add.u32 %a, %a, %l; mov.u32 %n, {turns};
        TURN: mov.u32 %l, {lines}; mov.u32 %b, %a;
        LINE: ld.global.u32 %v, [%b]; add.u32 %v, %v, 1; st.global.u32 [%b], %v; add.u32 %b, %b, 128;
        sub.u32 %l, %l, 1; setp.ne.u32 %q, %l, 0; @%q bra LINE;
        sub.u32 %n, %n, 1; setp.ne.u32 %q, %n, 0; @%q bra TURN; exit; }}",
        of_warp = 128 * lines
    );
    let mut device = Device::new(chip, "count.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
    let words: Vec<u32> = (0..grid * threads * lines).collect();
    let data = device.upload(&words);
    let launch = device.launch("k", (grid, 1), (threads, 1, 1)).args(pointers(&[data]));
    let report = device.run(&launch);
    let counted: Vec<u32> = words.iter().map(|word| word + turns).collect();
    assert_eq!(device.download(data, words.len()), counted);
    timing(&report).clone()
}

/// A warp that reads the words it has stored finds them in an L1 that stores update, and not in
/// one from which they evict their lines (Jouppi, ISCA 1993: write-through and write-invalidate).
#[test]
fn an_updating_l1_keeps_lines_that_are_stored_and_read_again() {
    let with = |stores: &str| count(sm(&[("sm.l1.stores", stores)]), 1, 64, (8, 20));
    let [evict, update] = ["evict", "update"].map(with);
    let hits = |t: &TimingReport| t.l1.counters.global_load_hit;
    assert_eq!((hits(&evict), hits(&update)), (0, 2 * 8 * 19));
    assert!(3 * update.cycles < 2 * evict.cycles, "{} and {} cycles", evict.cycles, update.cycles);
}

/// An L2 that writes back writes a line to the DRAM once, and one that writes through once for each
/// store (Jouppi, ISCA 1993). Without repeated stores, both write the same bytes.
#[test]
fn write_back_saves_repeated_writes() {
    let with = |writes: &str, turns| {
        let sets = [("clusters", "4"), ("partitions", "1"), ("sm.l1.stores", "update")];
        count(sm(&[&sets[..], &[("partition.l2.writes", writes)]].concat()), 16, 256, (2, turns))
    };
    let [back, through] = ["write_back", "write_through"].map(|writes| with(writes, 10));
    let all = 16 * 256 * 2 * 4;
    assert_eq!((back.dram.write_bytes, through.dram.write_bytes), (all, 10 * all));
    assert!(5 * back.cycles < 4 * through.cycles, "{} and {} cycles", back.cycles, through.cycles);
    let [back, through] = ["write_back", "write_through"].map(|writes| with(writes, 1));
    assert_eq!(back.dram.write_bytes, through.dram.write_bytes);
}

/// Scattered words need one sector of each line: a sectored L1 moves a quarter of the bytes (Rhu et
/// al., MICRO 2013). Words that follow are in one line, which then takes several misses.
#[test]
fn sectors_help_scattered_words_and_lines_help_neighbors() {
    let with = |fill: &str, apart, walk| {
        let sets = [("clusters", "4"), ("partitions", "1"), ("sm.l1.fill", fill)];
        read_apart(sm(&sets), 16, 64, apart, walk)
    };
    let [line, sectors] = ["line", "sectors"].map(|fill| with(fill, 128, (8, 1, 4096)));
    let queries = |t: &TimingReport| t.l2.counters.read_sector_queries;
    assert!(queries(&line) > 3 * queries(&sectors), "{} and {}", queries(&line), queries(&sectors));
    assert!(line.dram.read_bytes > sectors.dram.read_bytes);
    assert!(2 * line.cycles > 3 * sectors.cycles, "{} and {} cycles", line.cycles, sectors.cycles);
    // All lanes of a warp read one word, and then the next sector.
    let [line, sectors] = ["line", "sectors"].map(|fill| with(fill, 0, (64, 1, 32)));
    let misses = |t: &TimingReport| t.l1.counters.global_load_miss;
    assert_eq!((4 * misses(&line), misses(&sectors)), (32 * 64, 32 * 64));
    assert!(3 * line.cycles < 2 * sectors.cycles, "{} and {} cycles", line.cycles, sectors.cycles);
}

/// A warp that reads row after row waits for no precharge if rows are closed early; one that reads
/// along a row waits for its activate again.
#[test]
fn closed_rows_help_accesses_to_other_rows_alone() {
    let with = |page: &str, stride| {
        let chip = chip_with("g80", &[("partitions", "1"), ("partition.dram.page", page)]);
        read(chip, 1, 32, (64, 1, stride)).cycles
    };
    // Rows of one bank.
    let banks = Chip::builtin("g80").expect("it is built in").partition.dram;
    let row = banks.row_bytes * banks.banks;
    assert!(with("closed", row) < with("open", row), "{} and {}", with("closed", row), with("open", row));
    assert!(with("closed", 128) > with("open", 128), "{} and {}", with("closed", 128), with("open", 128));
}

/// First ready serves the streams of many warps faster than first come (Rixner et al., ISCA 2000).
#[test]
fn first_ready_gives_more_bandwidth_than_first_come() {
    let with = |scheduler: &str| {
        let chip = chip_with("g80", &[("partition.dram.scheduler", scheduler)]);
        read(chip, 96, 256, (8, 1, 4096))
    };
    let [ready, come] = ["fr_fcfs", "fcfs"].map(with);
    assert!(11 * ready.cycles < 10 * come.cycles, "{} and {} cycles", ready.cycles, come.cycles);
    assert!(ready.dram.row_hits > come.dram.row_hits);
}
