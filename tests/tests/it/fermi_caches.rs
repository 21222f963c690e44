//! Fermi's caches are as fast as they were measured: latencies by pointer chases, bandwidths by
//! loads of data that fit into L1, L2 or neither, as a program measures them with `%clock` and the
//! time of a launch.
//!
//! The bandwidths are those of gpumembench on a GTX 480 at 1550 MHz with its memory at 950 MHz
//! (facts 1.7): 1380 GB/s or 14.84 loads per clock and SM from L1, 200 to 270 GB/s from L2, 155
//! GB/s from the DRAM.

use isa::Options;
use sim_core::config::Chip;
use sim_core::stats::Report;
use warpsim_tests::device::{Device, chip_with, pointers, timing};

/// Number of timed loads of the chase.
const CHAIN: usize = 32;

/// Shader cycles of a load that depends on the one before: a chase over `lines` lines, `stride`
/// bytes apart, after `before` untimed loads.
fn chase(chip: Chip, lines: u32, stride: u32, before: u32, load: &str) -> f64 {
    let chain = format!("{load} %p, [%p];\n").repeat(CHAIN);
    let text = format!(
        ".version 2.0\n.target sm_20\n.entry k(.param .u32 data, .param .u32 out) {{
        .reg .u32 %p, %n, %t0, %t1, %o; .reg .pred %q;
        ld.param.u32 %p, [data]; mov.u32 %n, {before};
        WARM: setp.eq.u32 %q, %n, 0; @%q bra TIMED; ld.global.u32 %p, [%p]; sub.u32 %n, %n, 1; bra WARM;
        TIMED: and.b32 %n, %p, 3; add.u32 %p, %p, %n;
        mov.u32 %t0, %clock;
        {chain}
        and.b32 %n, %p, 3; mov.u32 %t1, %clock; add.u32 %t1, %t1, %n;
        sub.u32 %t1, %t1, %t0; ld.param.u32 %o, [out]; st.global.u32 [%o], %t1; st.global.u32 [%o+4], %p; exit; }}"
    );
    let mut device = Device::new(chip, "chase.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
    let words = (lines * stride / 4) as usize;
    let data = device.upload(&vec![0; words]);
    let mut next = vec![0; words];
    for line in 0..lines {
        next[(line * stride / 4) as usize] = data.address() + (line + 1) % lines * stride;
    }
    let bytes: Vec<u8> = next.iter().flat_map(|word| word.to_le_bytes()).collect();
    device.gpu.copy_in(data, &bytes).expect("it fits");
    let out = device.upload(&[0; 2]);
    device.run(&device.launch("k", (1, 1), (1, 1, 1)).args(pointers(&[data, out])));
    f64::from(device.download(out, 1)[0]) / CHAIN as f64
}

fn fermi(sets: &[(&str, &str)]) -> Chip {
    chip_with("fermi", sets)
}

#[test]
fn latencies_are_as_measured() {
    let load = "ld.global.u32";
    let l1 = chase(fermi(&[]), 32, 128, 64, load);
    assert!((80.0..100.0).contains(&l1), "L1: {l1}");
    // 64 KB, which is more than the L1 and less than the L2.
    let l2 = chase(fermi(&[]), 512, 128, 1024, load);
    assert!((250.0..320.0).contains(&l2), "L2: {l2}");
    let uncached = chase(fermi(&[]), 32, 128, 64, "ld.global.cg.u32");
    assert!((250.0..320.0).contains(&uncached), "without the L1: {uncached}");
    // Lines that have not been read before.
    let dram = chase(fermi(&[]), 1024, 4096, 0, load);
    assert!((500.0..620.0).contains(&dram), "DRAM: {dram}");
}

/// Hits of the L1 and the sum of the words read, for a thread that reads line 0, line 1, line 0,
/// line 2, and so on to line 16, all in one set. Each load waits for the one before it.
fn hits_of_line_0(sets: &[(&str, &str)]) -> (u64, u32) {
    let load = "ld.global.u32 %v, [%a]; add.u32 %sum, %sum, %v; and.b32 %z, %v, 3;\n";
    let text = format!(
        ".version 2.0\n.target sm_20\n.entry k(.param .u32 data, .param .u32 out) {{
        .reg .u32 %base, %a, %z, %v, %sum, %at; .reg .pred %q;
        ld.param.u32 %base, [data]; mov.u32 %sum, 0; mov.u32 %z, 0; mov.u32 %at, 4096;
        LOOP: add.u32 %a, %base, %z; {load}
        add.u32 %a, %base, %at; add.u32 %a, %a, %z; {load}
        add.u32 %at, %at, 4096; setp.le.u32 %q, %at, 65536; @%q bra LOOP;
        ld.param.u32 %a, [out]; st.global.u32 [%a], %sum; exit; }}"
    );
    let mut device = Device::new(fermi(sets), "set.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
    let data = device.upload(&(0..17 * 1024).map(|word| 4 * word).collect::<Vec<_>>());
    let out = device.upload(&[0]);
    let report = device.run(&device.launch("k", (1, 1), (1, 1, 1)).args(pointers(&[data, out])));
    let policies: Vec<String> =
        report.chip.replacement.iter().map(|(cache, policy)| format!("{cache}={policy}")).collect();
    let given = sets.iter().filter(|(_, policy)| *policy != "lru");
    let given: Vec<String> = given.map(|(path, policy)| format!("{}={policy}", &path[..5])).collect();
    assert_eq!(policies, given, "the report names the policies that are not LRU");
    (timing(&report).l1.counters.global_load_hit, device.download(out, 1)[0])
}

#[test]
fn a_replacement_policy_changes_hits_but_not_results() {
    let sum = (1..=16).map(|line| 4096 * line).sum::<u32>();
    // Line 0 is used before each new line, so LRU keeps it. FIFO evicts it with every fourth new
    // line, from the fourth on.
    assert_eq!(hits_of_line_0(&[("sm.l1.replacement", "lru")]), (15, sum));
    assert_eq!(hits_of_line_0(&[("sm.l1.replacement", "fifo")]), (12, sum));
    let random = hits_of_line_0(&[("sm.l1.replacement", "random(seed: 3)")]);
    assert_eq!((random.0 < 15, random.1), (true, sum));
    // The policy that was measured: the second way of a full set is evicted half of the time.
    let measured = hits_of_line_0(&[("sm.l1.replacement", "biased(seed: 1)")]);
    assert_eq!((measured.0 < 15, measured.1), (true, sum));
}

/// Measures GB/s and loads per shader cycle and SM of the overclocked GTX 480. Each block reads
/// `times` pieces of 8 KB, each `turns` times, from `bytes` that are read repeatedly. It begins one
/// piece after the block before it, and advances by `step` pieces at a time.
fn bandwidth(bytes: u32, times: u32, turns: u32, step: u32) -> (f64, f64) {
    let blocks = 90;
    let load = |k| format!("ld.global.u32 %v{k}, [%at+{}];\n", 1024 * k);
    let loads = (0..8).map(load).collect::<String>().repeat(turns as usize);
    let text = format!(
        ".version 2.0\n.target sm_20\n.entry k(.param .u32 data, .param .u32 out) {{
        .reg .u32 %t, %b, %base, %at, %place, %n, %sum, %v<8>; .reg .pred %q;
        mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; ld.param.u32 %base, [data]; shl.b32 %t, %t, 2;
        mov.u32 %sum, 0; mov.u32 %n, 0; add.u32 %base, %base, %t; mul.lo.u32 %place, %b, 8192;
        LOOP: and.b32 %place, %place, {mask}; add.u32 %at, %base, %place;
        {loads}
        add.u32 %place, %place, {step}; add.u32 %n, %n, 1; setp.lt.u32 %q, %n, {times}; @%q bra LOOP;
        ld.param.u32 %at, [out]; add.u32 %at, %at, %t; st.global.u32 [%at], %sum; exit; }}",
        mask = bytes - 1,
        step = step * 8192,
    );
    let clocks = [("clocks.shader_mhz", "1550"), ("clocks.core_mhz", "775"), ("clocks.memory_mhz", "950")];
    let mut device =
        Device::compiled(fermi(&clocks), "load.ptx", &text, Options::PLAIN).unwrap_or_else(|e| panic!("{e}"));
    let data = device.gpu.malloc(bytes.into()).expect("it fits");
    let out = device.upload(&[0; 256]);
    let report = device.run(&device.launch("k", (blocks, 1), (256, 1, 1)).args(pointers(&[data, out])));
    let loads = f64::from(blocks * turns) * f64::from(times) * 8.0 * 256.0;
    let timing = timing(&report);
    (4.0 * loads / timing.microseconds / 1e3, loads / timing.cycles as f64 / 15.0)
}

#[test]
fn bandwidths_are_as_measured() {
    let (l1, per_clock) = bandwidth(8192, 40, 8, 0);
    let (l2, _) = bandwidth(512 << 10, 64, 1, 1);
    let (dram, _) = bandwidth(32 << 20, 32, 1, 90);
    let measured = format!("L1: {per_clock} loads per clock, {l1} GB/s; L2: {l2} GB/s; DRAM: {dram} GB/s");
    assert!((14.0..15.6).contains(&per_clock), "{measured}");
    assert!((200.0..280.0).contains(&l2), "{measured}");
    assert!((147.0..163.0).contains(&dram), "{measured}");
}

/// Report of a launch that stores `words` words, fewer than the L2 holds.
fn stores(words: u32) -> Report {
    let text = ".version 2.0\n.target sm_20\n.entry k(.param .u32 out) {
        .reg .u32 %t, %b, %o;
        mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; ld.param.u32 %o, [out];
        shl.b32 %b, %b, 8; add.u32 %t, %t, %b; shl.b32 %t, %t, 2; add.u32 %o, %o, %t;
        st.global.u32 [%o], %t; exit; }";
    let mut device = Device::new(fermi(&[]), "store.ptx", text).unwrap_or_else(|e| panic!("{e}"));
    let out = device.gpu.malloc(u64::from(words) * 4).expect("it fits");
    device.run(&device.launch("k", (words / 256, 1), (256, 1, 1)).args(pointers(&[out])))
}

/// The launch ends while the L2 has most of the data: its bytes are moved in the time after it.
#[test]
fn dirty_sectors_are_written_after_the_end() {
    let report = stores(128 << 10);
    let (cycles, dram) = (timing(&report).cycles, &timing(&report).dram);
    let microseconds = timing(&report).microseconds * (1.0 + dram.write_back_cycles as f64 / cycles as f64);
    assert_eq!(dram.write_bytes, 512 << 10);
    let gbps = (dram.read_bytes + dram.write_bytes) as f64 / microseconds / 1e3;
    assert!((dram.gbps / gbps - 1.0).abs() < 1e-9, "{} and {gbps} GB/s", dram.gbps);
    assert!(gbps < report.chip.peak_gbps && dram.write_back_cycles > cycles / 4, "{dram:?} after {cycles}");
    let little = stores(0x100);
    assert!(timing(&little).dram.write_back_cycles < dram.write_back_cycles / 10, "1 KB: {little:?}");
}
